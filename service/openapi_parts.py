"""The parts of the OpenAPI document that are written by hand: texts, headers, statuses."""

from __future__ import annotations

from typing import Any, Final

DESCRIPTION: Final = """\
Anybody's client plays, watches, replays and audits matches here.

A match is a history of events; every command that is accepted appends some and answers the new
version, the events, the caller's view and a receipt. Cards are strings: `R5` is a color letter
(`R Y G B`) and a face (`0`-`9`, `S` skip, `R` reverse, `D` draw two); `W` is a wild, `W4` a wild
draw four. Errors are problems (RFC 9457) with a stable `code`; refusals by the rules cite the
`rule`; their texts are in English or French (`Accept-Language`). Every POST takes an
`Idempotency-Key`, so that it can be sent again without harm.

Answers may gain fields, and histories may gain types of events: ignore what you do not know.
"""

TAGS: Final = {
    "Players": "People: creating one, oneself, tokens, profiles.",
    "Keys": "The keys of apps, auditors and operators.",
    "Webhooks": "Where apps are told what happens, and what they were told.",
    "Matches": "Setting up a table, sitting down, starting, finding matches.",
    "Tournaments": "Setting one up, entering, tables, standings, history.",
    "Play": "What one sees and does in a match.",
    "History": "The events of a match: pages, lines, and a live stream.",
    "Sandbox": "Positions put on the table, for tests of clients and of rules.",
    "Leaderboards": "Ranks over finished matches.",
    "Audit": "What an auditor holds against the log.",
    "Reference": "Rules, cards, limits, problems: what answers cite.",
    "Health": "Whether the service lives and can serve.",
}

EXTENSIONS: Final[dict[str, dict[str, Any]]] = {
    "openMatchSocket": {
        "x-websocket": {
            "client": {"$ref": "#/components/schemas/SocketRequest"},
            "service": {"$ref": "#/components/schemas/SocketMessage"},
        }
    }
}
"""What OpenAPI has no words for: the messages of a socket, each a text of JSON."""

STATUSES: Final = {
    400: "The request is malformed: its JSON, or a header.",
    401: "A token is missing, unknown, revoked or has run out.",
    403: "The token may not do this, or the caller has no seat in this match.",
    404: "There is nothing here, or it is not the caller's.",
    409: "Refused in this state; refusals by the rules say which rule, and what may be played.",
    412: "The match is at another version: it has moved on, or has not come so far yet.",
    413: "The body is larger than 16 KiB.",
    426: "This is a WebSocket: ask for the upgrade.",
    415: "The body is not declared as JSON.",
    422: "A field is invalid (`errors`), or the idempotency key came with another request.",
    429: "The caller has asked for too much; there is room again in `Retry-After` seconds.",
    500: "Any other problem.",
    503: "The log is away or too busy; try again after `Retry-After` seconds.",
}


def _header(name: str, description: str, **schema: Any) -> dict[str, Any]:
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": {"type": "string", **schema},
    }


REQUEST_HEADERS: Final = {
    "Idempotency-Key": _header(
        "Idempotency-Key",
        "Makes a repetition safe: the same key and body give the first answer again. Bare or "
        "quoted; a UUID where there is no token.",
        maxLength=255,
        pattern="^[!#-~]([ !#-~]*[!#-~])?$",
        examples=["8e03978e-40d5-43e8-bc93-6894a57f9324"],
    ),
    "If-Match": _header(
        "If-Match",
        "An `ETag` of this match, or its version in quotes: 412 if the match has moved on.",
        examples=['"17.2"', '"17"'],
    ),
    "If-None-Match": _header(
        "If-None-Match", "An `ETag` seen before: 304 if nothing has changed.", examples=['"17.2"']
    ),
    "Last-Event-ID": _header("Last-Event-ID", "The version of the last event received."),
    "Accept-Language": _header("Accept-Language", "`en` or `fr`.", examples=["fr"]),
    "Talon-Invite": _header("Talon-Invite", "The invite to a private match."),
    "Talon-Player": _header(
        "Talon-Player", "With an app's token: the player of the app that acts.", format="uuid"
    ),
}
"""Those that OpenAPI wants declared; ``Accept`` shows in the answers' media types."""

ANSWER_HEADERS: Final = {
    "ETag": {
        "description": "`<version>.<seat>`; `s` for a spectator, `a` for an auditor.",
        "schema": {"type": "string"},
    },
    "Location": {"description": "Where it stands.", "schema": {"type": "string"}},
    "Link": {
        "description": 'The next page, with `rel="next"`.',
        "schema": {"type": "string"},
    },
    "Idempotent-Replayed": {
        "description": "`true` if this is the first answer again.",
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": "What is left of a policy (`r`), and the seconds until all is there again "
        "(`t`). Not there where nothing is limited.",
        "schema": {"type": "string"},
        "example": '"player";r=29980;t=1',
    },
    "RateLimit-Policy": {
        "description": "The policy's quota (`q`) and the seconds in which it fills (`w`).",
        "schema": {"type": "string"},
        "example": '"player";q=30000;w=60',
    },
    "Retry-After": {
        "description": "Seconds after which the same may be asked for again.",
        "schema": {"type": "string"},
    },
    "Content-Language": {
        "description": "The language of the texts.",
        "schema": {"type": "string", "enum": ["en", "fr"]},
    },
}

RATE_HEADERS: Final = ("RateLimit", "RateLimit-Policy")
"""Told with every answer of an operation that is limited."""
PROBLEM_HEADERS: Final = {429: ("Retry-After", *RATE_HEADERS), 503: ("Retry-After",)}
"""By status, the headers that come with its problems; the language comes with all."""
