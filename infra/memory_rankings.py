"""Leaderboards sorted when they are read, from tallies in memory: for tests and for a demo."""

from __future__ import annotations

from collections.abc import Mapping

from domain.rankings import Board, Place, Scope, Standing
from infra.memory_tallies import MemoryTallies


class MemoryRankings:
    """Rankings over MemoryTallies."""

    def __init__(self, tallies: MemoryTallies) -> None:
        self._tallies = tallies

    async def standings(
        self,
        board: Board,
        scope: Scope,
        limit: int,
        after: Place | None = None,
        around: bytes | None = None,
    ) -> tuple[Standing, ...]:
        """A page of a board: see Rankings."""
        ranked = _ranked(self._tallies.scores(board, scope))
        start = 0
        if after is not None:
            place = (after.points, after.player)
            start = sum(1 for line in ranked if (line.points, line.player) >= place)
        elif around is not None:
            places = [place for place, line in enumerate(ranked) if line.player == around]
            if not places:
                return ()
            start = max(0, places[0] - limit // 2)
        return tuple(ranked[start : start + limit])

    async def standing(self, board: Board, scope: Scope, player: bytes) -> Standing | None:
        """A player's line: see Rankings."""
        lines = await self.standings(board, scope, 1, around=player)
        return lines[0] if lines else None

    async def position(self) -> int:
        """The position of the log that the boards have come to."""
        return (await self._tallies.state()).position

    async def forget(self, player: bytes) -> None:
        """Nothing to do: there is no copy of the tallies here."""


def _ranked(scores: Mapping[bytes, int]) -> list[Standing]:
    places = sorted(scores.items(), key=lambda item: item[::-1], reverse=True)
    points = sorted(scores.values(), reverse=True)
    return [
        Standing(points.index(own) + 1, player, own, points.count(own) > 1)
        for player, own in places
    ]
