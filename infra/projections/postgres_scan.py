"""LogScan on Postgres: the database leaves out what projections do not read."""

from __future__ import annotations

from typing import Any, Final

import asyncpg

from infra.encoding import restored
from infra.postgres.pool import CONNECT_SECONDS, FAILURES, Pool, translated
from infra.projections.lines import HANDLED
from infra.projections.scan import Changed, LogGap, TableEvents

_TYPES: Final = ", ".join(f"'{name}'" for name in sorted(HANDLED))

# $1 smallint  the log
_POSITION: Final = "SELECT position FROM log_counter WHERE log_id = $1"

# $1 smallint  the log
# $2 bigint    after this position
# $3 bigint    up to this position
# $4 int       how many at most
# The types are written out, so that the partial index on them can be used.
TABLE_EVENTS: Final = f"""
SELECT stream_id, version, position, type, schema, occurred_at, actor, command_id, command_fp,
    data, hash
FROM event
WHERE log_id = $1 AND position > $2 AND position <= $3 AND type IN ({_TYPES})
ORDER BY position
LIMIT $4
"""

# $1 smallint  the log
# $2 bigint    after this position
# $3 bigint    up to this position
_CHANGED: Final = """
SELECT stream_id, max(version) AS version, count(*) AS events
FROM event
WHERE log_id = $1 AND position > $2 AND position <= $3
GROUP BY stream_id
"""


class PostgresScan:
    """The log as projections read it, through a pool."""

    def __init__(self, pool: Pool, log_id: int = 0) -> None:
        self._pool = pool
        self._log_id = log_id

    async def position(self) -> int:
        """The last position of the log."""
        (row,) = await self._fetch(_POSITION)
        return int(row["position"])

    async def table_events(self, after: int, limit: int) -> TableEvents:
        """Events of HANDLED types after a position, however far apart they are."""
        head = await self.position()
        if head <= after:
            return TableEvents(after, (), is_last=True)
        rows = await self._fetch(TABLE_EVENTS, after, head, limit)
        events = tuple(restored(*row) for row in rows)
        if len(events) == limit:
            return TableEvents(events[-1].position, events, is_last=False)
        return TableEvents(head, events, is_last=True)

    async def changed(self, after: int, limit: int) -> Changed:
        """The streams that the next ``limit`` events belong to; raises LogGap."""
        end = max(after, min(await self.position(), after + limit))
        rows = await self._fetch(_CHANGED, after, end)
        found = sum(row["events"] for row in rows)
        if found != end - after:
            raise LogGap(f"{end - after - found} events are missing between {after} and {end}")
        return Changed(end, {row["stream_id"]: row["version"] for row in rows})

    async def _fetch(self, statement: str, *values: Any) -> list[asyncpg.Record]:
        try:
            async with self._pool.acquire(timeout=CONNECT_SECONDS) as connection:
                return await connection.fetch(statement, self._log_id, *values)
        except FAILURES as error:
            raise translated(error) from error
