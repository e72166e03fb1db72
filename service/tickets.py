"""Tickets: what a page of a browser shows in a URL in place of a token, for a minute and one match.

A ticket names the token that it was made with, and opens what that token may see and do there; it
is signed and stored nowhere, so any process takes it. What it opened goes on for as long as the
token is valid.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from enum import StrEnum
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from service.call import Call
from service.identity import Caller
from service.ids import text_of
from service.play.times import SECOND
from service.problems import Code, ProblemError, fail, invalid
from service.watching import Who

TICKET_SECONDS: Final = 60
"""Time to open a stream, and to come back to it after a broken connection."""
TICKET_CHARACTERS: Final = 512
"""Twice what a ticket has."""
_MAC_BYTES: Final = 32
_KEY: Final = b"talon-ticket/1"

Ticket = Annotated[
    str,
    Meta(
        max_length=TICKET_CHARACTERS,
        description="In place of a token, where no header can be sent: from `POST /v1/tickets`.",
    ),
]


class Purpose(StrEnum):
    """What a ticket opens."""

    STREAM = "stream"
    SOCKET = "socket"


class Pass(Struct, frozen=True, array_like=True):
    """What a ticket says: for whom, for what, until when (microseconds).

    ``player`` is whom an app acts for. A guest has shown the match's invite.
    """

    purpose: Purpose
    match: bytes
    token: bytes
    player: bytes | None
    is_guest: bool
    until: int


def signed(call: Call, given: Pass) -> str:
    """The ticket that says this."""
    said = _encoder.encode(given)
    return base64.urlsafe_b64encode(_mac(call, said) + said).rstrip(b"=").decode()


async def admitted(call: Call, ticket: str | None, purpose: Purpose) -> Who:
    """Have the call be that of a ticket's holder, if there is one; how to find them out anew.

    Raises ProblemError: 401 if the ticket is not for this, or too old.
    """
    if ticket is None:
        return call.again
    if call.header(b"authorization") is not None:
        raise invalid("?ticket", "Use a token or a ticket, not both.")
    shown = _read(call, ticket)
    if (shown.purpose, shown.match) != (purpose, call.id("match_id")) or shown.until <= call.now:
        raise _refused()
    player = None if shown.player is None else text_of(shown.player)

    async def again(now: int) -> Caller:
        return await call.services.identity.holder(shown.token, player, now)

    call.caller, call.is_guest = await again(call.now), shown.is_guest
    return again


def runs_out(now: int) -> int:
    """When a ticket of this moment runs out."""
    return now + TICKET_SECONDS * SECOND


def _read(call: Call, ticket: str) -> Pass:
    """What a ticket says; raises ProblemError if it was not signed here."""
    try:
        whole = base64.urlsafe_b64decode(ticket + "=" * (-len(ticket) % 4))
        mac, said = whole[:_MAC_BYTES], whole[_MAC_BYTES:]
        if hmac.compare_digest(mac, _mac(call, said)):
            return _decoder.decode(said)
    except (binascii.Error, ValueError, msgspec.DecodeError):
        pass
    raise _refused()


def _mac(call: Call, said: bytes) -> bytes:
    key = hmac.digest(call.services.fingerprint_key, _KEY, "sha256")
    return hmac.digest(key, said, "sha256")


def _refused() -> ProblemError:
    return fail(
        Code.TICKET_INVALID,
        "Get a new one from POST /v1/tickets: this one has run out, or is for something else.",
        headers={"WWW-Authenticate": 'Bearer realm="talon", error="invalid_token"'},
    )


_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(Pass)
