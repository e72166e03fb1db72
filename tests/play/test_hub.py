"""A live stream gives every event once and in order, whatever fails meanwhile."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from msgspec import UNSET

from domain.commands import AddSeed, CreateMatch, JoinMatch, LeaveSeat, StartMatch
from domain.events import Seat, Visibility
from domain.options import Options
from service.play import followers, hub
from service.play.contract import Busy, Item, NoMatch
from service.play.matches import Matches
from service.settings import Settings
from tests.play.support import (
    ANN,
    BOB,
    CAT,
    DAN,
    SHORT,
    DeafHints,
    FaultyLog,
    ask,
    choice,
    key,
    match_id_of,
    play_on,
    running,
    stored,
    table_of,
    until,
    world,
)

pytestmark = pytest.mark.anyio


async def _all(
    play: Matches, match_id: bytes, seat: Seat | None = None, after: int = 0
) -> list[Item]:
    """Every item until the stream ends by itself."""
    return [item async for item in play.stream(match_id, seat, after) if item is not None]


async def _some(stream: AsyncIterator[Item | None], count: int) -> list[Item]:
    """The next items, heartbeats left out."""
    items: list[Item] = []
    async with asyncio.timeout(5):
        while len(items) < count:
            item = await anext(stream)
            if item is not None:
                items.append(item)
    return items


async def test_a_stream_gives_the_history_then_what_comes_then_ends() -> None:
    shared = world()
    play = shared.process()
    async with running(play):
        match_id = await table_of(play, [ANN, BOB, CAT])
        streams = [
            asyncio.create_task(_all(play, match_id, seat, after))
            for seat in (None, Seat(0), Seat(2))
            for after in (0, 5)
        ]
        await play_on(play, match_id, random.Random(1))
        async with asyncio.timeout(10):
            received = await asyncio.gather(*streams)
        for task_seat, after, items in zip(
            (None, None, 0, 0, 2, 2), (0, 5) * 3, received, strict=True
        ):
            seat = None if task_seat is None else Seat(task_seat)
            assert tuple(items) == await play.history(match_id, seat, after, 10_000)
        assert received[0][-1].type == "match_ended"
        assert play.hub._followers == {}


async def test_a_stream_of_a_finished_match_ends_after_its_last_event() -> None:
    shared = world()
    play = shared.process()
    async with running(play):
        match_id = await table_of(play)
        await play_on(play, match_id, random.Random(1))
        length = len(await stored(shared.log, match_id))
        async with asyncio.timeout(5):
            for process in (play, shared.process()):
                assert len(await _all(process, match_id, after=length - 3)) == 3
                assert await _all(process, match_id, after=length) == []


async def test_there_is_no_stream_of_no_match_nor_while_the_log_is_away() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play = shared.process(log=log)
    with pytest.raises(NoMatch):
        await anext(play.stream(match_id_of(3), None, 0))
    log.is_away = True
    with pytest.raises(Busy):
        await anext(play.stream(match_id_of(3), None, 0))


@pytest.mark.parametrize("seed", range(3))
async def test_streams_that_break_off_anywhere_resume_without_gap_or_double(seed: int) -> None:
    shared = world(2 + seed)
    processes = [shared.process(log=FaultyLog(shared.log)) for _ in range(2)]
    reader, dice = shared.process(), random.Random(seed)

    async def watch(seat: Seat | None) -> list[Item]:
        items: list[Item] = []
        while not (items and items[-1].type == "match_ended"):
            process = dice.choice(processes)
            after = items[-1].version if items else 0
            async with aclosing(process.stream(match_id, seat, after)) as stream:
                for _ in range(dice.randrange(1, 30)):
                    item = await anext(stream, None)
                    if item is not None:
                        items.append(item)
        return items

    async with running(*processes):
        match_id = await table_of(processes[0], [ANN, BOB, CAT, DAN])
        watching = [asyncio.create_task(watch(seat)) for seat in (None, Seat(0), Seat(1), Seat(3))]
        while True:
            match = (await reader.tables.current(match_id)).match
            chosen = choice(match, dice)
            if chosen is None:
                break
            process = dice.choice(processes)
            await process.execute(match_id, ask(*chosen, f"{match.version}"))
        async with asyncio.timeout(10):
            received = await asyncio.gather(*watching)
        for seat, items in zip((None, 0, 1, 3), received, strict=True):
            whole = await processes[0].history(
                match_id, None if seat is None else Seat(seat), 0, 10_000
            )
            assert tuple(items) == whole
        assert all(process.hub._followers == {} for process in processes)


async def test_what_another_process_appends_arrives_by_its_hint() -> None:
    shared = world()
    play, watcher = shared.process(), shared.process()
    async with running(play, watcher):
        match_id = await table_of(play)
        version = (await play.folded(match_id)).match.version
        async with aclosing(watcher.stream(match_id, None, version)) as stream:
            nxt = asyncio.create_task(_some(stream, 1))
            await asyncio.sleep(0.02)
            await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "a"))
            async with asyncio.timeout(hub.POLL_SECONDS / 2):
                assert [item.version for item in await nxt] == [version + 1]


async def test_without_hints_the_poll_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "POLL_SECONDS", 0.05)
    shared = world()
    play = shared.process()
    shared.hints = DeafHints()
    watcher = shared.process()
    async with running(play, watcher):
        match_id = await table_of(play)
        version = (await play.folded(match_id)).match.version
        async with aclosing(watcher.stream(match_id, Seat(0), version)) as stream:
            nxt = asyncio.create_task(_some(stream, 3))
            for name in ("a", "b", "c"):
                await asyncio.sleep(0.02)
                await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), name))
            versions = [item.version for item in await nxt]
            assert versions == [version + 1, version + 2, version + 3]


async def test_a_stream_outlives_a_log_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(hub, "AWAY_SECONDS", 0.02)
    shared = world()
    log = FaultyLog(shared.log)
    play, watcher = shared.process(), shared.process(log=log)
    async with running(play, watcher):
        match_id = await table_of(play)
        version = (await watcher.folded(match_id)).match.version
        async with aclosing(watcher.stream(match_id, None, 0)) as stream:
            log.is_away = True
            assert await anext(stream) is None
            await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "a"))
            log.is_away = False
            items = await _some(stream, version + 1)
            assert [item.version for item in items] == list(range(1, version + 2))
            log.is_away = True
            await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "b"))
            await asyncio.sleep(0.1)
            log.is_away = False
            assert [item.version for item in await _some(stream, 1)] == [version + 2]


async def test_what_is_appended_while_a_stream_reads_arrives_at_once() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play = shared.process(log=log)
    async with running(play):
        match_id = await table_of(play)
        version = (await play.folded(match_id)).match.version

        async def one_more() -> None:
            log.after_read = None
            await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "a"))

        log.after_read = one_more
        async with aclosing(play.stream(match_id, None, version)) as stream:
            assert [item.version for item in await _some(stream, 1)] == [version + 1]
            assert log.after_read is None


async def test_a_wake_up_that_was_lost_is_noticed_at_the_next_event() -> None:
    shared = world()
    play = shared.process()
    async with running(play):
        match_id = await table_of(play)
        version = (await play.folded(match_id)).match.version
        async with aclosing(play.stream(match_id, None, version)) as stream:
            nxt = asyncio.create_task(_some(stream, 3))
            await asyncio.sleep(0.01)
            watchers, play.tables._watchers = play.tables._watchers, []
            await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "a"))
            play.tables._watchers = watchers
            for name in ("b", "c"):
                await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), name))
            versions = [item.version for item in await nxt]
            assert versions == [version + 1, version + 2, version + 3]


async def test_a_stream_reads_a_long_history_by_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "PAGE_ITEMS", 7)
    shared = world()
    play = shared.process()
    async with running(play):
        match_id = await table_of(play)
        await play_on(play, match_id, random.Random(1))
        length = len(await stored(shared.log, match_id))
        async with asyncio.timeout(5):
            items = await _all(play, match_id, Seat(0))
        assert [item.version for item in items] == list(range(1, length + 1))


async def test_a_slow_stream_reads_the_log_again_instead_of_growing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(followers, "QUEUE_MAX", 4)
    shared = world()
    play = shared.process()
    async with running(play):
        match_id = await table_of(play)
        version = (await play.folded(match_id)).match.version
        async with aclosing(play.stream(match_id, Seat(1), version)) as stream:
            for number in range(30):
                await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), f"{number}"))
                (follower,) = play.hub._followers.get(match_id, {followers.Follower()})
                assert len(follower._steps) <= 4
                if number % 10 == 0:
                    await _some(stream, 1)
            rest = await _some(stream, 27)
            assert rest[-1].version == version + 30


async def test_silence_is_broken_by_heartbeats() -> None:
    play = world().process()
    play.hub._heartbeat_seconds = 0.01
    async with running(play):
        match_id = await table_of(play)
        version = (await play.folded(match_id)).match.version
        async with aclosing(play.stream(match_id, None, version)) as stream:
            assert [await anext(stream) for _ in range(3)] == [None] * 3


async def test_streams_end_when_the_service_stops() -> None:
    play = world().process()
    await play.start()
    match_id = await table_of(play)
    streams = [asyncio.create_task(_all(play, match_id)) for _ in range(3)]
    await until(lambda: len(play.hub._followers.get(match_id, ())) == 3)
    await asyncio.sleep(0.01)
    await play.stop()
    async with asyncio.timeout(1):
        received = await asyncio.gather(*streams)
    assert all(len(items) == len(received[0]) > 0 for items in received)
    assert await _all(play, match_id) == []


async def test_a_stream_follows_its_person_when_seats_close_up() -> None:
    shared = world()
    play = shared.process()
    match_id = match_id_of(1)
    async with running(play):
        await play.create(match_id, CreateMatch(SHORT, 3, Visibility.PUBLIC, ANN), key("c"))
        for person in (BOB, CAT):
            await play.execute(match_id, ask(person, JoinMatch(person), person))
        async with aclosing(play.stream(match_id, Seat(1), 0)) as by_seat:
            await anext(by_seat)  # Bob sits on seat 1 and leaves; Cat gets it
            await play.execute(match_id, ask(BOB, LeaveSeat(), "leave"))
            await play.execute(match_id, ask(DAN, JoinMatch(DAN), DAN))
            started = await play.execute(match_id, ask(ANN, StartMatch(), "start"))
            items = await _some(by_seat, started.version - 1)
            assert all(item.mine is UNSET for item in items)
        async with aclosing(play.stream(match_id, None, 0, player=CAT)) as by_person:
            items = await _some(by_person, started.version)
            assert any(item.mine is not UNSET and item.mine.hand for item in items)


async def test_many_watchers_cost_one_read_of_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "POLL_SECONDS", 0.02)
    shared = world()
    log = FaultyLog(shared.log)
    play = shared.process()
    shared.hints = DeafHints()
    watcher = shared.process(Settings(heartbeat_seconds=60), log=log)
    async with running(play, watcher):
        match_id = await table_of(play, options=Options(target=2_000))
        version = (await watcher.folded(match_id)).match.version
        streams = [watcher.stream(match_id, None, version) for _ in range(20)]
        waiting = [asyncio.create_task(_some(stream, 1)) for stream in streams]
        await until(lambda: len(watcher.hub._followers.get(match_id, ())) == 20)
        await asyncio.sleep(0.02)
        reads = log.reads
        await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "a"))
        async with asyncio.timeout(5):
            received = await asyncio.gather(*waiting)
        assert log.reads == reads + 1
        assert {items[0].version for items in received} == {version + 1}
        for stream in streams:
            await stream.aclose()
