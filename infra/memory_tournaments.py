"""Tournaments as lists show them, in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.events import Visibility
from domain.tournaments.lines import TournamentLine


class MemoryTournamentLines:
    """TournamentLines in memory."""

    def __init__(self) -> None:
        self._lines: dict[bytes, TournamentLine] = {}

    async def put(self, line: TournamentLine) -> None:
        """Keep a line unless a newer one, or one as new, is there."""
        kept = self._lines.get(line.tournament)
        if kept is None or kept.version < line.version:
            self._lines[line.tournament] = line

    async def listed(
        self, status: str, before: bytes | None, limit: int
    ) -> tuple[TournamentLine, ...]:
        """Public tournaments of a status, newest first."""
        found = (
            line
            for id, line in sorted(self._lines.items(), reverse=True)
            if line.visibility is Visibility.PUBLIC
            and line.status == status
            and (before is None or id < before)
        )
        return tuple(found)[:limit]

    async def of(self, tournaments: Sequence[bytes]) -> Mapping[bytes, TournamentLine]:
        """The lines of these tournaments."""
        return {id: self._lines[id] for id in tournaments if id in self._lines}

    async def going_on(
        self, statuses: Sequence[str], after: bytes | None, a_day_ago: int, limit: int
    ) -> tuple[tuple[bytes, int], ...]:
        """Tournaments of these statuses, by id."""
        found = [
            (id, line.version)
            for id, line in sorted(self._lines.items())
            if line.status in statuses
            and (after is None or id > after)
            and (line.version > 0 or line.created_at > a_day_ago)
        ]
        return tuple(found[:limit])
