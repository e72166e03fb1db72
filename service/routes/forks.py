"""Forks: what if, from a point of a match that is over."""

from __future__ import annotations

import secrets
from typing import Final

from litestar.types import ASGIApp
from msgspec import Struct

from domain.commands import ActorKind, PlaceMatch
from domain.deal import shuffled
from domain.events import Pending, Seat, Visibility
from domain.match import Match, Status
from domain.options import Options
from domain.placement import SALT_BYTES as POSITION_SALT_BYTES
from domain.placement import Placement
from domain.placing import faults
from domain.ports import MatchFacts
from domain.views import TableView
from service import access, versions
from service.call import Call
from service.idempotency import planned, replayed
from service.ids import new_id, text_of
from service.operation import Needs, Operation, Shape, operation
from service.play.command_ids import command_id
from service.play.contract import NoMatch
from service.problems import Code, ProblemError, fail, invalid
from service.quota import SET_UP_COST, require_room_for_a_match
from service.reply import as_json
from service.routes.matches import ONE_CREATION, location_of, require_sound_rules
from service.seating import SALT_BYTES, get_up_if_erased, new_holder, seat_held
from service.wire import Fork, MatchEntered


class ForkPlan(Struct, frozen=True):
    """What is random about a fork: the same again for a retry."""

    match: bytes
    salt: bytes
    position_salt: bytes


@operation(
    "POST",
    "/v1/matches/{match_id}/forks",
    tag="Matches",
    needs=Needs.PLAYER,
    answers=(
        Shape(
            201,
            MatchEntered,
            says="The fork runs.",
            headers=("Location", "ETag", "Idempotent-Replayed"),
        ),
    ),
    problems=(404, 409),
    takes=("Talon-Invite",),
    cost=SET_UP_COST,
)
async def fork_match(call: Call, body: Fork) -> ASGIApp:
    """Play on from a point of a match that is over: what if?

    The fork is a match for practice, with the hands of that version, against bots. It begins
    where a seat is to play or to draw, everybody is still in, and nothing else is due. The cards
    that nobody had drawn are shuffled anew, unless `open`. One plays one's own seat, or the one
    named; who had none and names none takes the one whose turn it was.
    """
    match = call.id("match_id")
    looked = await access.seen(call, match)
    if not await _is_over(call, match, looked):
        raise fail(Code.MATCH_NOT_OVER, "There are forks once the match is over.")
    try:
        if looked.delay and body.version > looked.view.version:
            raise NoMatch
        point = await call.services.play.state_at(match, body.version)
    except NoMatch:
        raise fail(Code.NO_SUCH_VERSION, f"The match has no version {body.version}.") from None
    options = point.options if body.rules is None else body.rules
    if body.rules is not None:
        require_sound_rules(call, options, len(point.seats))
    seat = _seat_of(body, point, looked)
    plan, is_again = await planned(call, ForkPlan, _new_plan)
    placement = _placement(point, plan, is_open=body.open)
    if wrong := faults(placement, options):
        raise invalid("#/rules" if body.rules else "#/version", wrong[0].says)
    await require_room_for_a_match(call, plan.match)
    view = await _set_up(call, body, plan, point, options, placement, seat)
    named = await call.services.rosters.named(plan.match, view, call.now)
    answer = MatchEntered(text_of(plan.match), view.version, seat, named)
    headers = (*location_of(plan.match), *versions.headers(view.version, seat))
    return as_json(answer, 201, (*headers, *replayed(is_again)))


async def _is_over(call: Call, match: bytes, looked: access.Seen) -> bool:
    """Whether the match is over, as far as the caller may know by now."""
    if looked.delay:
        return looked.view.status not in (Status.OPEN, Status.RUNNING)
    return (await call.services.play.folded(match)).match.is_over


def _seat_of(body: Fork, point: Match, looked: access.Seen) -> Seat:
    """Which seat the caller plays; raises ProblemError where the match cannot go on from."""
    round = point.round
    if point.status is not Status.RUNNING or round is None:
        raise _no_fork()
    is_plain = round.pending is Pending.TURN and not round.has_drawn and round.uno_owed is None
    everybody = len(round.order) == len(point.seats) and not point.away
    if not is_plain or not everybody or round.unfit is not None or round.passes:
        raise _no_fork()
    if body.seat is not None and body.seat >= len(point.seats):
        raise invalid("#/seat", f"The seats are 0 to {len(point.seats) - 1}.")
    if body.seat is not None:
        return body.seat
    return round.turn if looked.seat is None else looked.seat


def _no_fork() -> ProblemError:
    return fail(
        Code.NO_FORK_HERE,
        "A fork begins where a seat is to play or draw, everybody is in and nothing else is due.",
    )


def _placement(point: Match, plan: ForkPlan, *, is_open: bool) -> Placement:
    """The position of a version."""
    round = point.round
    assert round is not None
    pile = round.pile[round.drawn :]
    return Placement(
        hands=round.hands,
        top=round.top,
        turn=round.turn,
        color=round.color if round.top.is_wild else None,
        discard=round.discard[-2::-1],
        pile=pile if is_open else shuffled(tuple(sorted(pile)), plan.position_salt, 0),
        exact=True,
        dealer=round.dealer,
        direction=round.direction,
        scores=point.scores,
        said_uno=round.uno_said,
        round=round.number,
    )


async def _set_up(
    call: Call,
    body: Fork,
    plan: ForkPlan,
    point: Match,
    options: Options,
    placement: Placement,
    seat: Seat,
) -> TableView:
    """Create the match; the caller's view of its beginning, a retry's too."""
    registry, play = call.services.registry, call.services.play
    hidden = point.visibility is Visibility.PRIVATE
    nobodys = secrets.token_bytes(32) if hidden else None  # the hash of an invite nobody has
    await registry.add_match(MatchFacts(plan.match, call.player, None, nobodys, ()))
    digest = await seat_held(call.services, new_holder(plan.match, call.player, plan.salt))
    players = tuple(digest if place == seat else None for place in range(len(point.seats)))
    done = await play.place(
        plan.match,
        PlaceMatch(
            options, players, placement, plan.position_salt, point.visibility, bot=body.bots
        ),
        command_id(plan.match, ActorKind.SERVICE, None, ONE_CREATION),
    )
    await get_up_if_erased(call.services, plan.match, call.player, digest)
    return await play.view_at(plan.match, None, done.version, player=digest)


def _new_plan() -> ForkPlan:
    return ForkPlan(
        new_id(), secrets.token_bytes(SALT_BYTES), secrets.token_bytes(POSITION_SALT_BYTES)
    )


OPERATIONS: Final[tuple[Operation, ...]] = (fork_match,)
