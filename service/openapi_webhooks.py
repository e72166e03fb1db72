"""The part of the OpenAPI document on what apps are told: the requests that the service makes."""

from __future__ import annotations

from typing import Any, Final

from domain.limits import WEBHOOK_SECONDS
from domain.webhooks import OF_TOURNAMENTS, PING, NoticeType

_ID: Final = {"type": "string", "format": "uuid"}
_COUNT: Final = {"type": "integer", "minimum": 0}
_PENDING: Final = {"type": "string", "enum": ["turn", "color", "penalty"]}
_PLAYER: Final = {
    "type": "object",
    "properties": {"seat": _COUNT, "player_id": _ID},
    "required": ["seat", "player_id"],
}
_ENTRANT: Final = {
    "type": "object",
    "properties": {"entrant": _COUNT, "player_id": _ID},
    "required": ["entrant", "player_id"],
}
_YOUR_TURN: Final = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "const": NoticeType.YOUR_TURN.value},
        "seat": _COUNT,
        "pending": _PENDING,
    },
    "required": ["type", "seat", "pending"],
}


def webhooks(event: dict[str, Any], of_tournaments: dict[str, Any]) -> dict[str, Any]:
    """The requests by name; ``event`` refers to the schema of an event of a history, the other to
    that of an event of a tournament."""
    requests = {}
    for type in NoticeType:
        told = _YOUR_TURN if type is NoticeType.YOUR_TURN else event
        is_tournaments = type in OF_TOURNAMENTS
        more = _of_a_tournament(of_tournaments) if is_tournaments else _of_a_match(told)
        requests[type.value] = _request(type.value, more)
    return requests | {PING: _request(PING, {})}


def _of_a_tournament(event: dict[str, Any]) -> dict[str, Any]:
    return {
        "tournament_id": _ID,
        "version": _COUNT,
        "position": _COUNT,
        "event": event,
        "players": {"type": "array", "items": _ENTRANT},
    }


def _of_a_match(event: dict[str, Any]) -> dict[str, Any]:
    return {
        "match_id": _ID,
        "version": _COUNT,
        "position": _COUNT,
        "event": event,
        "players": {"type": "array", "items": _PLAYER},
    }


def _request(type: str, more: dict[str, Any]) -> dict[str, Any]:
    data = {"webhook_id": _ID, **more}
    properties = {
        "type": {"type": "string", "const": type},
        "timestamp": {"type": "string", "format": "date-time"},
        "data": {"type": "object", "properties": data, "required": list(data)},
    }
    body = {"type": "object", "properties": properties, "required": list(properties)}
    return {
        "post": {
            "operationId": "tell" + "".join(word.capitalize() for word in type.split("_")),
            "tags": ["Webhooks"],
            "summary": f"What an app is told as `{type}`",
            "description": "Signed as Standard Webhooks says; see `POST /v1/webhooks`.",
            "security": [{}],
            "parameters": [_header(name, text) for name, text in _HEADERS.items()],
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": {
                "2XX": {"description": f"It has arrived. To be said in {WEBHOOK_SECONDS} seconds."},
                "410": {"description": "The webhook is to be disabled."},
                "default": {"description": "It is to be delivered again later."},
            },
        }
    }


def _header(name: str, description: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "header",
        "required": True,
        "description": description,
        "schema": {"type": "string"},
    }


_HEADERS: Final = {
    "webhook-id": "The delivery's id: the same whenever it is delivered again.",
    "webhook-timestamp": "When this request was made, in seconds since the epoch.",
    "webhook-signature": "One or more of `v1,<base64>`, separated by spaces.",
}
