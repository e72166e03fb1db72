"""Leaderboards and lobby in one process: for tests, a demo, and while Redis is away.

Sorted when read: it is no store for millions of players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from domain.events import Visibility
from domain.match import Status
from domain.ports import (
    Board,
    BoardBatch,
    BoardState,
    MatchLine,
    StaleLeader,
    Standing,
)

SET_ASIDE: Final = "set_aside"
"""The list of matches with an event that could not be read."""
SET_ASIDE_MAX: Final = 1_000
"""How many of them are looked at again at a time; there should be none."""


class MemoryBoards:
    """The boards in dicts, with the position up to which they are complete."""

    def __init__(self) -> None:
        self._position = 0
        self._forgotten = 0
        self._epoch = 0
        self._points: dict[Board, dict[bytes, int]] = {board: {} for board in Board}
        self._lines: dict[bytes, MatchLine] = {}

    async def state(self) -> BoardState | None:
        """How far they have come; never None: what is here was never lost."""
        return BoardState(self._position, self._forgotten)

    async def apply(self, batch: BoardBatch) -> bool:
        """Apply a batch and move the position, iff it starts where they stand; else False."""
        if batch.epoch < self._epoch:
            raise StaleLeader
        self._epoch = batch.epoch
        if (batch.start, batch.forgotten) != (self._position, self._forgotten):
            return False
        self._lines.update({line.match: line for line in batch.lines})
        for award in batch.awards:
            counted = self._points[award.board]
            counted[award.player] = counted.get(award.player, 0) + award.points
        self._position = batch.end
        return True

    async def standings(
        self,
        board: Board,
        limit: int,
        after: Standing | None = None,
        around: bytes | None = None,
    ) -> tuple[Standing, ...]:
        """A page of a board, best first: from the top, after a line, or around a player."""
        ranked = self._ranked(board)
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

    async def standing(self, board: Board, player: bytes) -> Standing | None:
        """A player's line; None for who is not on the board."""
        points = self._points[board].get(player)
        if points is None:
            return None
        return Standing(self._rank(board, points), player, points)

    async def lobby(
        self, status: Status, limit: int, before: int | None = None
    ) -> tuple[MatchLine, ...]:
        """Public matches of a status, newest first, created before a position."""
        return self._listed(status, limit, before)

    async def set_aside(self) -> tuple[MatchLine, ...]:
        """The newest matches that are set aside."""
        return self._listed(SET_ASIDE, SET_ASIDE_MAX, None)

    async def lines(self, matches: Sequence[bytes]) -> Mapping[bytes, MatchLine]:
        """The lines of these matches; one that is not known is left out."""
        return {match: self._lines[match] for match in matches if match in self._lines}

    def matches(self) -> tuple[bytes, ...]:
        """All matches that are known."""
        return tuple(self._lines)

    async def forget(self, player: bytes) -> None:
        """Take an erased person off every board, for good."""
        self._forgotten += 1
        for counted in self._points.values():
            counted.pop(player, None)

    def _listed(self, name: str, limit: int, before: int | None) -> tuple[MatchLine, ...]:
        listed = [
            line
            for line in self._lines.values()
            if list_of(line) == name and (before is None or line.position < before)
        ]
        listed.sort(key=lambda line: line.position, reverse=True)
        return tuple(listed[:limit])

    def _rank(self, board: Board, points: int) -> int:
        return 1 + sum(1 for other in self._points[board].values() if other > points)

    def _ranked(self, board: Board) -> list[Standing]:
        ranked: list[Standing] = []
        places = sorted(self._points[board].items(), key=lambda item: item[::-1], reverse=True)
        for place, (player, points) in enumerate(places, start=1):
            tied = bool(ranked) and ranked[-1].points == points
            ranked.append(Standing(ranked[-1].rank if tied else place, player, points))
        return ranked


def list_of(line: MatchLine) -> str | None:
    """The list that shows a line: its status's; SET_ASIDE; None for a private match."""
    if line.set_aside:
        return SET_ASIDE
    return str(line.status) if line.visibility is Visibility.PUBLIC else None
