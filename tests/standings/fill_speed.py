"""How long a cold Redis takes to have all leaderboards again, by the number of players.

``python -m tests.standings.fill_speed 100000`` makes so many players with two matches each, in two
months and two forms, on an embedded Postgres and Valkey of its own, and fills the leaderboards.
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Final

import asyncpg

from infra.postgres.pool import open_pool
from infra.postgres.rankings import PostgresRankings
from infra.projections.ranking_copy import RankingCopy
from infra.redis.rankings import RedisRankings
from infra.redis.server import Server
from service.cli.bench.place import place

_ROWS: Final = """
INSERT INTO seat_result SELECT
    1, gen_random_uuid(), 0, md5(person::text)::uuid, person * 2 + match, now(),
    CASE match WHEN 0 THEN '2026-01' ELSE '2026-02' END,
    CASE match WHEN 0 THEN 'free_for_all' ELSE 'teams' END,
    NULL, false, 1, 0, 1, person % 500, 3, 1, 0, 0, 2, 0, 0, 9,
    25000000 + person, 8000000, 25000000 + person, 8000000, 1
FROM generate_series(1, $1::int) AS person, generate_series(0, 1) AS match
"""


async def fill(players: int) -> None:
    """Fill, and print how long that took."""
    async with place(None, None, 1) as found:
        owner = await asyncpg.connect(found.database_url)
        await owner.execute(_ROWS, players, timeout=600)
        await owner.execute("ANALYZE seat_result")
        await owner.close()
        pool = await open_pool(found.database_url, size=2)
        server = Server(found.redis_url, "fill-speed")
        copy = RankingCopy(PostgresRankings(pool), RedisRankings(server))
        began, spent = time.perf_counter(), time.process_time()
        assert await copy.fill(1)
        took, spent = time.perf_counter() - began, time.process_time() - spent
        scores = sum((await RedisRankings(server).sizes(await _live(server))).values())
        print(
            f"{players:,} players, {scores:,} scores: {took:.1f} s, {spent:.1f} s of this process"
        )
        await server.close()
        await pool.close()


async def _live(server: Server) -> str:
    copied = await RedisRankings(server).copied()
    assert copied is not None
    return copied.generation


if __name__ == "__main__":
    asyncio.run(fill(int(sys.argv[1])))
