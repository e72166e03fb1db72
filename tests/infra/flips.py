"""Single bits flipped in a database, by its owner, each taken back after it was looked at."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncpg
from msgspec import Struct

from domain.audit.stored import Broken
from infra.fsck.streams import check_streams
from infra.fsck.tree import TreeCheck
from infra.postgres.pool import Connection, connect
from infra.sealing import Sealer

COLUMNS: Final = {
    "event": (
        *("stream_id", "version", "position", "type", "schema", "occurred_at", "actor"),
        *("command_id", "data", "hash"),
    ),
    "stream_head": ("stream_id", "version", "head_hash", "is_open"),
    "round_secret": ("stream_id", "round", "kind", "sealed"),
    "log_counter": ("position",),
    "log_tile": ("level", "number", "hashes"),
    "log_checkpoint": ("size", "previous", "root", "note"),
    "signing_key": ("key_id", "public_key"),
}
"""What is looked through, by table."""
_WIDTHS: Final = {"int2": 16, "int4": 32, "int8": 64, "timestamptz": 64}


class Flip(Struct, frozen=True):
    """One bit of a column of a row: what stands there then."""

    table: str
    column: str
    row: asyncpg.Record
    bit: int
    value: Any


class Hand:
    """The owner's hand on a database, and the eyes of who looks through it."""

    def __init__(self, connection: Connection, sealer: Sealer, told: str | None) -> None:
        self._connection = connection
        self._sealer = sealer
        self._told = told

    async def rows(self, table: str) -> list[asyncpg.Record]:
        """The rows of a table, with the place of each."""
        order = {"event": "position", "log_tile": "level, number"}.get(table, "1")
        statement = f"SELECT ctid::text AS place, * FROM {table} ORDER BY {order}"
        return await self._connection.fetch(statement)

    async def types(self, table: str) -> dict[str, str]:
        """The type of each column."""
        statement = "SELECT column_name, udt_name FROM information_schema.columns"
        rows = await self._connection.fetch(f"{statement} WHERE table_name = $1", table)
        return {row[0]: row[1] for row in rows}

    async def look(self) -> list[Broken]:
        """Everything that is broken."""
        async with self._connection.transaction():
            tree = TreeCheck(self._connection, self._told)
            await tree.run()
            _, broken = await check_streams(self._connection, self._sealer)
        return [*broken, *tree.broken]

    async def look_after(self, flip: Flip) -> list[Broken] | None:
        """What is broken while a bit is flipped; None if the database itself refuses it."""
        transaction = self._connection.transaction()
        await transaction.start()
        try:
            await self._connection.execute(
                f"UPDATE {flip.table} SET {flip.column} = $1 WHERE ctid = $2::text::tid",
                flip.value,
                flip.row["place"],
            )
            return await self.look()
        except (asyncpg.IntegrityConstraintViolationError, asyncpg.DataError):
            return None
        finally:
            await transaction.rollback()


@asynccontextmanager
async def hand_on(database: str, sealer: Sealer, told: str | None) -> AsyncIterator[Hand]:
    """The owner, who has taken the triggers away; the database is of no other use then."""
    connection = await connect(database)
    try:
        await connection.execute("RESET ROLE")
        for table in ("event", "log_tile", "log_checkpoint"):
            await connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        yield Hand(connection, sealer, told)
    finally:
        await connection.close()


def flips(table: str, column: str, kind: str, row: asyncpg.Record, *, each: bool) -> Iterator[Flip]:
    """Flips of a column of a row: of every bit, or of one that follows from the place."""
    value = row[column]
    if value is None:
        return
    bits = _bits(value, kind)
    chosen: Sequence[int] = range(bits)
    if not each:
        chosen = [zlib.crc32(f"{table}.{column}.{row['place']}".encode()) % bits]
    for bit in chosen:
        yield Flip(table, column, row, bit, flipped(value, kind, bit))


def flipped(value: Any, kind: str, bit: int) -> Any:
    """A value with one bit the other way."""
    match value:
        case bool():
            return not value
        case int():
            width = _WIDTHS[kind]
            mask = (1 << width) - 1
            changed = ((value & mask) ^ (1 << bit)) & mask
            return changed - (1 << width) if changed >> (width - 1) else changed
        case str():
            # The highest bit of a character would make it none; the database refuses that.
            at = bit // 7
            return value[:at] + chr(ord(value[at]) ^ (1 << bit % 7)) + value[at + 1 :]
        case _:
            changed_bytes = bytearray(value)
            changed_bytes[bit // 8] ^= 1 << bit % 8
            return bytes(changed_bytes)


def _bits(value: Any, kind: str) -> int:
    match value:
        case bool():
            return 1
        case int():
            return _WIDTHS[kind]
        case str():
            return 7 * len(value)
        case _:
            return 8 * len(value)
