"""The shared fixtures give what they promise."""

from __future__ import annotations

import asyncpg
import pytest
import redis.asyncio

from tests.servers import database_name, role_name

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

_seen: list[str] = []


@pytest.mark.parametrize("run", [1, 2])
async def test_each_test_gets_a_database_of_its_own(database: str, run: int) -> None:
    connection = await asyncpg.connect(database)
    try:
        await connection.execute("create table mine (n int)")
        version = await connection.fetchval("show server_version_num")
        roles = await connection.fetch("select rolname from pg_roles")
    finally:
        await connection.close()
    assert database not in _seen
    assert int(version) >= 150000
    assert role_name(database_name(database)) in {role["rolname"] for role in roles}
    _seen.append(database)


async def test_the_keys_server_answers_and_the_prefix_is_unused(
    redis_url: str, redis_prefix: str
) -> None:
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        assert await client.keys(f"{redis_prefix}*") == []
        assert await client.set(f"{redis_prefix}:a", "1")
