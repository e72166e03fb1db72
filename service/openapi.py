"""The OpenAPI document, made from the operations. ``write`` puts it where it is committed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

from service import problem_page
from service.openapi_examples import REQUESTS
from service.openapi_links import links
from service.openapi_parts import (
    ANSWER_HEADERS,
    DESCRIPTION,
    EXTENSIONS,
    PROBLEM_HEADERS,
    RATE_HEADERS,
    REQUEST_HEADERS,
    STATUSES,
    TAGS,
)
from service.openapi_schemas import REF, Schema, Schemas
from service.openapi_webhooks import webhooks
from service.operation import Needs, Operation
from service.problems import MEDIA_TYPE
from service.routes import OPERATIONS
from service.version import VERSION

COMMITTED: Final = Path(__file__).parent.parent / "openapi" / "openapi.json"
_PARAMETER: Final = re.compile(r"{(\w+)}")
_UUIDS: Final = frozenset(("match_id", "player_id", "ticket", "webhook_id", "delivery_id"))
_ACTING: Final = ("Talon-Player",)


@cache
def document() -> Schema:
    """The whole document, of OpenAPI 3.1."""
    schemas = Schemas(OPERATIONS)
    paths: dict[str, Schema] = {}
    for one in OPERATIONS:
        paths.setdefault(one.path, {})[one.method.lower()] = described(one, schemas)
    schemas.drop_queries([one.query for one in OPERATIONS if one.query is not None])
    whole = {
        "openapi": "3.1.0",
        "info": {
            "title": "Talon",
            "version": VERSION,
            "summary": "Play, watch, replay and audit matches of a color-matching card game.",
            "description": DESCRIPTION,
            "contact": {"name": "The maintainers of Talon"},
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "security": [{}, {"bearer": []}],
        "paths": paths,
        "webhooks": webhooks(
            {"$ref": REF.format(name="Event")}, {"$ref": REF.format(name="TournamentEvent")}
        ),
        "components": {
            "schemas": dict(sorted(schemas.components.items())),
            "parameters": {_key(name): header for name, header in REQUEST_HEADERS.items()},
            "headers": {_key(name): header for name, header in ANSWER_HEADERS.items()},
            "responses": {f"Problem{status}": _problem(status) for status in STATUSES},
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token of a player, an app, an auditor or an operator.",
                }
            },
        },
    }
    plain: Schema = json.loads(json.dumps(whole))
    return plain


@cache
def text() -> bytes:
    """The document as it is served and committed."""
    return json.dumps(document(), indent=1, ensure_ascii=False).encode() + b"\n"


def write() -> None:
    """Put the document, and the page of problems, where they are committed; tests compare them."""
    COMMITTED.write_bytes(text())
    problem_page.COMMITTED.write_text(problem_page.text())


def described(one: Operation, schemas: Schemas) -> Schema:
    """An operation in the words of OpenAPI."""
    described: Schema = {
        "operationId": one.id,
        "tags": [one.tag],
        "summary": one.summary,
        "description": one.description or f"{one.summary}.",
        "security": _security(one),
        "parameters": [*_path_parameters(one), *_query(one, schemas), *_headers(one)],
        "responses": _responses(one, schemas),
    }
    described |= EXTENSIONS.get(one.id, {})
    if one.retirement is not None:
        described |= {"deprecated": True, **one.retirement.described()}
    if one.body is not None:
        described["requestBody"] = {
            "required": not one.body_optional,
            "content": {
                "application/json": {
                    "schema": schemas.of(one.body),
                    "examples": {
                        name: {"summary": name, "value": value}
                        for name, value in REQUESTS[one.id].items()
                    },
                }
            },
        }
    return described


def _security(one: Operation) -> list[Schema]:
    return [{"bearer": []}] if one.needs is not Needs.NOBODY else [{}, {"bearer": []}]


def _path_parameters(one: Operation) -> list[Schema]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", **({"format": "uuid"} if name in _UUIDS else {})},
        }
        for name in _PARAMETER.findall(one.path)
    ]


def _query(one: Operation, schemas: Schemas) -> list[Schema]:
    return [] if one.query is None else schemas.parameters(one.query)


def _headers(one: Operation) -> list[Schema]:
    acting = _ACTING if one.path.startswith("/v1/") else ()
    return [
        {"$ref": f"#/components/parameters/{_key(name)}"}
        for name in (*one.takes, *acting)
        if name in REQUEST_HEADERS
    ]


def _responses(one: Operation, schemas: Schemas) -> Schema:
    responses: Schema = {}
    for shape in one.answers:
        answer = responses.setdefault(str(shape.status), {"description": shape.says})
        if shape.body is not None:
            content = answer.setdefault("content", {})
            content[shape.media] = {"schema": schemas.of(shape.body)}
        told = (*shape.headers, *(RATE_HEADERS if one.cost else ()))
        if told:
            answer["headers"] = _declared(told)
        if found := links(one.id, shape.status):
            answer["links"] = found
    for status in sorted(_problem_statuses(one) - {shape.status for shape in one.answers}):
        responses[str(status)] = {"$ref": f"#/components/responses/Problem{status}"}
    responses["default"] = {"$ref": "#/components/responses/Problem500"}
    return responses


def _declared(headers: Iterable[str]) -> Schema:
    return {name: {"$ref": f"#/components/headers/{_key(name)}"} for name in headers}


def _problem_statuses(one: Operation) -> set[int]:
    """What can go wrong, from what the operation takes; none takes parameters it does not know."""
    statuses = {422, *one.problems}
    if one.path.startswith("/v1/"):
        statuses |= {400, 401, 403, 429, 503}
    if "{" in one.path:
        statuses.add(404)
    if one.body is not None:
        statuses |= {413, 415}
    return statuses


def _problem(status: int) -> Schema:
    described: Schema = {
        "description": STATUSES[status],
        "content": {MEDIA_TYPE: {"schema": {"$ref": REF.format(name="Problem")}}},
    }
    described["headers"] = _declared((*PROBLEM_HEADERS.get(status, ()), "Content-Language"))
    return described


def _key(header: str) -> str:
    return header.replace("-", "")


def operations() -> Any:
    """Every operation of the document, as (path, method, operation)."""
    for path, methods in document()["paths"].items():
        for method, described in methods.items():
            yield path, method, described
