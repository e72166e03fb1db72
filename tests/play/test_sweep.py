"""What time alone brings about happens once, whoever sweeps."""

from __future__ import annotations

import asyncio
import random

import pytest

from domain.commands import AddSeed, CreateMatch
from domain.events import MatchAbandoned, SeedRevealed, Visibility
from domain.evolve import CorruptLog
from domain.limits import IDLE_DAYS
from domain.match import Status
from domain.options import Options
from domain.refusals import RuleViolation
from service.play import sweep
from service.play.bots import _Waiting
from service.play.contract import Folded
from service.play.times import DAY, SECOND
from tests.play.support import (
    ANN,
    BOB,
    SHORT,
    DeafHints,
    FaultyLog,
    ask,
    assert_sound,
    key,
    match_id_of,
    play_on,
    refolded,
    running,
    stored,
    table_of,
    to_a_bots_turn,
    until,
    world,
)

pytestmark = pytest.mark.anyio


async def test_a_match_nobody_touches_is_abandoned_once_and_its_seeds_shown() -> None:
    shared = world()
    processes = [shared.process(log=FaultyLog(shared.log)) for _ in range(3)]
    match_id = await table_of(processes[0])
    await play_on(processes[0], match_id, random.Random(1), 10)
    shared.clock.at += IDLE_DAYS * DAY - SECOND
    for process in processes:
        await process.sweep.abandon_idle()
    assert (await refolded(shared.log, match_id)).status is Status.RUNNING
    shared.clock.at += 2 * SECOND
    await asyncio.gather(*(process.sweep.abandon_idle() for process in processes))
    events = [one.event for one in await stored(shared.log, match_id)]
    assert sum(isinstance(event, MatchAbandoned) for event in events) == 1
    assert isinstance(events[-1], MatchAbandoned)
    assert sum(isinstance(event, SeedRevealed) for event in events) == 2
    assert (await refolded(shared.log, match_id)).status is Status.ABANDONED
    await assert_sound(shared.log, match_id, [])
    assert await shared.log.idle(shared.clock.at + DAY, 10) == ()
    assert (await shared.log.read(match_id)).secrets == {}
    with pytest.raises(RuleViolation):
        await processes[1].execute(match_id, ask(ANN, AddSeed(2, "YQ"), "late"))


async def test_a_table_that_never_started_is_abandoned_too() -> None:
    shared = world()
    play = shared.process()
    await play.create(match_id_of(1), CreateMatch(SHORT, 2, Visibility.PUBLIC, ANN), key("c"))
    shared.clock.at += IDLE_DAYS * DAY + SECOND
    await play.sweep.abandon_idle()
    assert (await refolded(shared.log, match_id_of(1))).status is Status.ABANDONED


async def test_a_match_touched_in_the_last_moment_goes_on() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    sweeper, play = shared.process(log=log), shared.process()
    match_id = await table_of(play)
    shared.clock.at += IDLE_DAYS * DAY + SECOND

    async def touched() -> None:
        log.before_append = None
        await play.execute(match_id, ask(BOB, AddSeed(2, "YQ"), "in time"))

    log.before_append = touched
    await sweeper.sweep.abandon_idle()
    assert (await refolded(shared.log, match_id)).status is Status.RUNNING


async def test_what_was_idle_when_asked_and_has_been_touched_since_goes_on() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    sweeper, play = shared.process(log=log), shared.process()
    match_id = await table_of(play)
    shared.clock.at += IDLE_DAYS * DAY + SECOND

    async def touched() -> None:
        await play.execute(match_id, ask(BOB, AddSeed(2, "YQ"), "in time"))

    log.after_idle = touched
    await sweeper.sweep.abandon_idle()
    assert (await refolded(shared.log, match_id)).status is Status.RUNNING


async def test_sweeping_goes_on_after_the_log_was_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "IDLE_SECONDS", 0.02)
    monkeypatch.setattr(sweep, "DUE_SECONDS", 0.02)
    shared = world()
    log = FaultyLog(shared.log)
    shared.hints = DeafHints()
    play = shared.process(log=log)
    match_id = await table_of(play)
    shared.clock.at += IDLE_DAYS * DAY + SECOND
    log.is_away = True
    async with running(play):
        await asyncio.sleep(0.1)
        log.is_away = False

        def is_abandoned() -> bool:
            folded = play.tables.known(match_id)
            return folded is not None and folded.match.status is Status.ABANDONED

        await until(is_abandoned)


async def test_a_due_match_is_resumed_once_in_a_while_by_a_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shared = world()
    play, other = shared.process(), shared.process()
    match_id = await table_of(play, [ANN], bots=1, options=Options(target=2_000))
    match = await to_a_bots_turn(shared.log, play, match_id)
    await play.bots.stop()
    resumed: list[int] = []
    monkeypatch.setattr(other.bots, "resume", lambda found: not resumed.append(found.version))
    for _ in range(2):
        shared.clock.at += 10**9
        for _ in range(3):
            await other.sweep.resume_due()
    assert resumed == [match.version, match.version]


async def test_a_match_that_is_seen_to_already_is_not_taken_for_resumed() -> None:
    """Or nobody would move its bots once whoever saw to it has given up on a log that is away."""
    shared = world()
    play, other = shared.process(), shared.process()
    match_id = await table_of(play, [ANN], bots=1, options=Options(target=2_000))
    match = await to_a_bots_turn(shared.log, play, match_id)
    await play.bots.stop()
    shared.clock.at += 10**9
    log_away = asyncio.create_task(asyncio.sleep(60))
    other.bots._waiting[match_id] = _Waiting(match.round, log_away)
    await other.sweep.resume_due()
    del other.bots._waiting[match_id]
    log_away.cancel()
    await other.sweep.resume_due()
    async with asyncio.timeout(10):
        while (await refolded(shared.log, match_id)).version == match.version:
            await asyncio.sleep(0.01)


async def test_a_match_that_cannot_be_read_does_not_keep_others_from_being_seen_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shared = world()
    play = shared.process()
    broken, whole = await table_of(play, number=1), await table_of(play, number=2)
    shared.clock.at += IDLE_DAYS * DAY + SECOND
    current = play.tables.current

    async def fails_for_one(match_id: bytes) -> Folded:
        if match_id == broken:
            raise CorruptLog("damaged")
        return await current(match_id)

    monkeypatch.setattr(play.tables, "current", fails_for_one)
    await play.sweep.abandon_idle()
    assert (await refolded(shared.log, whole)).status is Status.ABANDONED
    assert (await refolded(shared.log, broken)).status is Status.RUNNING
