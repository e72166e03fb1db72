"""Keeps the leaderboards in Redis a copy of what Postgres says, and fills them where they are lost.

Scores are written as they are, not added to: writing one twice, or a newer one, does no harm.
What is taken away (a void match, an erased person) is told by ``removals``: where the copy has
another number, it is filled anew beside the old one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final, Protocol

from domain.rankings import Score
from domain.tallies import TallyState
from infra.redis.rankings import Copied, RedisRankings

PATIENCE: Final = 2
"""Looks that must find something taken away before all is filled: who erases tells Redis next."""


class Scores(Protocol):
    """Where the scores come from."""

    async def state(self) -> TallyState:
        """How far the tallies have come."""

    def changed(self, revision: int) -> AsyncIterator[list[Score]]:
        """The scores of everybody for whom anything has changed since a revision."""

    def all(self) -> AsyncIterator[list[Score]]:
        """The scores of everybody."""


class RankingCopy:
    """The copy of one Redis, kept by the process that counts."""

    def __init__(self, source: Scores, store: RedisRankings) -> None:
        self._source = source
        self._store = store
        self._looks = 0
        self.position = 0
        """The position of the log that the copy was last known to have come to."""
        self.filled = 0
        """How often it was filled from the start."""

    async def step(self, epoch: int) -> bool:
        """Bring the copy up to the tallies; whether that is to be looked at again at once.

        Raises StaleLeader and Unavailable.
        """
        copied, state = await self._store.copied(), await self._source.state()
        if copied is not None and copied.removals != state.removals:
            self._looks += 1
            if self._looks < PATIENCE:
                return False
            copied = None
        self._looks = 0
        if copied is None or copied.revision > state.revision:
            return not await self.fill(epoch)
        self.position = copied.position
        if copied.revision == state.revision:
            return False
        return await self._follow(copied, state, epoch)

    async def fill(self, epoch: int) -> bool:
        """Write everything anew beside what is read; False if something was removed meanwhile."""
        state, generation = await self._source.state(), self._store.begin()
        await self._write_all(generation)
        if (await self._source.state()).removals != state.removals:
            return False
        await self._store.switch(generation, state, epoch)
        self.position = state.position
        self.filled += 1
        return True

    async def _write_all(self, generation: str) -> None:
        """Write everybody's scores: the next ones are summed while some are written."""
        writing: asyncio.Task[None] | None = None
        try:
            async for scores in self._source.all():
                if writing is not None:
                    await writing
                writing = asyncio.create_task(self._store.fill(generation, scores))
        finally:
            if writing is not None:
                await writing

    async def _follow(self, copied: Copied, state: TallyState, epoch: int) -> bool:
        """Write what has changed; the revision moves with the last of it."""
        to = TallyState(copied.position, 0, copied.removals, copied.revision)
        async for scores in self._source.changed(copied.revision):
            if not await self._store.write(copied, to, scores, epoch):
                return True
        if not await self._store.write(copied, state, (), epoch):
            return True
        self.position = state.position
        return False
