"""The cache is bounded, and no match ever has two mailboxes."""

from __future__ import annotations

import asyncio
import random

import pytest

from domain.commands import AddSeed
from service.play import cache, tables
from service.play.cache import WAITING_MAX, Cache, Mailbox
from service.play.contract import Busy
from service.play.matches import Matches
from tests.play.support import (
    ANN,
    STILL,
    FaultyLog,
    ask,
    assert_sound,
    match_id_of,
    play_on,
    table_of,
    world,
)

pytestmark = pytest.mark.anyio


async def test_the_table_used_longest_ago_goes_first() -> None:
    kept = Cache(2)
    for number in (1, 2):
        kept.table(match_id_of(number))
    first = id(kept.table(match_id_of(1)))
    kept.table(match_id_of(3))
    assert len(kept) == 2
    assert kept.known(match_id_of(2)) is None
    assert id(kept.known(match_id_of(1))) == first


async def test_a_table_in_use_is_found_again_after_others_pushed_it_out() -> None:
    kept = Cache(1)
    table = kept.table(match_id_of(1))
    async with table.mailbox:
        kept.table(match_id_of(2))
        assert kept.table(match_id_of(1)) is table


async def test_too_many_waiting_for_one_match_are_told_to_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cache, "WAITING_MAX", 2)
    mailbox = Mailbox()

    async def visit() -> None:
        async with mailbox:
            await asyncio.sleep(0)

    async with mailbox:
        waiting = [asyncio.create_task(visit()) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await visit()
    await asyncio.gather(*waiting)
    await visit()


async def test_a_match_pushed_out_is_read_again() -> None:
    shared = world()
    play = Matches(shared.log, shared.views, shared.hints, STILL, now=shared.clock, matches_max=1)
    first, second = await table_of(play, number=1), await table_of(play, number=2)
    dice = random.Random(1)
    answers = []
    for _ in range(5):
        answers += await play_on(play, first, dice, 1)
        await play_on(play, second, dice, 1)
    await assert_sound(shared.log, first, answers)
    assert len(play.tables._cache) == 1


async def test_matches_go_by_the_commands_they_hold() -> None:
    shared = world()
    play = shared.process()
    play.tables._cache = Cache(10, commands_max=30)
    matches = [await table_of(play, number=number) for number in range(1, 4)]
    assert len(play.tables._cache) == 3
    answers = await play_on(play, matches[0], random.Random(1), 28)
    assert len(play.tables._cache) == 1
    assert play.tables.known(matches[0]) is not None
    assert play.tables._cache._weight == 3 + len(answers)
    await play_on(play, matches[1], random.Random(1), 1)
    assert len(play.tables._cache) == 1
    assert play.tables._cache._weight == 4


async def test_those_who_wait_for_one_read_share_it() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play = shared.process(log=log)
    match_id = await table_of(play)
    reads = log.reads
    folded = await asyncio.gather(*(play.tables.current(match_id) for _ in range(50)))
    assert len({one.match.version for one in folded}) == 1
    assert 1 <= log.reads - reads <= 2


async def test_what_was_read_a_moment_ago_is_not_read_again_but_what_is_older_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play, other = shared.process(), shared.process(log=log)
    match_id = await table_of(play)
    before = (await other.folded(match_id)).match.version
    reads = log.reads
    version = (await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "a"))).version
    assert (await other.folded(match_id)).match.version == before
    assert log.reads == reads
    assert (await other.folded(match_id, version)).match.version == version
    version = (await play.execute(match_id, ask(ANN, AddSeed(2, "Yg"), "b"))).version
    other.tables.announced(match_id, version)
    assert (await other.folded(match_id)).match.version == version
    version = (await play.execute(match_id, ask(ANN, AddSeed(2, "Yw"), "c"))).version
    monkeypatch.setattr(tables, "FRESH_SECONDS", 0.0)
    assert (await other.folded(match_id)).match.version == version


async def test_however_many_readers_wait_a_command_is_carried_out() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play = shared.process(log=log)
    match_id = await table_of(play)
    version = (await play.folded(match_id)).match.version
    slow, reads = asyncio.Event(), log.reads
    log.after_read = slow.wait  # type: ignore[assignment]
    readers = [asyncio.create_task(play.tables.current(match_id)) for _ in range(3 * WAITING_MAX)]
    await asyncio.sleep(0)
    command = asyncio.create_task(play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "seed")))
    await asyncio.sleep(0)
    slow.set()
    assert (await command).version == version + 1
    assert {one.match.version for one in await asyncio.gather(*readers)} <= {version, version + 1}
    assert log.reads == reads + 1


async def test_who_asks_after_a_read_has_begun_gets_what_is_newer() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    here, there = shared.process(log=log), shared.process()
    match_id = await table_of(here)
    slow = asyncio.Event()
    log.after_read = slow.wait  # type: ignore[assignment]
    early = asyncio.create_task(here.tables.current(match_id))
    for _ in range(5):
        await asyncio.sleep(0)
    done = await there.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "seed"))
    late = asyncio.create_task(here.tables.current(match_id))
    await asyncio.sleep(0)
    slow.set()
    assert (await late).match.version == done.version
    assert (await early).match.version in (done.version - 1, done.version)


async def test_a_reader_who_goes_away_leaves_the_others_their_answer() -> None:
    shared = world()
    play = shared.process(log=FaultyLog(shared.log))
    match_id = await table_of(play)
    first, second = (asyncio.create_task(play.tables.current(match_id)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second).match.id == match_id
