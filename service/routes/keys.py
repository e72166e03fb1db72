"""The keys of those who are no players: an app's, an auditor's, an operator's.

An owner has several at a time: a new one is made, put in place, and then the old one ended.
"""

from __future__ import annotations

from typing import Final

from litestar.types import ASGIApp
from msgspec import UNSET, Struct

from domain.ports import Principal
from service.call import Call
from service.idempotency import planned, replayed
from service.identity import Kind, new_token, token_hash
from service.ids import id_in, new_id, text_of
from service.key_forms import KeyMade, NewKey, TokenLine
from service.operation import Needs, Operation, Shape, operation
from service.problems import Code, ProblemError, fail, invalid
from service.reply import as_json, no_content
from service.tokens import lasting, lines, made, revoke
from service.wire import Page


class KeyPlan(Struct, frozen=True):
    """A new key, when it runs out and whose it is: the same again for a retry."""

    token: str
    until: int | None
    owner: bytes


@operation(
    "POST",
    "/v1/keys",
    tag="Keys",
    needs=Needs.TOKEN,
    answers=(
        Shape(201, KeyMade, says="The key is shown this once.", headers=("Idempotent-Replayed",)),
    ),
)
async def create_key(call: Call, body: NewKey = NewKey()) -> ASGIApp:  # noqa: B008 - frozen
    """Make another key for oneself, or, as an operator, one for somebody new.

    Without `kind` it is one's own: the old key stays valid until it is ended, so that nothing
    stops in between. With `kind` an operator makes an app, an auditor or another operator; with an
    `app_id` a key for an app that is there, as when it has lost its own. No key outlasts the one
    that makes it.
    """
    owner = _owner(call)
    if body.kind is not None and owner.kind != Kind.OPERATOR:
        raise fail(Code.NOT_ALLOWED, "Only an operator makes keys for others.")
    if (body.kind == Kind.APP) != (body.name is not None or body.app_id is not None):
        raise invalid("#/name", "An app has a name, and nobody else.")
    lasts = await lasting(call, body.expires_in, own_limit=True)
    whose = owner.id if body.kind is None else await _app_named(call, body) or new_id()
    plan, is_again = await planned(call, KeyPlan, lambda: KeyPlan(new_token(), lasts, whose))
    if body.name is not None:
        await call.services.registry.add_app(plan.owner, body.name)
    kind = owner.kind if body.kind is None else body.kind
    await call.services.registry.add_token(
        token_hash(plan.token), Principal(kind, plan.owner), call.now, plan.until
    )
    token = made(plan.token, plan.until)
    app = text_of(plan.owner) if kind == Kind.APP else UNSET
    answer = KeyMade(kind, token.token, token.expires_at, token.token_id, app)
    return as_json(answer, 201, replayed(is_again))


@operation("GET", "/v1/keys", tag="Keys", needs=Needs.TOKEN, answers=(Shape(200, Page[TokenLine]),))
async def list_keys(call: Call) -> ASGIApp:
    """List one's valid keys, newest first: when they were made and run out, never themselves."""
    return as_json(Page(await lines(call, _owner(call)), None))


@operation(
    "DELETE",
    "/v1/keys/{token_id}",
    tag="Keys",
    needs=Needs.TOKEN,
    answers=(Shape(204, says="The key is no longer valid."),),
    problems=(404,),
)
async def revoke_key(call: Call) -> ASGIApp:
    """End one of one's keys; `current` stands for the one that this request comes with.

    It may be honored for five more seconds where it was used a moment ago.
    """
    await revoke(call, _owner(call))
    return no_content()


async def _app_named(call: Call, body: NewKey) -> bytes | None:
    """The app that a key is for, None for a new one; raises ProblemError (422)."""
    if body.app_id is None:
        return None
    if body.name is not None:
        raise invalid("#/name", "An app that is there has its name already.")
    app = id_in(body.app_id)
    if app is None or not await call.services.registry.is_app(app):
        raise invalid("#/app_id", "There is no such app.")
    return app


def _owner(call: Call) -> Principal:
    """Whose keys they are; raises ProblemError (403) for a player."""
    if call.caller.player is not None:
        raise _no_player()
    return Principal(call.caller.kind, call.caller.id)


def _no_player() -> ProblemError:
    return fail(Code.NOT_ALLOWED, "A player's tokens are at /v1/players/me/tokens.")


OPERATIONS: Final[tuple[Operation, ...]] = (create_key, list_keys, revoke_key)
