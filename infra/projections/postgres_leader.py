"""The lead by a session's advisory lock in Postgres: gone when its connection is gone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import asyncpg

from domain.ports import Unavailable
from infra.postgres.pool import FAILURES, Connection

LOCK: Final = 0x74616C6F6E01
"""The number of the lock of the boards and views: ``talon`` and 1."""
NOTICES_LOCK: Final = LOCK + 1
"""That of deliveries, which go on without Redis."""
CHECKPOINT_LOCK: Final = LOCK + 2
"""Of whoever signs checkpoints."""
TALLIES_LOCK: Final = LOCK + 3
"""That of statistics and ratings, which go on without Redis."""

# The transaction's number is taken after the lock is, so each leader's is higher than those before.
_TAKE: Final = """
SELECT CASE WHEN pg_try_advisory_lock($1) THEN pg_current_xact_id()::text::bigint END
"""


class PostgresLeader:
    """A candidate with a connection of its own, which ``connect`` opens."""

    def __init__(self, connect: Callable[[], Awaitable[Connection]], lock: int = LOCK) -> None:
        self._connect = connect
        self._lock = lock
        self._connection: Connection | None = None
        self._epoch: int | None = None

    async def epoch(self) -> int | None:
        """This process's epoch while it leads; asks the server each time whether it is there."""
        try:
            if self._connection is None or self._connection.is_closed():
                self._epoch = None
                self._connection = await self._connect()
            if self._epoch is None:
                self._epoch = await self._connection.fetchval(_TAKE, self._lock)
            else:
                await self._connection.fetchval("SELECT 1")
        except FAILURES as error:
            await self.resign()
            raise Unavailable(str(error)) from error
        return self._epoch

    async def resign(self) -> None:
        """Close the connection, and with it give up the lock."""
        connection, self._connection, self._epoch = self._connection, None, None
        if connection is not None:
            try:
                await connection.close(timeout=1)
            except (*FAILURES, asyncpg.InternalClientError):
                connection.terminate()
