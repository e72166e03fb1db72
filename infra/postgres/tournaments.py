"""Tournaments as lists show them, on Postgres. Each call is one autocommit statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from domain.events import Visibility
from domain.tournaments.lines import TournamentLine
from infra.postgres.pool import Pool, fetch


class PostgresTournamentLines:
    """TournamentLines on Postgres."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def put(self, line: TournamentLine) -> None:
        """Keep a line unless a newer one, or one as new, is there."""
        is_public = line.visibility is Visibility.PUBLIC
        packed = _encoder.encode(line)
        values = (line.version, line.created_at, line.status, is_public, packed)
        await fetch(self._pool, "put_tournament", line.tournament, *values)

    async def listed(
        self, status: str, before: bytes | None, limit: int
    ) -> tuple[TournamentLine, ...]:
        """Public tournaments of a status, newest first."""
        rows = await fetch(self._pool, "list_tournaments", status, before, limit)
        return tuple(_decoder.decode(row["line"]) for row in rows)

    async def of(self, tournaments: Sequence[bytes]) -> Mapping[bytes, TournamentLine]:
        """The lines of these tournaments."""
        rows = await fetch(self._pool, "tournament_lines", tournaments)
        return {row["tournament_id"]: _decoder.decode(row["line"]) for row in rows}

    async def going_on(
        self, statuses: Sequence[str], after: bytes | None, a_day_ago: int, limit: int
    ) -> tuple[tuple[bytes, int], ...]:
        """Tournaments of these statuses, by id."""
        rows = await fetch(
            self._pool, "tournaments_going_on", list(statuses), after, a_day_ago, limit
        )
        return tuple((row["tournament_id"], row["version"]) for row in rows)


_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(TournamentLine)
