"""The log on Postgres as auditors search it; events leave as they are stored, never decoded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import asyncpg

from domain.audit.record import id_text
from domain.codec import decode
from domain.search import TELLING, TOLD_BY, Anomaly, StoredLine, anomalies_of
from infra.postgres.log import PositionGap
from infra.postgres.pool import CONNECT_SECONDS, FAILURES, Pool, translated

# $1 smallint  the log
# $2 uuid      before this stream, or null
# $3 int       how many at most
_MATCHES: Final = """
SELECT stream_id FROM stream_head
WHERE log_id = $1 AND ($2::uuid IS NULL OR stream_id < $2)
ORDER BY stream_id DESC
LIMIT $3
"""
# The same, of those with an event of a type. It is written out, so that the partial index on it
# can be used.
_MATCHES_WITH: Final = """
SELECT DISTINCT stream_id FROM event
WHERE log_id = $1 AND type = '{type}' AND ($2::uuid IS NULL OR stream_id < $2)
ORDER BY stream_id DESC
LIMIT $3
"""
# $1 smallint  the log
# $2 uuid[]    streams
_TELLING: Final = f"""
SELECT stream_id, type, schema, data FROM event
WHERE log_id = $1 AND stream_id = ANY ($2) AND type IN ({", ".join(f"'{one}'" for one in TELLING)})
"""
# $1 smallint  the log
# $2 bigint    after this position
# $3 int       how many at most
_STORED: Final = """
SELECT stream_id, version, position, type, schema, occurred_at, actor, command_id, data, hash
FROM event
WHERE log_id = $1 AND position > $2
ORDER BY position
LIMIT $3
"""


class PostgresSearch:
    """LogSearch through a pool."""

    def __init__(self, pool: Pool, log_id: int = 0) -> None:
        self._pool = pool
        self._log_id = log_id

    async def matches(
        self, before: bytes | None, limit: int, anomaly: Anomaly | None = None
    ) -> tuple[bytes, ...]:
        """Streams by descending id, before one: see LogSearch."""
        statement = _MATCHES
        if anomaly is not None:
            statement = _MATCHES_WITH.format(type=TOLD_BY[anomaly])
        return tuple(row["stream_id"] for row in await self._fetch(statement, before, limit))

    async def anomalies(self, matches: Sequence[bytes]) -> Mapping[bytes, frozenset[Anomaly]]:
        """What went amiss in matches: see LogSearch."""
        told: dict[bytes, frozenset[Anomaly]] = {}
        for row in await self._fetch(_TELLING, matches):
            event = decode(row["type"], row["schema"], row["data"])
            if found := anomalies_of((event,)):
                told[row["stream_id"]] = told.get(row["stream_id"], frozenset()) | found
        return told

    async def stored(self, after: int, limit: int) -> tuple[StoredLine, ...]:
        """Events of all streams after a position, in order; raises PositionGap."""
        rows = await self._fetch(_STORED, after, limit)
        if rows and rows[-1]["position"] != after + len(rows):
            raise PositionGap(f"positions are missing between {after} and {rows[-1]['position']}")
        return tuple(_line(*row) for row in rows)

    async def _fetch(self, statement: str, *values: Any) -> list[asyncpg.Record]:
        try:
            async with self._pool.acquire(timeout=CONNECT_SECONDS) as connection:
                return await connection.fetch(statement, self._log_id, *values)
        except FAILURES as error:
            raise translated(error) from error


def _line(
    stream: bytes,
    version: int,
    position: int,
    type: str,
    schema: int,
    occurred_at: int,
    actor: str,
    command_id: bytes | None,
    data: bytes,
    hash: bytes,
) -> StoredLine:
    return StoredLine(
        id_text(stream),
        version,
        position,
        type,
        schema,
        occurred_at,
        actor,
        None if command_id is None else command_id.hex(),
        data.decode(),
        hash.hex(),
    )
