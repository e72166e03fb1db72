"""The same on Postgres and Redis: processes with connections of their own play as one."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from msgspec import Struct

from domain.clock import deadline
from domain.match import Status
from domain.options import Clock, Options
from domain.sight import unpack, view_of, views_of
from infra.postgres.log import PostgresLog
from infra.redis.generations import Generations
from infra.redis.hints import RedisHints
from infra.redis.server import Server
from infra.redis.views import RedisViews
from infra.sealing import Sealer
from service.play.contract import Busy, Done, Item
from service.play.matches import Matches
from service.play.times import SECOND
from service.settings import Settings
from tests.play.support import (
    ANN,
    BOB,
    CAT,
    DAN,
    QUICK,
    STILL,
    ask,
    assert_sound,
    choice,
    play_on,
    refolded,
    running,
    stored,
    table_of,
    to_a_bots_turn,
)
from tests.servers import forget_keys

pytestmark = [pytest.mark.anyio, pytest.mark.servers]
SOON = Settings(bot_move_ms=100, bot_catch_ms=100)
SEALER = Sealer(bytes(range(32)))


class Process(Struct):
    """A process of the service, with its own connections."""

    play: Matches
    log: PostgresLog
    views: RedisViews


@asynccontextmanager
async def processes(
    database: str, redis_url: str, prefix: str, *settings: Settings
) -> AsyncIterator[list[Process]]:
    """So many processes on the same servers, with dice that make for a short match."""
    async with AsyncExitStack() as closing:
        opened = []
        for number, one in enumerate(settings):
            log = await PostgresLog.open(database, SEALER, pool_size=3)
            closing.push_async_callback(log.close)
            server = Server(redis_url, prefix)
            closing.push_async_callback(server.close)
            views = RedisViews(server, Generations(server))
            entropy = random.Random(210 + number).randbytes
            play = Matches(log, views, RedisHints(server), one, entropy=entropy)
            opened.append(Process(play, log, views))
        await closing.enter_async_context(running(*(one.play for one in opened)))
        yield opened


async def test_a_match_played_over_two_processes_and_watched_from_both(
    database: str, redis_url: str, redis_prefix: str
) -> None:
    dice = random.Random(5)
    async with processes(database, redis_url, redis_prefix, STILL, STILL) as (one, two):
        match_id = await table_of(one.play, [ANN, BOB, CAT, DAN])

        async def watch(play: Matches, player: str | None) -> tuple[Item, ...]:
            stream = play.stream(match_id, None, 0, player=player)
            return tuple([item async for item in stream if item is not None])

        watching = [
            (player, asyncio.create_task(watch(process.play, player)))
            for process in (one, two)
            for player in (None, ANN, DAN)
        ]
        answers: list[Done] = []
        while True:
            match = (await dice.choice((one, two)).play.tables.current(match_id)).match
            chosen = choice(match, dice)
            if chosen is None:
                break
            command = ask(*chosen, f"{match.version}")
            answers.append(await dice.choice((one, two)).play.execute(match_id, command))
            if dice.random() < 0.1:
                again = await dice.choice((one, two)).play.execute(match_id, command)
                assert again.replayed
                assert (again.events, again.view, again.receipt) == (
                    answers[-1].events,
                    answers[-1].view,
                    answers[-1].receipt,
                )
        async with asyncio.timeout(10):
            for player, task in watching:
                whole = await one.play.history(match_id, None, 0, 10_000, player=player)
                assert await task == whole
        await assert_sound(one.log, match_id, answers)
        final = await refolded(one.log, match_id)
        assert final.status is Status.FINISHED
        for process in (one, two):
            assert (await process.play.folded(match_id, final.version)).match == final
            assert await process.play.view(match_id, None, final.version) == view_of(final, None)
            async with asyncio.timeout(5):  # the last moves came in a rush
                while (kept := await process.views.get(match_id)) is None or kept[
                    0
                ] < final.version:
                    await asyncio.sleep(0.01)
            assert kept[0] == final.version
            assert unpack(kept[1]) == views_of(final)


async def test_two_processes_that_act_at_once_lose_and_double_nothing(
    database: str, redis_url: str, redis_prefix: str
) -> None:
    async with processes(database, redis_url, redis_prefix, STILL, STILL) as (one, two):
        match_id = await table_of(one.play, [ANN, BOB], options=Options(target=2_000))
        first = len(await stored(one.log, match_id))
        answers: list[Done] = []

        async def client(process: Process, seed: int) -> None:
            dice = random.Random(seed)
            for turn in range(40):
                match = (await process.play.tables.current(match_id)).match
                chosen = choice(match, dice)
                if chosen is None:
                    return
                try:
                    command = ask(*chosen, f"{seed}/{turn}")
                    answers.append(await process.play.execute(match_id, command))
                except Exception as error:
                    assert type(error).__name__ in ("RuleViolation", "Busy"), error

        await asyncio.gather(*(client((one, two)[seed % 2], seed) for seed in range(4)))
        events = await stored(one.log, match_id)
        await assert_sound(one.log, match_id, answers)
        acknowledged = {item.version for done in answers for item in done.events}
        assert acknowledged == set(range(first + 1, len(events) + 1))
        assert len(answers) > 40


async def test_bots_of_a_crashed_process_are_moved_by_the_other(
    database: str, redis_url: str, redis_prefix: str
) -> None:
    async with processes(database, redis_url, redis_prefix, SOON, QUICK) as (gone, _):
        match_id = await table_of(gone.play, [ANN], bots=2, options=Options(target=2_000))
        await gone.play.bots.stop()
        before = await to_a_bots_turn(gone.log, gone.play, match_id)
        async with asyncio.timeout(10):
            while (await refolded(gone.log, match_id)).version == before.version:
                await asyncio.sleep(0.1)
        await assert_sound(gone.log, match_id, [])


async def test_a_clock_that_was_set_by_a_process_that_stopped_runs_out_once(
    database: str, redis_url: str, redis_prefix: str
) -> None:
    """AWAY-8: nobody moves, the first process is gone, three others sweep at the deadline."""
    options = Options(clock=Clock(turn=5, answer=5))
    async with processes(database, redis_url, redis_prefix, STILL) as (gone,):
        match_id = await table_of(gone.play, [ANN, BOB], options=options)
        was = deadline((await gone.play.tables.current(match_id)).match)
    assert was is not None
    async with processes(database, redis_url, redis_prefix, STILL, STILL, STILL) as (one, *_):
        async with asyncio.timeout(10):
            while (await one.play.tables.current(match_id)).match.silences == {}:
                await asyncio.sleep(0.1)
        await asyncio.sleep(1.6)  # Each of them has swept once more.
        (acted,) = [r for r in await stored(one.log, match_id) if r.type == "clock_ran_out"]
        assert was <= acted.occurred_at < was + 3 * SECOND
        await assert_sound(one.log, match_id, [])


async def test_a_wiped_redis_is_noticed_by_nobody(
    database: str, redis_url: str, redis_prefix: str
) -> None:
    async with processes(database, redis_url, redis_prefix, STILL, STILL) as (one, two):
        match_id = await table_of(one.play, [ANN, BOB])
        for step in range(5):
            await play_on(one.play, match_id, random.Random(step), 4)
            match = await refolded(one.log, match_id)
            forget_keys(redis_url, redis_prefix)
            for process in (two, one):
                assert await process.play.view(match_id, None, player=ANN) == view_of(match, 0)


async def test_a_database_that_is_away_is_said(
    database: str, redis_url: str, redis_prefix: str
) -> None:
    async with processes(database, redis_url, redis_prefix, STILL) as (one,):
        match_id = await table_of(one.play, [ANN, BOB])
        await one.log.close()
        with pytest.raises(Busy):
            await play_on(one.play, match_id, random.Random(1), 1)
