"""The socket of a match, as far as HTTP goes: who asks without an upgrade is told to."""

from __future__ import annotations

from typing import Final

from litestar.types import ASGIApp

from service import access
from service.call import Call
from service.operation import Operation, Shape, operation
from service.problems import Code, fail
from service.routes.history import After
from service.tickets import Purpose, Ticket, admitted
from service.wire import Request


class SocketQuery(Request, frozen=True):
    """Where to begin, and a ticket in place of a token."""

    after: After = 0
    ticket: Ticket | None = None


@operation(
    "GET",
    "/v1/matches/{match_id}/socket",
    tag="Play",
    answers=(
        Shape(101, says="The socket is open: text messages of JSON both ways."),
        Shape(200, says="The same over HTTP/2 (RFC 8441), by a proxy."),
    ),
    problems=(404, 412, 426),
    takes=("Talon-Invite",),
)
async def open_match_socket(call: Call, query: SocketQuery) -> ASGIApp:
    """Follow a match and act in it over one WebSocket.

    The service tells `SocketMessage`s: the items of the stream, from `after` on, and answers; the
    client says `SocketRequest`s: commands whose `id` is their idempotency key, one carried out
    after the other. Why the socket is closed is told before, and by its code: 1000
    `match_over`, 1012 `service_stopping`, 1011 `try_again`, 4401 `token_invalid`, 4404
    `not_yours`, 4408 `too_slow`; 1003 for a message that is no text, 1009 for one over 16 KiB.
    """
    await admitted(call, query.ticket, Purpose.SOCKET)
    await access.seen(call, call.id("match_id"), query.after)
    raise fail(
        Code.UPGRADE_REQUIRED,
        "Ask for the upgrade of a WebSocket (Upgrade: websocket).",
        headers={"Upgrade": "websocket", "Connection": "Upgrade"},
    )


OPERATIONS: Final[tuple[Operation, ...]] = (open_match_socket,)
