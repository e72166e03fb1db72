"""Leaderboards and lobby in one process: for tests, a demo, and while Redis is away.

Sorted when read: it is no store for millions of players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from domain.events import Visibility
from domain.match import Status
from domain.ports import (
    BoardBatch,
    BoardState,
    MatchLine,
    StaleLeader,
)

SET_ASIDE: Final = "set_aside"
"""The list of matches with an event that could not be read."""
SET_ASIDE_MAX: Final = 1_000
"""How many of them are looked at again at a time; there should be none."""


class MemoryBoards:
    """The boards in dicts, with the position up to which they are complete."""

    def __init__(self) -> None:
        self._position = 0
        self._epoch = 0
        self._lines: dict[bytes, MatchLine] = {}

    async def state(self) -> BoardState | None:
        """How far they have come; never None: what is here was never lost."""
        return BoardState(self._position)

    async def apply(self, batch: BoardBatch) -> bool:
        """Apply a batch and move the position, iff it starts where they stand; else False."""
        if batch.epoch < self._epoch:
            raise StaleLeader
        self._epoch = batch.epoch
        if batch.start != self._position:
            return False
        self._lines.update({line.match: line for line in batch.lines})
        self._position = batch.end
        return True

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

    def _listed(self, name: str, limit: int, before: int | None) -> tuple[MatchLine, ...]:
        listed = [
            line
            for line in self._lines.values()
            if list_of(line) == name and (before is None or line.position < before)
        ]
        listed.sort(key=lambda line: line.position, reverse=True)
        return tuple(listed[:limit])


def list_of(line: MatchLine) -> str | None:
    """The list that shows a line: its status's; SET_ASIDE; None for a private match."""
    if line.set_aside:
        return SET_ASIDE
    return str(line.status) if line.visibility is Visibility.PUBLIC else None
