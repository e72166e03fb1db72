"""Rematches: the same people, bots and rules once more."""

from __future__ import annotations

from typing import Final

from litestar.types import ASGIApp
from msgspec.structs import replace

from domain.commands import ActorKind, CreateMatch
from domain.match import Match
from domain.refusals import Refusal, RuleViolation
from service import access, versions
from service.acting import digest_of_host
from service.call import Call
from service.errors import refused
from service.ids import new_id, text_of
from service.joining import members, sit_down
from service.operation import Needs, Operation, Shape, operation
from service.play.command_ids import command_id
from service.play.contract import NoMatch
from service.problems import Code, fail
from service.quota import SET_UP_COST, require_room_for_a_match
from service.reply import as_json
from service.seating import get_up_if_erased, new_holder, seat_held
from service.wire import MatchEntered

_ONE_CREATION: Final = "\0create"
"""The key of every creation; no client can send it: theirs are printable."""
_HEADERS: Final = ("Location", "ETag")


@operation(
    "POST",
    "/v1/matches/{match_id}/rematch",
    tag="Matches",
    needs=Needs.TOKEN,
    answers=(
        Shape(201, MatchEntered, says="The rematch is set up.", headers=_HEADERS),
        Shape(
            200, MatchEntered, says="There was one already; one has a seat in it.", headers=_HEADERS
        ),
    ),
    problems=(404, 409),
    cost=SET_UP_COST,
)
async def play_again(call: Call) -> ASGIApp:
    """Play again: the same rules, bots and people.

    A match has one rematch. Who asks first is its host; everybody who played in the match takes a
    seat by asking for the same, or by joining it, a private one too, without its invite. Until
    they have, their seats are kept for them; a bot may be seated in place of who does not come.
    The app that set the match up may ask, too.
    """
    match = call.id("match_id")
    await digest_of_host(call, match)
    before = (await call.services.play.folded(match)).match
    if call.caller.player is not None and call.player not in await members(call, match):
        raise refused(Refusal.SEAT_MUST_BE_YOURS)
    if not before.is_over:
        raise fail(Code.MATCH_NOT_OVER, "There is a rematch once the match is over.")
    rematch = await call.services.registry.rematch(match, new_id())
    await require_room_for_a_match(call, rematch)
    is_new = await _created(call, before, rematch)
    looked = await access.seen(call, rematch)
    if call.caller.player is not None and looked.seat is None:
        done = await sit_down(call, rematch, looked)
        looked = await access.seen(call, rematch, done.version)
    view = await call.services.rosters.named(rematch, looked.view, call.now)
    answer = MatchEntered(text_of(rematch), looked.view.version, looked.seat, view)
    location = ("Location", f"/v1/matches/{text_of(rematch)}")
    headers = (location, *versions.headers(looked.view.version, looked.viewer))
    return as_json(answer, 201 if is_new else 200, headers)


async def _created(call: Call, before: Match, rematch: bytes) -> bool:
    """Set the rematch up with the caller as its host, unless somebody has done so."""
    services, player = call.services, call.caller.player
    try:
        await services.play.folded(rematch)
        return False
    except NoMatch:
        pass
    facts = (await services.rosters.of(before.id, call.now)).facts
    assert facts is not None
    await services.registry.add_match(
        replace(facts, match=rematch, created_by=player, rematch_of=before.id, tournament=None)
    )
    digest = None
    if player is not None:
        digest = await seat_held(services, new_holder(rematch, player))
    kind = ActorKind.APP if digest is None else ActorKind.SEAT
    create = CreateMatch(
        before.options,
        before.seats_total,
        before.visibility,
        digest,
        practice=before.practice,
        bots=tuple(seat.bot for seat in before.seats if seat.bot is not None),
    )
    id = command_id(rematch, kind, digest, _ONE_CREATION)
    try:
        done = await services.play.create(rematch, create, id)
    except RuleViolation:
        return False  # another was faster
    if player is not None and digest is not None:
        await get_up_if_erased(services, rematch, player, digest)
    return not done.replayed


OPERATIONS: Final[tuple[Operation, ...]] = (play_again,)
