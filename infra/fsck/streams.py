"""Every stream of a database with its head and its secrets, looked at one after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final

from msgspec import Struct

from domain.audit.stored import (
    Broken,
    Looked,
    StoredEvent,
    StoredHead,
    StoredSecret,
    StoredStream,
    look,
)
from infra.fsck.reading import ROWS_SECONDS, Rows
from infra.postgres.pool import Connection
from infra.sealing import BrokenSeal, Sealer, round_context

FIRST: Final = bytes(16)
LAST: Final = b"\xff" * 16

# $1 smallint  the log
# $2 uuid      from this stream on
# $3 uuid      up to this one
_EVENTS: Final = """
SELECT stream_id, version, position, type, schema, occurred_at, actor, command_id, data, hash
FROM event WHERE log_id = $1 AND stream_id >= $2 AND stream_id <= $3
ORDER BY log_id, stream_id, version
"""
_HEADS: Final = """
SELECT stream_id, version, head_hash, is_open
FROM stream_head WHERE log_id = $1 AND stream_id >= $2 AND stream_id <= $3
ORDER BY log_id, stream_id
"""
_SECRETS: Final = """
SELECT stream_id, round, kind, sealed
FROM round_secret WHERE log_id = $1 AND stream_id >= $2 AND stream_id <= $3
ORDER BY log_id, stream_id, round
"""
_CUTS: Final = """
SELECT percentile_disc($2::float8[]) WITHIN GROUP (ORDER BY stream_id)
FROM stream_head WHERE log_id = $1
"""

Part = tuple[bytes, bytes]
"""Streams from one id up to another."""
Seen = Callable[[StoredStream, Looked], Awaitable[None]]
"""Is told of each stream that was looked at."""


class Count(Struct):
    """How much was looked at."""

    streams: int = 0
    events: int = 0


async def parts(connection: Connection, count: int, log_id: int = 0) -> list[Part]:
    """All possible streams in about so many parts of about as many streams."""
    fractions = [number / count for number in range(1, count)]
    found = await connection.fetchval(_CUTS, log_id, fractions, timeout=ROWS_SECONDS) or ()
    cuts = sorted({cut for cut in found if cut is not None} - {FIRST})
    starts = [FIRST, *cuts]
    ends = [_before(cut) for cut in cuts] + [LAST]
    return list(zip(starts, ends, strict=True))


async def check_streams(
    connection: Connection,
    sealer: Sealer,
    part: Part = (FIRST, LAST),
    log_id: int = 0,
    seen: Seen | None = None,
) -> tuple[Count, list[Broken]]:
    """Look at all streams of a part."""
    count = Count()
    broken: list[Broken] = []
    async for stream in _stored(connection, sealer, part, log_id):
        looked = look(stream)
        count.streams += 1
        count.events += len(stream.events)
        broken += looked.broken
        if seen is not None:
            await seen(stream, looked)
    return count, broken


async def _stored(
    connection: Connection, sealer: Sealer, part: Part, log_id: int
) -> AsyncIterator[StoredStream]:
    """Events, heads and secrets, each in the order of streams, put together by stream."""
    sources = [Rows(connection, one, log_id, *part) for one in (_EVENTS, _HEADS, _SECRETS)]
    while True:
        fronts = [row["stream_id"] for one in sources if (row := await one.peek()) is not None]
        if not fronts:
            return
        stream = min(fronts)
        events, heads, secrets = [await one.taken("stream_id", stream) for one in sources]
        yield StoredStream(
            id=stream,
            events=[StoredEvent(*tuple(row)[1:]) for row in events],
            head=StoredHead(*tuple(heads[0])[1:]) if heads else None,
            secrets=_opened(sealer, stream, [tuple(row)[1:] for row in secrets]),
        )


def _opened(
    sealer: Sealer, stream: bytes, rows: Sequence[tuple[int, str, bytes]]
) -> list[StoredSecret]:
    """Secrets as they were before they were sealed."""
    found = []
    for number, kind, sealed in rows:
        try:
            plain: bytes | None = sealer.open(sealed, round_context(stream, number))
        except BrokenSeal:
            plain = None
        found.append(StoredSecret(number, kind, plain))
    return found


def _before(stream: bytes) -> bytes:
    return (int.from_bytes(stream, "big") - 1).to_bytes(16, "big")
