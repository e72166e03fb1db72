"""Before the start: taking seats, giving them up, seating bots, starting."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar.types import ASGIApp

from domain.commands import LeaveSeat, SeatBot, StartMatch
from domain.events import Seat
from domain.refusals import Refusal
from service import access
from service.acting import (
    answer_of,
    ask_of,
    digest_of_host,
    digest_of_player,
    execute,
    seat_in,
)
from service.call import Call
from service.joining import sit_down
from service.operation import Needs, Operation, Shape, operation
from service.problems import ProblemError
from service.quota import require_room_for_a_match
from service.reply import as_json
from service.wire import CommandDone, Join, NewBot, Seated

_HEADERS: Final = ("ETag", "Idempotent-Replayed")
_DONE: Final = Shape(200, CommandDone, headers=_HEADERS)
_SEATED: Final = Shape(200, Seated, says="The seat is taken.", headers=_HEADERS)
_CONFLICTS: Final = (404, 409, 412)
_LEAVE_INSTEAD: Final = (
    'The match has started: leave it by the command {"type": "leave"}, POST …/commands.'
)
_ONE_START: Final = "\0start"
"""The key of every start: a second one is a repetition of the first, whatever its own key. No
client can send it: their keys are printable."""


@operation(
    "POST",
    "/v1/matches/{match_id}/seats",
    tag="Matches",
    needs=Needs.PLAYER,
    answers=(_SEATED,),
    problems=_CONFLICTS,
    takes=("If-Match", "Talon-Invite"),
)
async def join_match(call: Call, body: Join = Join()) -> ASGIApp:  # noqa: B008 - frozen
    """Take the lowest free seat.

    Who sits at the table already keeps that seat. A private match asks for its invite, in the
    body or in `Talon-Invite`. In a rematch, seats are kept for those who played before.
    """
    match = call.id("match_id")
    looked = await access.seen(call, match, invite=body.invite)
    if looked.digest is None:
        await require_room_for_a_match(call, match)
    answer, headers = await answer_of(call, match, await sit_down(call, match, looked))
    return as_json(_seated(answer, seat_in(answer)), 200, headers)


@operation(
    "DELETE",
    "/v1/matches/{match_id}/seats/me",
    tag="Matches",
    needs=Needs.PLAYER,
    answers=(_DONE,),
    problems=_CONFLICTS,
    takes=("If-Match",),
)
async def leave_match(call: Call) -> ASGIApp:
    """Give one's seat up before the start; the seats above close up.

    Later, the command `leave` does it.
    """
    match = call.id("match_id")
    ask = ask_of(call, match, LeaveSeat(), await digest_of_player(call, match))
    try:
        done = await execute(call, match, ask)
    except ProblemError as error:
        raise _told_how_to_leave(error) from None
    answer, headers = await answer_of(call, match, done)
    return as_json(answer, 200, headers)


@operation(
    "POST",
    "/v1/matches/{match_id}/bots",
    tag="Matches",
    needs=Needs.TOKEN,
    answers=(_SEATED,),
    problems=_CONFLICTS,
    takes=("If-Match",),
)
async def seat_bot(call: Call, body: NewBot) -> ASGIApp:
    """Seat a bot of the service on the lowest free seat.

    The host does this, or the app that set the match up.
    """
    match = call.id("match_id")
    ask = ask_of(call, match, SeatBot(body.level), await digest_of_host(call, match))
    answer, headers = await answer_of(call, match, await execute(call, match, ask))
    return as_json(_seated(answer, Seat(answer.view.seats[-1].seat)), 200, headers)


@operation(
    "POST",
    "/v1/matches/{match_id}/start",
    tag="Matches",
    needs=Needs.TOKEN,
    answers=(_DONE,),
    problems=_CONFLICTS,
    takes=("If-Match",),
)
async def start_match(call: Call) -> ASGIApp:
    """Start play: the dealer is drawn and the first round dealt.

    The host does this, or the app that set the match up, once all seats are taken. A second
    start answers the same as the first.
    """
    match = call.id("match_id")
    digest = await digest_of_host(call, match)
    ask = ask_of(call, match, StartMatch(), digest, key=_ONE_START)
    answer, headers = await answer_of(call, match, await execute(call, match, ask))
    return as_json(answer, 200, headers)


def _told_how_to_leave(error: ProblemError) -> ProblemError:
    """The same problem; if it is that the match has started, with what to do instead."""
    if error.problem.code != Refusal.MATCH_MUST_BE_OPEN:
        return error
    return ProblemError(msgspec.structs.replace(error.problem, detail=_LEAVE_INSTEAD))


def _seated(answer: CommandDone, seat: Seat) -> Seated:
    return Seated(seat, answer.version, answer.events, answer.view, answer.receipt)


OPERATIONS: Final[tuple[Operation, ...]] = (join_match, leave_match, seat_bot, start_match)
