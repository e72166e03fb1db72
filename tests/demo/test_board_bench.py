"""The measure of a leaderboard fills it, reads it in every way, and leaves nothing behind."""

from __future__ import annotations

import pytest

from infra.redis.server import Server
from service.cli.bench.boards import board_table, measure_boards
from service.cli.bench.place import Place

pytestmark = [pytest.mark.anyio, pytest.mark.servers]


async def test_a_board_is_filled_read_and_removed(redis_url: str, redis_prefix: str) -> None:
    place = Place("", 0, "", redis_url, redis_prefix, None, None)
    said: list[str] = []

    results = await measure_boards(place, 3_000, said.append)

    assert results.players == 3_000 and len(said) == 2
    assert 50 < results.memory_per_player_bytes < 500
    for times in (results.top_100, results.around_me, results.rank_of_one, results.at_server):
        assert 0 < times.p50_ms <= times.p99_ms
    assert "3,000" in board_table(results)
    server = Server(redis_url, redis_prefix)
    assert await server.command("KEYS", f"{redis_prefix}:*") == []
    await server.close()
