"""What any view store must do, in memory and on Redis alike: newest wins, in any order."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from domain.ports import Hints, ViewStore
from infra.memory_views import MISSED, MemoryHints, MemoryViews
from infra.redis.generations import Generations
from infra.redis.hints import RedisHints
from infra.redis.server import Server
from infra.redis.views import RedisViews

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

MATCH, OTHER = bytes(range(16)), bytes(range(1, 17))


class Stores(NamedTuple):
    views: ViewStore
    hints: Hints


@pytest.fixture(params=["memory", "redis"])
async def stores(
    request: pytest.FixtureRequest, redis_url: str, redis_prefix: str
) -> AsyncIterator[Stores]:
    if request.param == "memory":
        hints = MemoryHints()
        yield Stores(MemoryViews(hints), hints)
        return
    server = Server(redis_url, redis_prefix)
    yield Stores(RedisViews(server, Generations(server)), RedisHints(server))
    await server.close()


async def test_a_match_that_nobody_stored_has_no_views(stores: Stores) -> None:
    assert await stores.views.get(MATCH) is None


async def test_what_is_put_is_got(stores: Stores) -> None:
    await stores.views.put({MATCH: (3, b"\x00three\xff"), OTHER: (1, b"")})
    assert await stores.views.get(MATCH) == (3, b"\x00three\xff")
    assert await stores.views.get(OTHER) == (1, b"")


async def test_an_older_version_never_replaces_a_newer_one(stores: Stores) -> None:
    await stores.views.put({MATCH: (300, b"new")})
    await stores.views.put({MATCH: (299, b"old")})
    await stores.views.put({MATCH: (300, b"the same again")})
    assert await stores.views.get(MATCH) == (300, b"new")


@pytest.mark.parametrize("seed", range(5))
async def test_puts_in_any_order_and_twice_leave_the_newest(stores: Stores, seed: int) -> None:
    dice = random.Random(seed)
    versions = [*range(1, 1 + 300), *dice.sample(range(1, 301), 50)]
    dice.shuffle(versions)
    newest = 0
    for version in versions:
        await stores.views.put({MATCH: (version, b"v%d" % version)})
        newest = max(newest, version)
        assert await stores.views.get(MATCH) == (newest, b"v%d" % newest)
    assert newest == 300


async def test_a_put_of_nothing_is_nothing(stores: Stores) -> None:
    await stores.views.put({})
    assert await stores.views.get(MATCH) is None


async def test_listeners_hear_of_newer_versions(stores: Stores) -> None:
    listening = stores.hints.listen()
    assert await anext(listening) == MISSED
    await stores.views.put({MATCH: (2, b"two")})
    await stores.views.put({MATCH: (1, b"one")})
    await stores.views.put({OTHER: (7, b"seven")})
    async with asyncio.timeout(2):
        heard = [await anext(listening)]
        while heard[-1][0] == MATCH:
            heard.append(await anext(listening))
    await listening.aclose()  # type: ignore[attr-defined]
    assert heard[0] == (MATCH, 2)
    assert heard[-1] == (OTHER, 7)


async def test_one_put_tells_of_all_its_matches(stores: Stores) -> None:
    listening = stores.hints.listen()
    assert await anext(listening) == MISSED
    await stores.views.put({MATCH: (2, b"two"), OTHER: (7, b"seven")})
    async with asyncio.timeout(2):
        heard = {await anext(listening), await anext(listening)}
    await listening.aclose()  # type: ignore[attr-defined]
    assert heard == {(MATCH, 2), (OTHER, 7)}


async def test_every_listener_hears(stores: Stores) -> None:
    listeners = [stores.hints.listen() for _ in range(3)]
    for listener in listeners:
        assert await anext(listener) == MISSED
    await stores.views.put({MATCH: (1, b"one")})
    async with asyncio.timeout(2):
        for listener in listeners:
            assert await anext(listener) == (MATCH, 1)
    for listener in listeners:
        await listener.aclose()  # type: ignore[attr-defined]
