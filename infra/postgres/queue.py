"""Those who wait for a quick match, on Postgres. Each call is made of autocommit statements."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import asyncpg

from domain.ports import Unavailable
from domain.waiting import Ticket
from infra.postgres.pool import Pool, fetch

ATTEMPTS: Final = 8
"""Of entering: each that fails means that another ticket of the person came and went meanwhile."""


class PostgresQueue:
    """Queue on Postgres."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def enter(self, ticket: Ticket, now: int) -> Ticket | None:
        """Begin to wait; the ticket that counts, None for a person who is erased.

        It is read in a statement of its own: one that another process stored meanwhile is not
        seen by the statement that it was in the way of. If that one has a match, or was given
        back, before it is read, it is in nobody's way any more.
        """
        values = (ticket.player, ticket.salt, ticket.wish, ticket.since, ticket.until, now)
        for _ in range(ATTEMPTS):
            with suppress(asyncpg.UniqueViolationError):  # the same request, twice at once
                await fetch(self._pool, "queue_enter", ticket.id, *values)
            if rows := await fetch(self._pool, "queue_entered", ticket.id, ticket.player):
                return Ticket(*rows[0])
            if gone := await fetch(self._pool, "queue_gone", ticket.id, ticket.player):
                return None if gone[0]["erased"] else ticket
        raise Unavailable("the tickets of this player change too fast")

    async def ticket(self, id: bytes) -> Ticket | None:
        """A ticket as it stands."""
        rows = await fetch(self._pool, "queue_ticket", id)
        return Ticket(*rows[0]) if rows else None

    async def stay(self, id: bytes, until: int) -> None:
        """Let a ticket that waits run out later."""
        await fetch(self._pool, "queue_stay", id, until)

    async def pair(self, wish: bytes, people: int, match: bytes, now: int) -> bool:
        """Give a match to those who have waited longest for this, if they are enough."""
        return bool(await fetch(self._pool, "queue_pair", wish, people, match, now))

    async def party(self, match: bytes) -> tuple[Ticket, ...]:
        """The tickets of a match, who waited longest first."""
        return tuple(Ticket(*row) for row in await fetch(self._pool, "queue_party", match))

    async def leave(self, id: bytes) -> bool:
        """Wait no longer; False if there is a match for this ticket already."""
        await fetch(self._pool, "queue_leave", id)
        return not await fetch(self._pool, "queue_ticket", id)

    async def forget(self, player: bytes) -> None:
        """Forget the tickets of an erased person."""
        await fetch(self._pool, "queue_forget", player)
