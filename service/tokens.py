"""Tokens as their owners handle them: made, listed, ended.

A token is known by the beginning of its hash: that leads nowhere, and needs no storage.
"""

from __future__ import annotations

from typing import Final

from domain.limits import PAGE_ITEMS
from domain.ports import Principal, TokenFacts
from service.call import Call, not_found
from service.identity import token_hash, token_in, token_invalid
from service.key_forms import TokenLine, TokenMade
from service.play.times import SECOND, rfc3339

ID_BYTES: Final = 16
CURRENT: Final = "current"
"""In place of an id: the token that the request came with."""


async def lasting(call: Call, seconds: int | None, *, own_limit: bool) -> int | None:
    """When a new token runs out, None if never; with ``own_limit`` not after the one that asks.

    A token that was revoked a moment ago makes none: raises ProblemError (401).
    """
    asked = None if seconds is None else call.now + seconds * SECOND
    own = await call.services.registry.token(_current(call), call.now)
    if own is None:
        raise token_invalid()
    if own.until is None or not own_limit:
        return asked
    return own.until if asked is None else min(asked, own.until)


def made(token: str, until: int | None) -> TokenMade:
    """A new token as it is answered, this once."""
    return TokenMade(token, _moment(until), _id_of(token_hash(token)))


async def lines(call: Call, owner: Principal) -> tuple[TokenLine, ...]:
    """The valid tokens of an owner, newest first."""
    current = _current(call)
    return tuple(
        TokenLine(
            _id_of(one.hash), rfc3339(one.created_at), _moment(one.until), one.hash == current
        )
        for one in await _valid(call, owner)
    )


async def revoke(call: Call, owner: Principal) -> None:
    """End the owner's token that the path names; raises ProblemError (404)."""
    asked, current = call.path["token_id"], _current(call)
    for one in await _valid(call, owner):
        if asked == _id_of(one.hash) or (asked == CURRENT and one.hash == current):
            await call.services.registry.revoke_token(one.hash, owner, call.now)
            call.services.identity.forget_token(one.hash)
            return
    raise not_found()


async def _valid(call: Call, owner: Principal) -> tuple[TokenFacts, ...]:
    return await call.services.registry.tokens_of(owner, call.now, PAGE_ITEMS)


def _current(call: Call) -> bytes:
    return token_hash(token_in(call.header(b"authorization") or ""))


def _id_of(digest: bytes) -> str:
    return digest[:ID_BYTES].hex()


def _moment(time: int | None) -> str | None:
    return None if time is None else rfc3339(time)
