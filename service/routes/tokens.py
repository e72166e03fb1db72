"""A player's tokens: making them, seeing which there are, and ending them."""

from __future__ import annotations

from typing import Final

from litestar.types import ASGIApp
from msgspec import Struct

from domain.ports import Principal
from service.call import Call
from service.idempotency import planned, replayed
from service.identity import Kind, new_token, token_hash
from service.key_forms import NewToken, TokenLine, TokenMade
from service.operation import Needs, Operation, Shape, operation
from service.reply import as_json, no_content
from service.tokens import lasting, lines, made, revoke
from service.wire import Page


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
    lasts = await lasting(call, body.expires_in, own_limit=call.caller.kind is not Kind.APP)
    plan, is_again = await planned(call, TokenPlan, lambda: TokenPlan(new_token(), lasts))
    await call.services.registry.add_token(
        token_hash(plan.token), _owner(call), call.now, plan.until
    )
    return as_json(made(plan.token, plan.until), 201, replayed(is_again))


@operation(
    "GET",
    "/v1/players/me/tokens",
    tag="Players",
    needs=Needs.PLAYER,
    answers=(Shape(200, Page[TokenLine]),),
)
async def list_tokens(call: Call) -> ASGIApp:
    """List one's valid tokens, newest first: when they were made and run out, never themselves."""
    return as_json(Page(await lines(call, _owner(call)), None))


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
    await revoke(call, _owner(call))
    return no_content()


def _owner(call: Call) -> Principal:
    return Principal(Kind.PLAYER, call.player)


OPERATIONS: Final[tuple[Operation, ...]] = (create_token, list_tokens, revoke_token)
