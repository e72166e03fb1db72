"""The OpenAPI document: made from the code, committed, valid, and complete."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import msgspec
import pytest
from openapi_spec_validator import validate

from domain.commands import PLAYER_COMMANDS, PlayerCommand
from domain.events import EVENT_TYPES
from service import openapi, problems
from service.openapi_examples import REQUESTS
from service.openapi_parts import STATUSES
from service.routes import OPERATIONS

DOCUMENT = openapi.document()


def test_the_committed_document_is_the_generated_one() -> None:
    """If this fails: ``python -c 'from service import openapi; openapi.write()'``, and look."""
    assert openapi.COMMITTED.read_bytes() == openapi.text()


def test_the_document_is_valid() -> None:
    validate(DOCUMENT)

    assert DOCUMENT["openapi"].startswith("3.1")


def test_every_operation_has_an_id_of_its_own_in_camel_case() -> None:
    ids = [described["operationId"] for _, _, described in openapi.operations()]

    assert len(ids) == len(set(ids)) == len(OPERATIONS)
    assert all(re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", id) for id in ids)


def test_every_operation_says_what_it_does_and_who_may() -> None:
    tags = {tag["name"] for tag in DOCUMENT["tags"]}
    for _, _, described in openapi.operations():
        assert described["summary"] and len(described["summary"]) < 100
        assert set(described["tags"]) <= tags
        assert described["security"] in ([{"bearer": []}], [{}, {"bearer": []}])


def test_every_post_takes_an_idempotency_key() -> None:
    for path, method, described in openapi.operations():
        names = [parameter.get("$ref", "") for parameter in described["parameters"]]
        assert ("#/components/parameters/IdempotencyKey" in names) == (method == "post"), path


def test_every_parameter_of_a_query_says_what_it_is_for() -> None:
    for path, _, described in openapi.operations():
        for parameter in described["parameters"]:
            if parameter.get("in") == "query":
                assert parameter["description"], (path, parameter["name"])


def test_descriptions_speak_of_json_and_not_of_the_program() -> None:
    text = json.dumps(DOCUMENT).replace("If-None-Match", "").replace("IfNoneMatch", "")

    assert not re.search(r"\b(None|True|False|str|dict)\b", text)


def test_every_operation_says_that_it_refuses_what_it_does_not_know() -> None:
    assert all("422" in described["responses"] for _, _, described in openapi.operations())


def test_every_status_that_is_described_is_one_that_is_answered() -> None:
    assert set(STATUSES) <= {problems.status_of(code) for code in problems.ALL}


def test_every_error_is_a_problem() -> None:
    responses = DOCUMENT["components"]["responses"]
    for _, _, described in openapi.operations():
        for status, response in described["responses"].items():
            if status == "default" or (int(status) >= 400 and "$ref" in response):
                name = response["$ref"].rpartition("/")[2]
                assert responses[name]["content"].keys() == {"application/problem+json"}
            else:
                assert int(status) < 400 or described["operationId"] == "checkReady"


def test_no_schema_is_unused_and_none_is_missing() -> None:
    text = json.dumps(DOCUMENT)
    used = set(re.findall(r'"#/components/schemas/(\w+)"', text))

    assert used == set(DOCUMENT["components"]["schemas"])


def test_commands_and_events_are_told_apart_by_their_type() -> None:
    for name, members in (("PlayerCommand", PLAYER_COMMANDS), ("Event", EVENT_TYPES)):
        schema = DOCUMENT["components"]["schemas"][name]
        assert schema["discriminator"]["propertyName"] == "type"
        assert len(schema["oneOf"]) == len(schema["discriminator"]["mapping"]) == len(members)


def test_a_view_shows_no_digest_of_a_person() -> None:
    seat = DOCUMENT["components"]["schemas"]["SeatEntry"]

    assert "player" not in seat["properties"]
    assert {"player_id", "name"} <= seat["properties"].keys()


def test_requests_are_strict_in_the_document_too() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    bodies = ("NewPlayer", "NewMatch", "Join", "NewBot", "PlayCard", "Options", "AddSeed")

    assert all(schemas[name]["additionalProperties"] is False for name in bodies)


def examples() -> list[tuple[str, str, Any]]:
    return [(id, name, body) for id, named in REQUESTS.items() for name, body in named.items()]


@pytest.mark.parametrize(("operation", "name", "body"), examples())
def test_every_example_is_a_valid_request(operation: str, name: str, body: Any) -> None:
    (described,) = (one for one in OPERATIONS if one.id == operation)

    msgspec.json.decode(json.dumps(body), type=described.body)


def test_every_body_and_every_command_has_an_example() -> None:
    assert {one.id for one in OPERATIONS if one.body is not None} == REQUESTS.keys()
    shown = {body["type"] for body in REQUESTS["submitCommand"].values()}
    assert shown == {kind.__struct_config__.tag for kind in get_args(PlayerCommand)}
