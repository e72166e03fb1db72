"""Clocks run out once, on the turn they were set for, whatever process is there (AWAY-8)."""

from __future__ import annotations

import asyncio
import random

import pytest
from msgspec.structs import replace

from domain.clock import deadline
from domain.commands import DrawCard, Leave, Return
from domain.events import BotLevel, ClockRanOut, PlayerLeft, Seat
from domain.match import Match, Occupant
from domain.options import Clock, OnLeave, Options
from domain.ports import EventLog
from domain.refusals import Refusal, RuleViolation
from service.play.errands import GRACE_US, Kind, due_at, errands
from service.play.matches import Matches
from service.play.times import SECOND, rfc3339
from service.settings import Settings
from tests.play.support import (
    ANN,
    BOB,
    CAT,
    PEOPLE,
    QUICK,
    FaultyLog,
    World,
    ask,
    assert_sound,
    play_on,
    running,
    stored,
    table_of,
    until,
    world,
)
from tests.spec import deal, given, play

pytestmark = pytest.mark.anyio
TIMED = Options(clock=Clock(turn=30, answer=10))


async def ran_out(log: EventLog, match_id: bytes) -> list[ClockRanOut]:
    """All the times that the service acted in the match."""
    return [one.event for one in await stored(log, match_id) if isinstance(one.event, ClockRanOut)]


async def to_its_end(shared: World, play: Matches, match_id: bytes) -> Match:
    """The match, when the time of the seat to move has just passed."""
    match = (await play.tables.current(match_id)).match
    at = deadline(match)
    assert at is not None
    shared.clock.at = at
    return match


async def test_many_processes_act_once_for_who_has_not_moved() -> None:
    shared = world()
    processes = [shared.process(log=FaultyLog(shared.log)) for _ in range(4)]
    match_id = await table_of(processes[0], (ANN, BOB, CAT), options=TIMED)
    for acts in range(1, 4):
        before = await to_its_end(shared, processes[0], match_id)
        await asyncio.gather(*(process.sweep.resume_due() for process in processes))
        (*_, last) = found = await ran_out(shared.log, match_id)
        assert before.round is not None and last.seat == before.round.turn
        assert len(found) == acts
    await assert_sound(shared.log, match_id, [])


async def test_the_log_tells_when_and_not_a_moment_earlier() -> None:
    shared = world()
    play = shared.process()
    match_id = await table_of(play, options=TIMED)
    await to_its_end(shared, play, match_id)
    assert await shared.log.due(shared.clock.at - 1, 10) == ()
    assert await shared.log.due(shared.clock.at, 10) == (match_id,)
    shared.clock.at -= 1
    await play.sweep.resume_due()
    assert await ran_out(shared.log, match_id) == []


async def test_a_process_that_comes_later_acts_on_the_deadline_in_the_log() -> None:
    """Case 135: everything was stopped, and the deadline still runs."""
    shared = world()
    gone = shared.process()
    match_id = await table_of(gone, options=TIMED)
    match = await to_its_end(shared, gone, match_id)
    shared.clock.at += 3 * SECOND
    later = shared.process()
    folded = await later.folded(match_id)
    assert folded.match == match and deadline(folded.match) == shared.clock.at - 3 * SECOND
    await later.sweep.resume_due()
    assert [one.row for one in await ran_out(shared.log, match_id)] == [1]


async def test_who_acts_at_the_last_moment_is_in_time() -> None:
    """Case 137: a process that does not know of it yet finds out."""
    shared = world()
    play, other = shared.process(), shared.process()
    match_id = await table_of(play, options=TIMED)
    match = await to_its_end(shared, other, match_id)
    assert match.round is not None
    player = PEOPLE[match.round.turn]
    await play.execute(match_id, ask(player, DrawCard(), "in time"))
    await other.sweep.resume_due()
    assert [one.row for one in await ran_out(shared.log, match_id)] == [1]
    assert (await other.tables.current(match_id)).match.round != match.round


