"""What was done after restores of the database, on Postgres."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from msgspec import Struct

from domain.codec import is_of_a_tournament
from infra.postgres.pool import Pool, fetch

PAGE: Final = 500


class Restore(Struct, frozen=True):
    """What a restore asked for: begun when the log ended at ``position``, in microseconds.

    ``origin`` is the log's name since, if it took another one; ``lost`` the checkpoint that it
    went back behind, if it did; ``done_at`` is None until every match is dealt anew.
    """

    number: int
    position: int
    origin: str | None
    lost: str | None
    begun_at: int
    done_at: int | None = None


class PostgresRestores:
    """The restores of a log, and which matches they are about."""

    def __init__(self, pool: Pool, log_id: int = 0) -> None:
        self._pool = pool
        self._log_id = log_id

    async def newest(self) -> Restore | None:
        """The newest one, if there ever was one."""
        rows = await fetch(self._pool, "restore_newest", self._log_id)
        return Restore(*rows[0]) if rows else None

    async def begin(self, restore: Restore) -> None:
        """Keep one that is begun."""
        await fetch(
            self._pool,
            "restore_begin",
            self._log_id,
            *(restore.number, restore.position, restore.origin, restore.lost, restore.begun_at),
        )

    async def finish(self, restore: Restore, now: int) -> None:
        """Note that it is done."""
        await fetch(self._pool, "restore_done", self._log_id, restore.number, now)

    async def matches(self, restore: Restore) -> AsyncIterator[bytes]:
        """The open matches that began before it."""
        last = bytes(16)
        while True:
            rows = await fetch(
                self._pool, "open_streams", self._log_id, restore.position, last, PAGE
            )
            for row in rows:
                last = row["stream_id"]
                if not is_of_a_tournament(row["type"]):
                    yield last
            if len(rows) < PAGE:
                return
