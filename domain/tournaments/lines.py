"""Tournaments as lists show them: computed from their streams, kept beside the log.

Not here: what a tournament is (``domain.tournaments.tournament``). Times in microseconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from domain.events import Visibility


class TournamentLine(Struct, frozen=True, gc=False, array_like=True):
    """A tournament as of a version; version 0 is before its first event."""

    tournament: bytes
    version: int
    created_at: int
    status: str
    visibility: Visibility
    format: str
    entrants: int = 0
    rounds: int = 0


class TournamentLines(Protocol):
    """The lines, durable, so that none is overlooked. All methods may raise Unavailable."""

    async def put(self, line: TournamentLine) -> None:
        """Keep a line unless a newer one, or one as new, is there."""

    async def listed(
        self, status: str, before: bytes | None, limit: int
    ) -> tuple[TournamentLine, ...]:
        """Public tournaments of a status, newest first, with ids below ``before``."""

    async def of(self, tournaments: Sequence[bytes]) -> Mapping[bytes, TournamentLine]:
        """The lines of these tournaments, private ones too; one not known is left out."""

    async def going_on(
        self, statuses: Sequence[str], after: bytes | None, a_day_ago: int, limit: int
    ) -> tuple[tuple[bytes, int], ...]:
        """Tournaments of these statuses, and the versions of their lines, by id from ``after`` on.

        One whose stream has not come within a day is left out.
        """
