"""The leaderboards in Redis held against what Postgres sums; nothing is written there."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

from domain.audit.stored import Broken
from infra.postgres.rankings import PostgresRankings
from infra.redis.rankings import RedisRankings

TRIES: Final = 20
"""How often leaderboards that move on meanwhile are compared anew."""
PAUSE_SECONDS: Final = 0.5


async def check_leaderboards(
    summed: PostgresRankings, copy: RedisRankings
) -> tuple[list[Broken], str | None]:
    """Compare every score of every board, and how many there are.

    Returns what differs, and why nothing could be compared, if so.
    """
    for _ in range(TRIES):
        before, state = await copy.copied(), await summed.state()
        if before is None:
            return [], "the leaderboards in Redis are not filled"
        if (before.revision, before.removals) == (state.revision, state.removals):
            broken = await _differences(summed, copy, before.generation)
            if await copy.copied() == before and await summed.state() == state:
                return broken, None
        await asyncio.sleep(PAUSE_SECONDS)
    return [], "the leaderboards in Redis do not stand still: many matches end"


async def _differences(
    summed: PostgresRankings, copy: RedisRankings, generation: str
) -> list[Broken]:
    players: Counter[str] = Counter()
    async for scores in summed.all():
        for score, found in zip(scores, await copy.scored(generation, scores), strict=True):
            if found != score.points:
                words = f"{score.board} of {score.player.hex()} is {found}, not {score.points}"
                return [Broken("leaderboards", words)]
        players.update(copy.key_of(generation, score) for score in scores)
    for key, size in (await copy.sizes(generation)).items():
        if players[key] != size:
            words = f"{size} players are on a board of {players[key]}: {key}"
            return [Broken("leaderboards", words)]
    return []
