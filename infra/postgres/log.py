"""The event log on Postgres: appends through the writer, reads through the pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Self

from domain.ports import Proposal, Recorded, Stream
from infra.encoding import restored
from infra.postgres.pool import (
    POOL_SIZE,
    STATEMENTS_CACHED,
    Connection,
    Pool,
    connect,
    fetch,
    open_pool,
)
from infra.postgres.writer import Writer
from infra.sealing import Sealer, SealKeyError, round_context

_WRITER_SETTINGS: Final = {
    # The append is planned once for any number of commands: planning costs more than a command.
    "plan_cache_mode": "force_generic_plan",
    # Heads are found by key. A plan that was made while the table was small must not scan it.
    "enable_seqscan": "off",
    "random_page_cost": "1.1",
}
_WRITER_PLAN_SECONDS: Final = 10
"""A new database grows faster than its statistics: plan again by the size it has now."""


class PositionGap(Exception):  # noqa: N818
    """The log's positions are not dense: it was damaged. Nobody may read on over a gap."""


class PostgresLog:
    """EventLog on Postgres. ``pool`` may be shared with the registry."""

    def __init__(self, pool: Pool, writer: Writer, sealer: Sealer, log_id: int) -> None:
        self.pool = pool
        self.writer = writer
        self._sealer = sealer
        self._log_id = log_id

    @classmethod
    async def open(
        cls,
        url: str,
        sealer: Sealer,
        *,
        log_id: int = 0,
        pool_size: int = POOL_SIZE,
        statements_cached: int = STATEMENTS_CACHED,
    ) -> Self:
        """Connect and check the seal key.

        Raises Unavailable, NotMigrated, or SealKeyError where the database was sealed with
        another key.
        """
        pool = await open_pool(url, size=pool_size, statements_cached=statements_cached)
        try:
            await _check_seal_key(pool, sealer)
        except BaseException:
            await pool.close()
            raise

        async def connect_writer() -> Connection:
            return await connect(
                url,
                settings=_WRITER_SETTINGS,
                statements_cached=statements_cached,
                statement_seconds=_WRITER_PLAN_SECONDS,
            )

        return cls(pool, Writer(connect_writer, sealer, log_id), sealer, log_id)

    async def close(self) -> None:
        """Append what waits, then close all connections."""
        await self.writer.close()
        await self.pool.close()

    async def append(self, proposal: Proposal) -> tuple[Recorded, ...]:
        """Append all events durably, or none: see EventLog."""
        return await self.writer.append(proposal)

    async def read(self, stream: bytes, after: int = 0) -> Stream:
        """The events of a stream after a version, and its sealed seeds, as of one moment."""
        events: list[Recorded] = []
        secrets: dict[int, bytes] = {}
        for row in await fetch(self.pool, "read", self._log_id, stream, after):
            *columns, number = row
            if number is None:
                events.append(restored(stream, *columns))
            else:
                secrets[number] = self._sealer.open(row["data"], round_context(stream, number))
        return Stream(tuple(events), secrets)

    async def heads(self, streams: Sequence[bytes]) -> Mapping[bytes, int]:
        """The versions of those streams that exist."""
        rows = await fetch(self.pool, "heads", self._log_id, streams)
        return {row["stream_id"]: row["version"] for row in rows}

    async def follow(self, after: int, limit: int) -> tuple[Recorded, ...]:
        """Events of all streams after a position, in order; raises PositionGap."""
        rows = await fetch(self.pool, "follow", self._log_id, after, limit)
        for expected, row in enumerate(rows, after + 1):
            if row["position"] != expected:
                raise PositionGap(f"position {expected} is missing before {row['position']}")
        return tuple(restored(*row) for row in rows)

    async def position(self) -> int:
        """The last position of the log."""
        (row,) = await fetch(self.pool, "position", self._log_id)
        return int(row["position"])

    async def due(self, before: int, limit: int) -> tuple[bytes, ...]:
        """Open streams that are due, the longest waiting first."""
        rows = await fetch(self.pool, "due", self._log_id, before, limit)
        return tuple(row["stream_id"] for row in rows)

    async def over(self, streams: Sequence[bytes]) -> frozenset[bytes]:
        """Those of these streams in which nothing more happens."""
        rows = await fetch(self.pool, "over", self._log_id, streams)
        return frozenset(row["stream_id"] for row in rows)

    async def idle(self, before: int, limit: int) -> tuple[bytes, ...]:
        """Open streams whose last event was recorded before a time."""
        rows = await fetch(self.pool, "idle", self._log_id, before, limit)
        return tuple(row["stream_id"] for row in rows)


async def _check_seal_key(pool: Pool, sealer: Sealer) -> None:
    await fetch(pool, "keep_seal_key", sealer.key_id)
    (row,) = await fetch(pool, "seal_key")
    if row["key_id"] != sealer.key_id:
        raise SealKeyError(
            f"the database was sealed with key {row['key_id']}, this is key {sealer.key_id}"
        )
