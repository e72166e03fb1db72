"""Processes that share one log play as one: no command is lost, doubled, or judged on old news."""

from __future__ import annotations

import asyncio
import random

import pytest

from domain.commands import AddSeed, DrawCard
from domain.refusals import RuleViolation
from service.play.contract import Busy, Done, StaleVersion
from service.play.matches import Matches
from tests.play.support import (
    ANN,
    BOB,
    CAT,
    DAN,
    PEOPLE,
    FaultyLog,
    World,
    ask,
    assert_sound,
    choice,
    refolded,
    running,
    stored,
    table_of,
    world,
)

pytestmark = pytest.mark.anyio


async def test_commands_at_once_on_one_match_are_all_carried_out_once() -> None:
    play = world().process()
    match_id = await table_of(play, PEOPLE)
    asks = [
        ask(person, AddSeed(2, "YQ"), f"{n}-{person[:3]}") for n in range(8) for person in PEOPLE
    ]
    answers = await asyncio.gather(*(play.execute(match_id, one) for one in asks))
    assert sorted(done.version for done in answers) == list(
        range(answers[0].version, answers[0].version + len(asks))
    )
    await assert_sound(play.handler._log, match_id, answers)


async def test_one_command_sent_fifty_times_at_once_happens_once() -> None:
    shared = world()
    processes = [shared.process(log=FaultyLog(shared.log)) for _ in range(4)]
    match_id = await table_of(processes[0])
    before = await stored(shared.log, match_id)
    one = ask(ANN, AddSeed(2, "YQ"), "seed")
    answers = await asyncio.gather(
        *(processes[n % 4].execute(match_id, one) for n in range(50)), return_exceptions=True
    )
    done = [answer for answer in answers if isinstance(answer, Done)]
    assert len(done) + sum(isinstance(answer, Busy) for answer in answers) == 50
    assert len(done) > 40
    assert sum(not answer.replayed for answer in done) == 1
    assert len({answer.receipt.hash for answer in done}) == 1
    assert len(await stored(shared.log, match_id)) == len(before) + 1


async def test_news_of_another_process_is_read_before_anything_is_refused() -> None:
    shared = world()
    play, other = shared.process(), shared.process()
    match_id = await table_of(play)
    match = (await other.folded(match_id)).match
    assert match.round is not None
    mover, waiter = (match.seats[seat].player for seat in (match.round.turn, 1 - match.round.turn))
    assert mover is not None
    assert waiter is not None
    version = (await play.execute(match_id, ask(mover, DrawCard(), "draw"))).version
    with pytest.raises(RuleViolation):
        await other.execute(match_id, ask(mover, DrawCard(), "draw twice"))
    assert (await other.folded(match_id)).match.version == version


async def test_a_version_seen_elsewhere_is_not_stale_here() -> None:
    shared = world()
    play, other = shared.process(), shared.process()
    match_id = await table_of(play)
    await other.folded(match_id)
    seen = (await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "a"))).version
    done = await other.execute(match_id, ask(ANN, AddSeed(2, "Yg"), "b", if_match=seen))
    assert done.version == seen + 1
    with pytest.raises(StaleVersion):
        await play.execute(match_id, ask(ANN, AddSeed(2, "Yw"), "c", if_match=seen))


@pytest.mark.parametrize("seed", range(3))
async def test_whole_matches_with_commands_routed_at_random(seed: int) -> None:
    shared = world(2 + seed)
    processes = [shared.process(log=FaultyLog(shared.log)) for _ in range(3)]
    match_id = await table_of(processes[0], [ANN, BOB, CAT, DAN])
    started = len(await stored(shared.log, match_id))
    async with running(*processes):
        answers = await _crowd(shared, processes, match_id, random.Random(seed))
    await assert_sound(shared.log, match_id, answers)
    events = await stored(shared.log, match_id)
    acknowledged = {item.version for done in answers for item in done.events}
    assert acknowledged == {one.version for one in events[started:]}
    assert len(answers) > 50
    final = await refolded(shared.log, match_id)
    for process in processes:
        assert (await process.folded(match_id, final.version)).match == final


async def _crowd(
    shared: World, processes: list[Matches], match_id: bytes, dice: random.Random
) -> list[Done]:
    """Three clients who act without waiting for each other, each command with a retry elsewhere."""
    answers: dict[str, Done] = {}
    reader = shared.process()

    async def client(number: int) -> None:
        for turn in range(150):
            match = (await reader.tables.current(match_id)).match
            chosen = choice(match, dice)
            if match.is_over or chosen is None:
                return
            one = ask(*chosen, f"{number}/{turn}")
            for process in dice.sample(processes, 2):
                try:
                    done = await process.execute(match_id, one)
                except (RuleViolation, Busy):
                    continue
                known = answers.setdefault(f"{number}/{turn}", done)
                assert (known.events, known.receipt) == (done.events, done.receipt)

    await asyncio.gather(*(client(number) for number in range(3)))
    return list(answers.values())
