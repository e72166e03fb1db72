"""One moment of a database, read by several connections: nothing is locked, play goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncpg

from infra.postgres.pool import FAILURES, Connection, connect, translated

ROWS: Final = 2_000
"""At once: about a megabyte of events."""
ROWS_SECONDS: Final = 600
"""The first rows of a large database may have to be looked for."""

_SETTINGS: Final = {
    "application_name": "talon fsck",
    "statement_timeout": "0",
    "idle_in_transaction_session_timeout": "0",
    # Rows are wanted in the order of an index, from the first one on.
    "enable_sort": "off",
    "enable_bitmapscan": "off",
}


@asynccontextmanager
async def moment(url: str, shared: str | None = None) -> AsyncIterator[Connection]:
    """A connection that sees one moment: a new one, or that which another ``shared``."""
    connection = await connect(url, settings=_SETTINGS)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            if shared is not None:
                await connection.execute(f"SET TRANSACTION SNAPSHOT '{shared}'")
            yield connection
    except FAILURES as error:
        raise translated(error) from error
    finally:
        connection.terminate()


async def share(connection: Connection) -> str:
    """The name of the moment that a connection sees, for others to see it too."""
    return str(await connection.fetchval("SELECT pg_export_snapshot()"))


class Rows:
    """The rows of a statement, one after the other, of which only so many are kept at once."""

    def __init__(self, connection: Connection, statement: str, *values: Any) -> None:
        self._connection = connection
        self._statement = statement
        self._values = values
        self._cursor: Any = None
        self._rows: Sequence[asyncpg.Record] = ()
        self._next = 0
        self._is_over = False

    async def peek(self) -> asyncpg.Record | None:
        """The next row, which stays the next one; None after the last."""
        if self._next == len(self._rows):
            await self._read()
        return self._rows[self._next] if self._rows else None

    async def taken(self, column: str, value: Any) -> list[asyncpg.Record]:
        """The next rows as long as a column of them has a value."""
        found = []
        while (row := await self.peek()) is not None and row[column] == value:
            found.append(row)
            self._next += 1
        return found

    async def page(self) -> Sequence[asyncpg.Record]:
        """The next rows, as many as were read at once; none after the last."""
        if self._next == len(self._rows):
            await self._read()
        page, self._next = self._rows[self._next :], len(self._rows)
        return page

    async def _read(self) -> None:
        if self._cursor is None:
            self._cursor = await self._connection.cursor(
                self._statement, *self._values, timeout=ROWS_SECONDS
            )
        self._rows = () if self._is_over else await self._cursor.fetch(ROWS, timeout=ROWS_SECONDS)
        self._is_over = len(self._rows) < ROWS
        self._next = 0
