"""Players: creating one, oneself, tokens, and what everybody may know of a person."""

from __future__ import annotations

from typing import Final

from litestar.types import ASGIApp
from msgspec import Struct

from domain.ports import Player, Unavailable
from service.call import Call, not_found
from service.finish import LIMITS
from service.idempotency import planned, replayed
from service.identity import Kind, new_token, token_hash
from service.ids import new_id, text_of
from service.leaving import leave_everything
from service.operation import Needs, Operation, Shape, operation
from service.play.times import rfc3339
from service.problems import Code, fail
from service.reply import as_json, no_content
from service.wire import (
    Me,
    NewPlayer,
    PlayerMade,
    Profile,
    Rename,
    Statistics,
)


class PlayerPlan(Struct, frozen=True):
    """A new person's id and token: the same again for a retry."""

    player: bytes
    token: str


@operation(
    "POST",
    "/v1/players",
    tag="Players",
    answers=(
        Shape(
            201,
            PlayerMade,
            says="The player; the token is shown this once.",
            headers=("Location", "Idempotent-Replayed"),
        ),
    ),
    problems=(403,),
)
async def create_player(call: Call, body: NewPlayer) -> ASGIApp:
    """Create a player and a token.

    Anybody may where registration is open; else only an app. An app's players are its own: it may
    act for them. Without a token, `Idempotency-Key` must be a UUID.
    """
    app = await admitted_to_register(call, 1)
    plan, is_again = await planned(call, PlayerPlan, lambda: PlayerPlan(new_id(), new_token()))
    person = Player(plan.player, body.name, app, call.now)
    await call.services.registry.add_player(person, token_hash(plan.token))
    player_id = text_of(plan.player)
    headers = (("Location", f"/v1/players/{player_id}"), *replayed(is_again))
    return as_json(PlayerMade(player_id, plan.token), 201, headers)


async def admitted_to_register(call: Call, players: int) -> bytes | None:
    """The app whose the new players will be, None for nobody's.

    Raises ProblemError: 403 for who may make none, 429 for an address that has made too many, 503
    while nobody can tell.
    """
    app = call.caller.id if call.caller.kind is Kind.APP else None
    if app is None:
        if not call.services.settings.open_registration:
            raise fail(Code.REGISTRATION_CLOSED, "Use an app's token.")
        limits = call.services.limits
        told = await limits.spend(limits.registration, call.address, players, call.now)
        call.scope["state"][LIMITS] = told
    return app


@operation("GET", "/v1/players/me", tag="Players", needs=Needs.PLAYER, answers=(Shape(200, Me),))
async def get_me(call: Call) -> ASGIApp:
    """Read who one is here."""
    return _me(await _person(call, call.player))


@operation("PATCH", "/v1/players/me", tag="Players", needs=Needs.PLAYER, answers=(Shape(200, Me),))
async def rename_me(call: Call, body: Rename) -> ASGIApp:
    """Change one's name; every match shows the new one."""
    await call.services.registry.rename_player(call.player, body.name)
    call.services.rosters.forget(call.player)
    return _me(await _person(call, call.player))


@operation(
    "DELETE",
    "/v1/players/me",
    tag="Players",
    needs=Needs.PLAYER,
    answers=(Shape(204, says="The person is erased."),),
)
async def erase_me(call: Call) -> ASGIApp:
    """Leave all matches and be erased: name, tokens, and which seats were one's own.

    The histories of the matches stay, and stay valid: no name is in them.
    """
    services = call.services
    await services.registry.begin_erasure(call.player)  # first: then nobody sits down any more
    await services.queue.forget(call.player)
    await leave_everything(call)
    await services.registry.erase_player(call.player)
    services.identity.forget(call.player)
    services.rosters.forget(call.player)
    await services.tallies.forget(call.player)
    await services.rankings.forget(call.player)
    return no_content()


@operation(
    "GET",
    "/v1/players/{player_id}",
    tag="Players",
    answers=(Shape(200, Profile),),
    problems=(404,),
)
async def get_player(call: Call) -> ASGIApp:
    """Read what everybody may know of a player."""
    person = await _person(call, call.id("player_id"))
    assert person.name is not None
    return as_json(
        Profile(
            text_of(person.id),
            person.name,
            rfc3339(person.created_at),
            await _statistics(call, person.id),
        )
    )


async def _person(call: Call, player: bytes) -> Player:
    person = (await call.services.registry.players((player,))).get(player)
    if person is None or person.name is None:
        raise not_found()
    return person


async def _statistics(call: Call, player: bytes) -> Statistics | None:
    try:
        totals = await call.services.tallies.statistics(player)
    except Unavailable:
        return None
    figures = [one.figures for one in totals if not one.with_bots]
    return Statistics(sum(one.points for one in figures), sum(one.matches_won for one in figures))


def _me(person: Player) -> ASGIApp:
    assert person.name is not None
    return as_json(
        Me(text_of(person.id), person.name, rfc3339(person.created_at), person.app is not None)
    )


OPERATIONS: Final[tuple[Operation, ...]] = (
    create_player,
    get_me,
    rename_me,
    erase_me,
    get_player,
)
