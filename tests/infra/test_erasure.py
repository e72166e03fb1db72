"""A person who is erased while something is stored for them, by two processes."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest

from domain.ports import Player
from infra.postgres.pool import connect, open_pool
from infra.postgres.registry import PostgresRegistry
from infra.postgres.statements import statement
from infra.sealing import Sealer
from tests.contract.pen import fresh_id

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

ANN = Player(id=b"A" * 16, name="Ann", app=None, created_at=1_700_000_000_000_000)
ACTS: dict[str, tuple[Any, ...]] = {
    "hold_seat": (fresh_id(), ANN.id, b"salt", "digest"),
    "add_token": (b"hash", "player", ANN.id, ANN.created_at, None),
    "add_match": (fresh_id(), ANN.id, None, None, [], 0, None, None),
}


@pytest.mark.parametrize("act", ACTS)
async def test_an_erasure_waits_for_what_is_being_stored_and_forgets_it(
    database: str, act: str
) -> None:
    other = await connect(database)
    async with AsyncExitStack() as closing:
        closing.push_async_callback(other.close)
        pool = await closing.enter_async_context(await open_pool(database, size=2))
        registry = PostgresRegistry(pool, Sealer(bytes(32)))
        await registry.add_player(ANN, None)

        async with other.transaction():
            await other.execute(statement(act), *ACTS[act])
            erasing = asyncio.create_task(registry.begin_erasure(ANN.id))
            done, _ = await asyncio.wait([erasing], timeout=0.3)
            assert not done
        await erasing
        await registry.erase_player(ANN.id)

        assert await registry.matches_of(ANN.id, None, 10) == ()
        assert await registry.principal(b"hash", ANN.created_at) is None
        facts = await registry.match_facts(ACTS["add_match"][0])
        assert facts is None or facts.created_by is None
