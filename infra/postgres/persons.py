"""What is kept of a person on Postgres, to be given to them."""

from __future__ import annotations

from domain.persons import Creation, KeptRequest
from domain.waiting import Ticket
from infra.postgres.pool import Pool, fetch


class PostgresPersons:
    """Persons through a pool."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def requests(self, player: bytes) -> tuple[KeptRequest, ...]:
        """The requests of a person that are kept for retries."""
        rows = await fetch(self._pool, "requests_of", f"player:{player.hex()}")
        return tuple(KeptRequest(*row) for row in rows)

    async def creations(
        self, player: bytes, before: bytes | None, limit: int
    ) -> tuple[Creation, ...]:
        """What a person has set up, newest first, with ids below ``before``."""
        rows = await fetch(self._pool, "creations_of", player, before, limit)
        return tuple(Creation(row["match_id"], tuple(row["tags"])) for row in rows)

    async def tickets(self, player: bytes) -> tuple[Ticket, ...]:
        """A person's tickets, the oldest first."""
        return tuple(Ticket(*row) for row in await fetch(self._pool, "tickets_of", player))
