"""Whatever becomes of an append or of its answer, a command is carried out once or not at all."""

from __future__ import annotations

import asyncio
import random

import pytest

from domain.commands import AddSeed
from domain.limits import APPEND_RETRIES
from service.play.background import BACKOFF_SECONDS
from service.play.contract import Busy
from tests.play.support import (
    ANN,
    BOB,
    FaultyLog,
    ask,
    assert_sound,
    choice,
    refolded,
    stored,
    table_of,
    world,
)

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("fault", ["lost", "unanswered", "late"])
async def test_an_append_without_an_answer_is_looked_up_and_answered(fault: str) -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play = shared.process(log=log)
    match_id = await table_of(play)
    log.faults = [fault]
    one = ask(ANN, AddSeed(2, "YQ"), "seed")
    done = await play.execute(match_id, one)
    assert not done.replayed
    assert [item.type for item in done.events] == ["seed_added"]
    again = await play.execute(match_id, one)
    assert again.replayed
    assert (again.events, again.receipt) == (done.events, done.receipt)
    await assert_sound(shared.log, match_id, [done])
    assert (await play.folded(match_id)).match == await refolded(shared.log, match_id)


async def test_a_retry_elsewhere_meets_the_append_whose_answer_was_lost() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play, other = shared.process(log=log), shared.process()
    match_id = await table_of(play)
    log.faults = ["unanswered"]
    one = ask(ANN, AddSeed(2, "YQ"), "seed")
    first, second = await asyncio.gather(
        play.execute(match_id, one), other.execute(match_id, one)
    )  # fmt: skip
    assert first.events == second.events
    await assert_sound(shared.log, match_id, [first])


async def test_a_store_that_is_away_is_said_and_nothing_is_done() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play = shared.process(log=log)
    match_id = await table_of(play)
    before = await stored(shared.log, match_id)
    log.faults = ["unavailable"]
    one = ask(ANN, AddSeed(2, "YQ"), "seed")
    with pytest.raises(Busy):
        await play.execute(match_id, one)
    assert await stored(shared.log, match_id) == before
    assert not (await play.execute(match_id, one)).replayed


async def test_a_store_that_stays_away_after_an_append_is_said_and_the_retry_finds_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "service.play.handle.BACKOFF_SECONDS", tuple(0.001 for _ in BACKOFF_SECONDS)
    )
    shared = world()
    log = FaultyLog(shared.log)
    play = shared.process(log=log)
    match_id = await table_of(play)
    log.faults = ["unanswered, then away"]
    one = ask(ANN, AddSeed(2, "YQ"), "seed")
    with pytest.raises(Busy):
        await play.execute(match_id, one)
    log.is_away = False
    done = await play.execute(match_id, one)
    assert done.replayed
    await assert_sound(shared.log, match_id, [done])


async def test_who_always_comes_second_is_told_to_come_back() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play, rival = shared.process(log=log), shared.process()
    match_id = await table_of(play)

    async def rival_is_faster() -> None:
        await rival.execute(match_id, ask(BOB, AddSeed(2, "YQ"), f"rival {log.appends}"))

    log.before_append = rival_is_faster
    appends = log.appends
    with pytest.raises(Busy):
        await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "seed"))
    assert log.appends - appends == 1 + APPEND_RETRIES
    log.before_append = None
    done = await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "seed"))
    await assert_sound(shared.log, match_id, [done])


async def test_a_whole_match_over_a_log_that_fails_at_random() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play = shared.process(log=log)
    match_id = await table_of(play)
    dice = random.Random(11)
    answers = []
    match = (await play.folded(match_id)).match
    while not match.is_over and len(answers) < 400:
        chosen = choice(match, dice)
        assert chosen is not None
        one = ask(*chosen, f"{match.version}")
        log.faults = [dice.choice(["", "", "lost", "unanswered", "late", "unavailable"])]
        try:
            answers.append(await play.execute(match_id, one))
        except Busy:
            log.faults = []
            answers.append(await play.execute(match_id, one))
        match = (await play.folded(match_id)).match
    assert len(answers) > 30
    await assert_sound(shared.log, match_id, answers)
    assert match == await refolded(shared.log, match_id)
