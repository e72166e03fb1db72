"""What a process remembers for bots follows from the log, whatever it knew before."""

from __future__ import annotations

import random

import pytest

from domain.bots.memory import NOTHING, recall
from domain.commands import CreateMatch, SeatBot, StartMatch
from domain.events import BotLevel, Visibility
from domain.options import Options
from service.play.recollections import Recollections
from tests.play.support import (
    ANN,
    QUICK,
    FaultyLog,
    ask,
    key,
    match_id_of,
    play_on,
    refolded,
    running,
    stored,
    table_of,
    world,
)

pytestmark = pytest.mark.anyio


async def test_what_is_remembered_is_what_the_log_tells_however_it_was_read() -> None:
    shared = world()
    play = shared.process(QUICK)
    match_id = await table_of(play, [ANN], bots=1, options=Options(target=2_000))
    often = Recollections(shared.log)
    async with running(play):
        for turn in range(20):
            await play_on(play, match_id, random.Random(turn), 1)
            match = await refolded(shared.log, match_id)
            events = [one.event for one in await stored(shared.log, match_id)][: match.version]
            told = recall(events)
            assert told != NOTHING
            assert await often.of(match) == told
            assert await Recollections(shared.log).of(match) == told


async def test_what_happened_later_is_not_remembered_yet() -> None:
    shared = world()
    play = shared.process(QUICK)
    match_id = await table_of(play, [ANN], bots=1, options=Options(target=2_000))
    early = await refolded(shared.log, match_id)
    before = await Recollections(shared.log).of(early)
    async with running(play):
        await play_on(play, match_id, random.Random(1), 5)
    later = Recollections(shared.log)
    assert await later.of(await refolded(shared.log, match_id)) != before
    assert await later.of(early) == before


async def test_only_what_is_new_is_read_and_nothing_where_nothing_is() -> None:
    shared = world()
    play = shared.process(QUICK)
    match_id = await table_of(play, [ANN], bots=1)
    log = FaultyLog(shared.log)
    match, recollections = await refolded(shared.log, match_id), Recollections(log)
    assert await recollections.of(match) == await recollections.of(match)
    assert log.reads == 1


async def test_a_sharp_bot_is_given_what_there_is_to_remember(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shared = world(2)
    play = shared.process(QUICK)
    match_id, given = match_id_of(1), []

    def seeing(view: object, dice: object, memory: object) -> None:
        given.append(memory)

    monkeypatch.setattr("service.play.bots.choose", seeing)
    async with running(play):
        await play.create(match_id, CreateMatch(Options(), 2, Visibility.PUBLIC, ANN), key("c"))
        await play.execute(match_id, ask(ANN, SeatBot(BotLevel.SHARP), "bot"))
        await play.execute(match_id, ask(ANN, StartMatch(), "start"))
        while not given:
            await play_on(play, match_id, random.Random(1), 1)
    assert NOTHING not in given
