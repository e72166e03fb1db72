"""A database looked through by one process or several, all of which see the same moment."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from multiprocessing import get_context
from typing import Final

from msgspec import Struct

from domain.audit.stored import Broken
from domain.ports import Unavailable
from infra.fsck.beside import check_beside
from infra.fsck.leaderboards import check_leaderboards
from infra.fsck.projections import ViewCheck, check_boards
from infra.fsck.reading import moment, share
from infra.fsck.streams import Part, check_streams, parts
from infra.fsck.tree import TreeCheck
from infra.postgres.log import PostgresLog
from infra.postgres.pool import Connection
from infra.postgres.rankings import PostgresRankings
from infra.redis.boards import RedisBoards
from infra.redis.generations import Generations
from infra.redis.rankings import RedisRankings
from infra.redis.server import Server
from infra.redis.views import RedisViews
from infra.sealing import Sealer, key_from

PART_EVENTS: Final = 20_000
"""About as many events are looked at in one go: some tenths of a second."""
PARTS_MAX: Final = 1_000
PARTS_WORTH: Final = 5
"""Fewer are done before other processes have started."""


class Place(Struct, frozen=True):
    """What is looked through. ``redis_url`` is None where no projections are compared; ``told`` is
    the note of the last checkpoint, kept outside the database."""

    database_url: str
    seal_key: str
    redis_url: str | None
    redis_prefix: str
    told: str | None


class Done(Struct, frozen=True):
    """What a part of the work came to."""

    broken: tuple[Broken, ...] = ()
    streams: int = 0
    events: int = 0
    checkpoints: int | None = None
    views: int = 0
    behind: int = 0
    went_back: bool = False
    remark: str | None = None


async def looked_through(place: Place, jobs: int) -> AsyncIterator[Done]:
    """What each part came to, as they are done; raises Unavailable, NotMigrated, SealKeyError."""
    log = await PostgresLog.open(place.database_url, Sealer(key_from(place.seal_key)), pool_size=2)
    try:
        place, remark = await _without_lost_redis(place)
        if remark is not None:
            yield Done(remark=remark)
        async with moment(place.database_url) as connection:
            shared = await share(connection)
            count = min(PARTS_MAX, await log.position() // PART_EVENTS)
            todo = await parts(connection, max(1, count))
            yield Done(tuple(await check_beside(connection)))
            if jobs == 1 or len(todo) < PARTS_WORTH:
                yield await _tree(place, connection)
                for part in todo:
                    yield await _part(place, connection, part)
            else:
                async for done in _in_processes(place, shared, todo, jobs):
                    yield done
        if place.redis_url is not None:
            yield await _boards(place, log)
            yield await _leaderboards(place, log)
    finally:
        await log.close()


async def _in_processes(
    place: Place, shared: str, todo: list[Part], jobs: int
) -> AsyncIterator[Done]:
    """The same by processes of their own, in any order."""
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        work = [loop.run_in_executor(pool, partial(_alone, place, shared, None))]
        work += [loop.run_in_executor(pool, partial(_alone, place, shared, part)) for part in todo]
        try:
            for done in asyncio.as_completed(work):
                yield await done
        finally:
            for one in work:
                one.cancel()


def _alone(place: Place, shared: str, part: Part | None) -> Done:
    """A part in a process that does nothing else; the tree where it is None."""

    async def run() -> Done:
        async with moment(place.database_url, shared) as connection:
            if part is None:
                return await _tree(place, connection)
            return await _part(place, connection, part)

    return asyncio.run(run())


async def _tree(place: Place, connection: Connection) -> Done:
    check = TreeCheck(connection, place.told)
    await check.run()
    return Done(tuple(check.broken), checkpoints=check.checkpoints, went_back=check.went_back)


async def _part(place: Place, connection: Connection, part: Part) -> Done:
    """The streams of a part, and their views."""
    sealer = Sealer(key_from(place.seal_key))
    gc.disable()  # nothing that is made here refers back to itself
    try:
        if place.redis_url is None:
            count, broken = await check_streams(connection, sealer, part)
            return Done(tuple(broken), count.streams, count.events)
        async with _redis(place.redis_url, place.redis_prefix) as (server, generations):
            views = ViewCheck(RedisViews(server, generations), partial(_heads, place))
            count, broken = await check_streams(connection, sealer, part, seen=views.add)
            await views.compare()
            faults = (*broken, *views.broken)
            return Done(
                faults, count.streams, count.events, views=views.compared, behind=views.behind
            )
    finally:
        gc.enable()


async def _heads(place: Place, matches: list[bytes]) -> dict[bytes, int]:
    """The versions of matches as the log has them now."""
    async with moment(place.database_url) as connection:
        rows = await connection.fetch(
            "SELECT stream_id, version FROM stream_head WHERE log_id = 0 AND stream_id = ANY ($1)",
            matches,
        )
        return {row["stream_id"]: row["version"] for row in rows}


async def _boards(place: Place, log: PostgresLog) -> Done:
    async with _redis(str(place.redis_url), place.redis_prefix) as (server, generations):
        broken, remark = await check_boards(log.pool, RedisBoards(server, generations))
    return Done(tuple(broken), remark=remark)


async def _leaderboards(place: Place, log: PostgresLog) -> Done:
    async with _redis(str(place.redis_url), place.redis_prefix) as (server, _):
        summed, copy = PostgresRankings(log.pool), RedisRankings(server)
        broken, remark = await check_leaderboards(summed, copy)
    return Done(tuple(broken), remark=remark)


async def _without_lost_redis(place: Place) -> tuple[Place, str | None]:
    """The same without Redis if it does not answer, and a remark that it does not."""
    if place.redis_url is None:
        return place, None
    async with _redis(place.redis_url, place.redis_prefix) as (server, _):
        try:
            await server.command("PING")
        except Unavailable as error:
            without = Place(place.database_url, place.seal_key, None, "", place.told)
            return without, f"Redis does not answer, projections are not compared: {error}"
    return place, None


@asynccontextmanager
async def _redis(url: str, prefix: str) -> AsyncIterator[tuple[Server, Generations]]:
    server = Server(url, prefix)
    try:
        yield server, Generations(server)
    finally:
        await server.close()
