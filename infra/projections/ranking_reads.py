"""Leaderboards as requests read them: from the copy in Redis, else summed on Postgres."""

from __future__ import annotations

from contextlib import suppress

from domain.ports import Unavailable
from domain.rankings import Board, Place, Rankings, Scope, Standing


class RankingReads:
    """Rankings from a copy, or from what it is a copy of: slower, and never away for long."""

    def __init__(self, copy: Rankings, original: Rankings) -> None:
        self._copy = copy
        self._original = original
        self.reads_original = False
        """Whether the last answer was summed on Postgres."""
        self.original_reads = 0
        """How often answers were: for a metric."""

    async def standings(
        self,
        board: Board,
        scope: Scope,
        limit: int,
        after: Place | None = None,
        around: bytes | None = None,
    ) -> tuple[Standing, ...]:
        """A page of a board: see Rankings."""
        try:
            page = await self._copy.standings(board, scope, limit, after, around)
        except Unavailable:
            self.reads_original = True
            self.original_reads += 1
            return await self._original.standings(board, scope, limit, after, around)
        self.reads_original = False
        return page

    async def standing(self, board: Board, scope: Scope, player: bytes) -> Standing | None:
        """A player's line: see Rankings."""
        lines = await self.standings(board, scope, 1, around=player)
        return lines[0] if lines else None

    async def position(self) -> int:
        """The position of the log that what is read has come to."""
        try:
            return await self._copy.position()
        except Unavailable:
            return await self._original.position()

    async def forget(self, player: bytes) -> None:
        """Take an erased person off the copy; if Redis is away, it is filled anew later."""
        with suppress(Unavailable):
            await self._copy.forget(player)
