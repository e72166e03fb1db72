"""What any token buckets must do, in memory and on Redis alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from domain.buckets import Bucket, Buckets, Taken
from domain.ports import Unavailable
from infra.embedded.child import free_port
from infra.memory_buckets import MemoryBuckets
from infra.redis.buckets import RedisBuckets
from infra.redis.server import Server
from service.play.times import now_us

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

HOUR_MS = 3_600_000
SLOW = Bucket("player:ann", 100, HOUR_MS)
"""Fills too slowly for a test to notice."""


@pytest.fixture(params=["memory", "redis"])
async def two(
    request: pytest.FixtureRequest, redis_url: str, redis_prefix: str
) -> AsyncIterator[tuple[Buckets, Buckets]]:
    """The same buckets as two processes see them."""
    if request.param == "memory":
        buckets = MemoryBuckets(now_us)
        yield buckets, buckets
        return
    servers = [Server(redis_url, redis_prefix) for _ in range(2)]
    yield RedisBuckets(servers[0]), RedisBuckets(servers[1])
    for server in servers:
        await server.close()


async def test_a_bucket_is_full_at_first_and_gives_what_is_there(
    two: tuple[Buckets, Buckets],
) -> None:
    one, other = two
    assert await one.take(SLOW, 1, 30) == Taken(30, 70)
    assert await other.take(SLOW, 1, 200) == Taken(70, 0)


async def test_fewer_than_the_least_are_not_taken(two: tuple[Buckets, Buckets]) -> None:
    one, other = two
    await one.take(SLOW, 1, 95)
    refused = await other.take(SLOW, 10, 20)
    assert (refused.tokens, refused.left) == (0, 5)
    assert 0.9 * 5 * HOUR_MS / 100 < refused.wait_ms <= 5 * HOUR_MS / 100
    assert (await one.take(SLOW, 5, 20)).tokens == 5


async def test_buckets_are_apart(two: tuple[Buckets, Buckets]) -> None:
    one, other = two
    await one.take(SLOW, 1, 100)
    assert (await other.take(Bucket("player:bob", 100, HOUR_MS), 1, 1)).left == 99


async def test_many_at_once_never_take_more_than_there_is(two: tuple[Buckets, Buckets]) -> None:
    taken: list[Taken] = []
    for first in range(0, 120, 12):  # a dozen connections: more are a trial of the machine
        asked = [two[n % 2].take(SLOW, 1, 1 + n % 3) for n in range(first, first + 12)]
        taken += await asyncio.gather(*asked)
    assert sum(one.tokens for one in taken) == SLOW.size
    assert all(one.wait_ms for one in taken if not one.tokens)


async def test_a_bucket_fills_with_time_and_not_beyond_its_size(
    two: tuple[Buckets, Buckets],
) -> None:
    fast = Bucket("player:cat", 20, 400)
    assert (await two[0].take(fast, 20, 20)).tokens == 20
    waited = await two[1].take(fast, 20, 20)
    if not waited.tokens:
        await asyncio.sleep(waited.wait_ms / 1_000 + 0.05)
        assert await two[1].take(fast, 20, 99) == Taken(20, 0)


async def test_large_buckets_are_counted_exactly(two: tuple[Buckets, Buckets]) -> None:
    large = Bucket("app:large", 1_000_000, HOUR_MS)
    for _ in range(3):
        await two[0].take(large, 1, 1)
    left = (await two[1].take(large, 1, 1)).left
    assert 999_996 <= left <= 1_000_000


async def test_redis_away_is_said(redis_prefix: str) -> None:
    server = Server(f"redis://127.0.0.1:{free_port()}/0", redis_prefix)
    with pytest.raises(Unavailable):
        await RedisBuckets(server).take(SLOW, 1, 1)
    await server.close()
