"""A player's tokens: making them, seeing which there are, and ending them.

A token is known by the beginning of its hash: that leads nowhere, and needs no storage.
"""

from __future__ import annotations

from typing import Final

from litestar.types import ASGIApp
from msgspec import Struct

from domain.limits import PAGE_ITEMS
from domain.ports import Principal, TokenFacts
from service.call import Call, not_found
from service.idempotency import planned, replayed
from service.identity import Kind, new_token, token_hash, token_in, token_invalid
from service.operation import Needs, Operation, Shape, operation
from service.play.times import SECOND, rfc3339
from service.reply import as_json, no_content
from service.wire import NewToken, Page, TokenLine, TokenMade

ID_BYTES: Final = 16
CURRENT: Final = "current"
"""In place of an id: the token that the request came with."""


class TokenPlan(Struct, frozen=True):
    """A new token and when it runs out: the same again for a retry."""

    token: str
    until: int | None


@operation(
    "POST",
    "/v1/players/me/tokens",
    tag="Players",
    needs=Needs.PLAYER,
    answers=(
        Shape(
            201,
            TokenMade,
            says="The token is shown this once.",
            headers=("Idempotent-Replayed",),
        ),
    ),
)
async def create_token(call: Call, body: NewToken = NewToken()) -> ASGIApp:  # noqa: B008
    """Make another token for oneself, for another device say; an app does so for its players.

    It lasts as long as `expires_in` says, and no longer than the player's token that asks for it:
    `expires_at` tells. Made by an app's key, it may last as long as the app likes.
    """
    lasts = await _lasting(call, body)
    plan, is_again = await planned(call, TokenPlan, lambda: TokenPlan(new_token(), lasts))
    digest = token_hash(plan.token)
    await call.services.registry.add_token(digest, _owner(call), call.now, plan.until)
    made = TokenMade(plan.token, _moment(plan.until), _id_of(digest))
    return as_json(made, 201, replayed(is_again))


@operation(
    "GET",
    "/v1/players/me/tokens",
    tag="Players",
    needs=Needs.PLAYER,
    answers=(Shape(200, Page[TokenLine]),),
)
async def list_tokens(call: Call) -> ASGIApp:
    """List one's valid tokens, newest first: when they were made and run out, never themselves."""
    current = _current(call)
    items = tuple(
        TokenLine(
            _id_of(one.hash), rfc3339(one.created_at), _moment(one.until), one.hash == current
        )
        for one in await _tokens(call)
    )
    return as_json(Page(items, None))


@operation(
    "DELETE",
    "/v1/players/me/tokens/{token_id}",
    tag="Players",
    needs=Needs.PLAYER,
    answers=(Shape(204, says="The token is no longer valid."),),
    problems=(404,),
)
async def revoke_token(call: Call) -> ASGIApp:
    """End one of one's tokens; `current` stands for the one that this request comes with.

    It may be honored for five more seconds where it was used a moment ago.
    """
    asked, current = call.path["token_id"], _current(call)
    for one in await _tokens(call):
        if asked == _id_of(one.hash) or (asked == CURRENT and one.hash == current):
            await call.services.registry.revoke_token(one.hash, _owner(call), call.now)
            call.services.identity.forget_token(one.hash)
            return no_content()
    raise not_found()


async def _lasting(call: Call, body: NewToken) -> int | None:
    """When a new token runs out. A token that was revoked a moment ago makes none."""
    asked = None if body.expires_in is None else call.now + body.expires_in * SECOND
    own = await call.services.registry.token(_current(call), call.now)
    if own is None:
        raise token_invalid()
    if own.until is None or call.caller.kind is Kind.APP:
        return asked
    return own.until if asked is None else min(asked, own.until)


async def _tokens(call: Call) -> tuple[TokenFacts, ...]:
    return await call.services.registry.tokens_of(_owner(call), call.now, PAGE_ITEMS)


def _owner(call: Call) -> Principal:
    return Principal(Kind.PLAYER, call.player)


def _current(call: Call) -> bytes:
    return token_hash(token_in(call.header(b"authorization") or ""))


def _id_of(digest: bytes) -> str:
    return digest[:ID_BYTES].hex()


def _moment(time: int | None) -> str | None:
    return None if time is None else rfc3339(time)


OPERATIONS: Final[tuple[Operation, ...]] = (create_token, list_tokens, revoke_token)
