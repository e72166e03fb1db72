"""Connections to Postgres: their time limits, their role, and plain Python values.

On these connections a uuid is 16 bytes, and a timestamptz is microseconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import asyncpg

from domain.limits import LOCK_SECONDS, STATEMENT_SECONDS
from domain.ports import Unavailable
from infra.postgres.statements import statement

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]
    Pool = asyncpg.Pool[asyncpg.Record]
else:  # asyncpg's classes are generic for the type checker only
    Connection, Pool = asyncpg.Connection, asyncpg.Pool

POOL_SIZE: Final = 8
"""Connections for reads and for the registry; the writer has one of its own."""
CONNECT_SECONDS: Final = 3
"""Longest wait for a connection, new or from the pool."""
ANSWER_SECONDS: Final = STATEMENT_SECONDS + 2
"""Longer than the server's own limit, so that it only ends the wait on a lost connection."""
STATEMENTS_CACHED: Final = 100
"""asyncpg's default. Behind a PgBouncer that pools by transaction it must be 0, its
``ignore_startup_parameters`` must name those below, and ALTER ROLE … SET role must set the role."""

_SERVER_SETTINGS: Final = {
    "application_name": "talon",
    "statement_timeout": f"{STATEMENT_SECONDS}s",
    "lock_timeout": f"{LOCK_SECONDS}s",
    "idle_in_transaction_session_timeout": f"{STATEMENT_SECONDS}s",
    "jit": "off",
}
_EPOCH_2000: Final = 946_684_800_000_000
"""Postgres counts microseconds from 2000-01-01."""


class NotMigrated(Exception):  # noqa: N818
    """The database lacks the schema or the role of this program: ``talon migrate``."""


async def connect(
    url: str,
    *,
    settings: Mapping[str, str] | None = None,
    statements_cached: int = STATEMENTS_CACHED,
    statement_seconds: int = 300,
) -> Connection:
    """One connection under the service's role; raises Unavailable or NotMigrated.

    ``statement_seconds`` is how long a prepared statement keeps its plan.
    """
    try:
        connection: Connection = await asyncpg.connect(
            url,
            timeout=CONNECT_SECONDS,
            command_timeout=ANSWER_SECONDS,
            statement_cache_size=statements_cached,
            max_cached_statement_lifetime=statement_seconds,
            server_settings={**_SERVER_SETTINGS, **(settings or {})},
        )
        await _prepare(connection)
    except FAILURES as error:
        raise translated(error) from error
    return connection


async def open_pool(
    url: str, *, size: int = POOL_SIZE, statements_cached: int = STATEMENTS_CACHED
) -> Pool:
    """A pool of such connections, which opens them as they are needed and mends itself."""
    try:
        return await asyncpg.create_pool(
            url,
            min_size=1,
            max_size=size,
            init=_prepare,
            reset=_leave,
            timeout=CONNECT_SECONDS,
            command_timeout=ANSWER_SECONDS,
            statement_cache_size=statements_cached,
            server_settings=_SERVER_SETTINGS,
        )
    except FAILURES as error:
        raise translated(error) from error


async def fetch(pool: Pool, name: str, *values: Any) -> list[asyncpg.Record]:
    """The rows of the statement ``sql/{name}.sql``; raises Unavailable."""
    try:
        async with pool.acquire(timeout=CONNECT_SECONDS) as connection:
            try:
                return await connection.fetch(statement(name), *values)
            except FAILURES as error:
                if not is_answer(error):
                    connection.terminate()  # or the pool would give it out again
                raise
    except FAILURES as error:
        raise translated(error) from error


FAILURES: Final = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresError,
)
"""What asyncpg raises while a server is away, busy, stopping or unwilling."""

_MISTAKES: Final = ("22", "23", "42")
"""SQLSTATE classes of wrong values and wrong statements: no outage."""


def is_answer(error: Exception) -> bool:
    """Whether the server refused a statement and lives on: nothing of the statement stands.

    Any other failure leaves open what became of it, and a connection that is of no more use.
    """
    if not isinstance(error, asyncpg.PostgresError):
        return False
    gone = (error.sqlstate or "").startswith(("08", "57P"))
    return not gone and error.severity_en not in ("FATAL", "PANIC")


def translated(error: Exception) -> Exception:
    """Unavailable for an outage; a mistake in values or statements stays what it is."""
    if isinstance(error, asyncpg.InvalidParameterValueError) and "role" in str(error):
        return NotMigrated("the service's role is missing: run `talon migrate`")
    if isinstance(error, asyncpg.UndefinedTableError):
        return NotMigrated(f"{error}: run `talon migrate`")
    if isinstance(error, asyncpg.PostgresError) and (error.sqlstate or "")[:2] in _MISTAKES:
        return error
    return Unavailable(str(error) or type(error).__name__)


async def _prepare(connection: Connection) -> None:
    """What every connection needs once: the codecs, and the service's role."""
    await connection.set_type_codec(
        "uuid", schema="pg_catalog", encoder=bytes, decoder=bytes, format="binary"
    )
    await connection.set_type_codec(
        "timestamptz",
        schema="pg_catalog",
        encoder=lambda at: (at - _EPOCH_2000,),
        decoder=lambda parts: parts[0] + _EPOCH_2000,
        format="tuple",
    )
    await connection.execute(statement("set_role"))


async def _leave(connection: Connection) -> None:
    """Nothing to reset: no statement of the service changes its session."""
