"""The schemas of all bodies and answers, made from the very structs that decode and encode them."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from domain.commands import PlayerCommand
from domain.events import AnyEvent
from domain.tournaments.events import AnyTournamentEvent
from service.operation import Operation
from service.problems import Problem
from service.talk import SocketMessage, SocketRequest

REF: Final = "#/components/schemas/{name}"
Schema = dict[str, Any]

_UNIONS: Final[dict[str, Any]] = {
    "PlayerCommand": PlayerCommand,
    "Event": AnyEvent,
    "TournamentEvent": AnyTournamentEvent,
    "SocketRequest": SocketRequest,
    "SocketMessage": SocketMessage,
}
"""Tagged unions that get a name of their own."""
_ID: Final[Schema] = {"format": "uuid"}
_TIME: Final[Schema] = {"format": "date-time"}
_DIGEST: Final[Schema] = {"pattern": "^[0-9a-f]{64}$"}
_BY_NAME: Final[dict[tuple[str, str], Schema]] = {
    **{(name, "string"): _ID for name in ("match_id", "player_id", "app_id", "tournament_id")},
    **{(name, "string"): _TIME for name in ("occurred_at", "refused_at")},
    **{(name, "string"): _TIME for name in ("deadline", "not_before")},
    **{(name, "string"): _DIGEST for name in ("hash", "previous_hash")},
    **{(name, "integer"): {"minimum": 0} for name in ("version", "from_version", "seat")},
}
"""What a field of this name and type is in every answer, which types of Python do not tell."""


class Schemas:
    """Components by name, and the schema of each type in terms of them."""

    def __init__(self, operations: tuple[Operation, ...]) -> None:
        self._types = _types_of(operations)
        schemas, components = msgspec.json.schema_components(self._types, ref_template=REF)
        self._by_type = dict(zip(map(repr, self._types), schemas, strict=True))
        self._unions = {
            frozenset(_refs(self._by_type[repr(union)])): name for name, union in _UNIONS.items()
        }
        self.components: dict[str, Schema] = {
            _name(name): self._tidy(component) for name, component in components.items()
        }
        for name, union in _UNIONS.items():
            self.components[name] = self._named_union(self._by_type[repr(union)])
        self.components["Item"]["properties"]["event"] = {"$ref": REF.format(name="Event")}
        told = {"$ref": REF.format(name="TournamentEvent")}
        self.components["TournamentItem"]["properties"]["event"] = told
        # Digests are replaced by ids and names before a view is answered.
        del self.components["SeatEntry"]["properties"]["player"]

    def of(self, kind: Any) -> Schema:
        """The schema of a type, or of one of several."""
        if isinstance(kind, tuple):
            return {"oneOf": [self.of(one) for one in kind]}
        tidied: Schema = self._tidy(self._by_type[repr(kind)])
        return tidied

    def parameters(self, query: Any) -> list[Schema]:
        """The parameters that a query struct stands for."""
        component = self.components[query.__name__]
        parameters = []
        for name, schema in component["properties"].items():
            shown = _without_null(schema)
            description = shown.pop("description", "")
            parameters.append(
                {"name": name, "in": "query", "description": description, "schema": shown}
            )
        return parameters

    def drop_queries(self, queries: list[Any]) -> None:
        """Take the query structs out of the components: they show as parameters."""
        for query in queries:
            self.components.pop(query.__name__, None)

    def _tidy(self, schema: Any) -> Any:
        """References by tidy names, unions by name, ``oneOf`` where a tag tells them apart."""
        if isinstance(schema, list):
            return [self._tidy(inner) for inner in schema]
        if not isinstance(schema, dict):
            return schema
        if "discriminator" in schema and (name := self._unions.get(frozenset(_refs(schema)))):
            return {"$ref": REF.format(name=name)}
        tidied = {key: self._tidy(inner) for key, inner in schema.items()}
        if isinstance(tidied.get("properties"), dict):
            for name, inner in tidied["properties"].items():
                _refine(name, inner)
        if "$ref" in tidied:
            tidied["$ref"] = _name(tidied["$ref"])
        if isinstance(tidied.get("description"), str):
            tidied["description"] = _in_json(tidied["description"])
        return tidied

    def _named_union(self, schema: Schema) -> Schema:
        return {"oneOf": schema["anyOf"], "discriminator": schema["discriminator"]}


def _types_of(operations: tuple[Operation, ...]) -> list[Any]:
    types: dict[str, Any] = {repr(Problem): Problem}
    for union in _UNIONS.values():
        types[repr(union)] = union
    for one in operations:
        bodies = [shape.body for shape in one.answers]
        for kind in (one.body, one.query, *bodies):
            for each in kind if isinstance(kind, tuple) else (kind,):
                if each is not None:
                    types[repr(each)] = each
    return list(types.values())


def _refine(name: str, schema: Schema) -> None:
    """Say of a property what its name tells, and of a tag that it is one word."""
    for choice in schema.get("anyOf", [schema]):
        for key, value in _BY_NAME.get((name, choice.get("type", "")), {}).items():
            choice.setdefault(key, value)
    if name == "type" and len(schema.get("enum", ())) == 1:
        (tag,) = schema.pop("enum")
        schema.update(type="string", const=tag)


def _refs(schema: Schema) -> list[str]:
    return [inner.get("$ref", "") for inner in schema.get("anyOf", ())]


def _name(name: str) -> str:
    """``Page_Item_`` is a page of items: ``ItemPage``."""
    head, _, last = name.rpartition("/")
    if last.startswith("Page_"):
        last = last.removeprefix("Page_").rstrip("_") + "Page"
    return f"{head}/{last}" if head else last


def _in_json(description: str) -> str:
    """A docstring in the words of a reader of JSON."""
    return re.sub(r"(?<!-)\bNone\b(?!-)", "null", description.replace("``", "`"))


def _without_null(schema: Schema) -> Schema:
    """A parameter that may be left out: its null stands for that."""
    choices = schema.get("anyOf")
    if not choices or {"type": "null"} not in choices:
        return dict(schema)
    (shown,) = [choice for choice in choices if choice != {"type": "null"}]
    return dict(shown)