async def test_views_say_until_when_now_and_as_of_then() -> None:
    shared = world()
    play, other = shared.process(), shared.process()
    match_id = await table_of(play, options=TIMED)
    at = deadline((await play.tables.current(match_id)).match)
    assert at is not None
    for process in (play, other):
        view = await process.view(match_id, None)
        assert view.pending.deadline == rfc3339(at)
        assert await process.view_at(match_id, None, view.version) == view
    await to_its_end(shared, play, match_id)
    await play.sweep.resume_due()
    past = await other.view_at(match_id, None, view.version)
    assert past.pending.deadline == rfc3339(at)


async def test_three_times_in_a_row_and_the_seat_is_passed_over() -> None:
    shared = world()
    play = shared.process()
    match_id = await table_of(play, (ANN, BOB, CAT), options=TIMED)
    while not (await play.tables.current(match_id)).match.left:
        await to_its_end(shared, play, match_id)
        await play.sweep.resume_due()
    rows = [one.row for one in await ran_out(shared.log, match_id)]
    assert rows == [1, 1, 1, 2, 2, 2, 3]


async def test_a_running_sweep_acts_by_itself() -> None:
    shared = world()
    play = shared.process()
    async with running(play):
        match_id = await table_of(play, options=TIMED)
        await to_its_end(shared, play, match_id)
        table = play.tables.table(match_id)
        version = table.version
        await until(lambda: table.version > version)
    assert [one.row for one in await ran_out(shared.log, match_id)] == [1]


async def test_a_bot_plays_for_who_has_left_until_the_person_returns() -> None:
    """Case 165."""
    shared = world()
    play = shared.process(QUICK)
    options = Options(target=2_000, on_leave=OnLeave.BOT)
    async with running(play):
        match_id = await table_of(play, options=options)
        await play.execute(match_id, ask(BOB, Leave(), "leave"))
        await play_on(play, match_id, random.Random(3), 20)
        with pytest.raises(RuleViolation) as refused:
            await play.execute(match_id, ask(BOB, DrawCard(), "draw"))
        assert refused.value.refusal is Refusal.SEAT_MUST_BE_TAKEN_BACK
        done = await play.execute(match_id, ask(BOB, Return(), "return"))
        assert done.view.seats[1].bot is None
        await play_on(play, match_id, random.Random(4), 20)
    events = await stored(shared.log, match_id)
    left = next(at for at, one in enumerate(events) if isinstance(one.event, PlayerLeft))
    returned = next(at for at, one in enumerate(events) if one.type == "player_returned")
    actors = [one.actor for one in events[left:returned]]
    assert "bot:1" in actors and "bot:1" not in [one.actor for one in events[returned:]]


def silent_before_a_bot(options: Options) -> Match:
    """ANN has laid her second-to-last card without a word; a bot is next."""
    match = deal(top="R1", ANN="R5 G2", BOB="R8 B2", options=options)
    seats = match.seats[0], Occupant(bot=BotLevel.STEADY)
    return given(replace(match, seats=seats)).when(Seat(0), play("R5")).match


async def test_a_bot_begins_no_turn_within_a_grace() -> None:
    """UNO-7: it catches in between, and is due for others to move only after that."""
    settings = Settings(bot_move_ms=100, bot_catch_ms=2_500)
    for seconds, moves_after in ((0, 2_500_000), (2, 2_500_000), (10, 10_000_000)):
        match = silent_before_a_bot(Options(uno_grace=seconds))
        found = {one.kind: one.after_us for one in errands(match, settings)}
        assert found == {Kind.CATCH: 2_500_000, Kind.MOVE: moves_after}
        assert due_at(match, 0, settings) == moves_after + GRACE_US


async def test_a_match_is_due_when_the_first_of_clock_and_bots_is() -> None:
    timed = silent_before_a_bot(Options(clock=Clock(turn=5, answer=5)))
    quick, slow = Settings(bot_catch_ms=100), Settings(bot_catch_ms=60_000)
    assert due_at(timed, 0, quick) == 100_000 + GRACE_US
    assert due_at(timed, 0, slow) == 5_000_000
    people = deal(top="R1", ANN="R5 G2", BOB="R8 B2", options=timed.options)
    assert due_at(people, 0, quick) == 5_000_000
