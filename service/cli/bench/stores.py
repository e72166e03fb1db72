"""The stores that the service is held against, each given the same commands, without HTTP.

All write to the same Postgres with its settings as they are: every command is on disk when it
counts.
"""

from __future__ import annotations

import asyncio
import secrets
import time
import uuid
from collections.abc import Iterator
from itertools import count
from typing import Final

from msgspec import Struct

from domain.chain import genesis
from domain.commands import Actor, ActorKind
from domain.deal import SEED_BYTES
from domain.events import RoundCommitted, Seat, SeedRevealed
from domain.ports import Cause, EventLog, Head, Proposal
from infra.postgres.pool import Connection
from service.cli.bench.workload import Command, new_stream_id

CONNECTIONS: Final = 32
"""Of the plain stores: a usual pool, and enough to share disk flushes."""
STREAMS: Final = 64
"""Of the batched store: as many commands in flight as the HTTP measure has."""
TABLE: Final = "bench_event"
_COLUMNS: Final = (
    "log_id, stream_id, version, position, type, schema, occurred_at, actor, command_id,"
    " command_fp, data, hash"
)
_FIELDS: Final = 12


class Rate(Struct, frozen=True):
    """What was done in one slice."""

    commands: int
    seconds: float


async def make_table(connection: Connection) -> None:
    """An empty copy of the event table, with its constraints and indexes."""
    await connection.execute(f"DROP TABLE IF EXISTS {TABLE}")
    await connection.execute(f"CREATE TABLE {TABLE} (LIKE event INCLUDING ALL)")


async def drop_table(connection: Connection) -> None:
    """Remove the copy."""
    await connection.execute(f"DROP TABLE IF EXISTS {TABLE}")


class PlainStore:
    """One stream per connection, one command after another.

    With ``checks_version`` the usual way: BEGIN, SELECT max(version), INSERT, COMMIT; without it
    nothing but the INSERT, in its own transaction.
    """

    def __init__(
        self,
        connections: list[Connection],
        commands: tuple[Command, ...],
        positions: Iterator[int],
        *,
        checks_version: bool,
    ) -> None:
        self._store = _checked_insert if checks_version else _insert
        self._writers = [(connection, _placed(commands, positions)) for connection in connections]

    async def run(self, seconds: float) -> Rate:
        """Store commands for a while on every connection."""
        began = time.perf_counter()
        deadline = began + seconds

        async def write(connection: Connection, placed: Iterator[_Placed]) -> int:
            done = 0
            while time.perf_counter() < deadline:
                await self._store(connection, next(placed))
                done += 1
            return done

        done = await asyncio.gather(*(write(*writer) for writer in self._writers))
        return Rate(sum(done), time.perf_counter() - began)


class _Placed(Struct, frozen=True):
    """A command with its place: the stream, the statement and its values."""

    stream: uuid.UUID
    statement: str
    values: tuple[object, ...]


def _placed(commands: tuple[Command, ...], positions: Iterator[int]) -> Iterator[_Placed]:
    """The commands of one match after another, each match a new stream."""
    statements = {len(command): _insert_of(len(command)) for command in commands}
    while True:
        stream, versions = new_stream_id(), count(1)
        for command in commands:
            values: list[object] = []
            for row in command:
                values += (0, stream, next(versions), next(positions), row.type, row.schema)
                values += (row.occurred_at, row.actor, row.command_id, None, row.data, row.hash)
            yield _Placed(stream, statements[len(command)], tuple(values))


def _insert_of(rows: int) -> str:
    """The statement that inserts so many rows at once."""
    numbers = count(1)
    places = (", ".join(f"${next(numbers)}" for _ in range(_FIELDS)) for _ in range(rows))
    return f"INSERT INTO {TABLE} ({_COLUMNS}) VALUES " + ", ".join(f"({row})" for row in places)


async def _insert(connection: Connection, placed: _Placed) -> None:
    """One autocommit statement."""
    await connection.execute(placed.statement, *placed.values)


async def _checked_insert(connection: Connection, placed: _Placed) -> None:
    """The version is read first, in one transaction with the insert."""
    async with connection.transaction():
        await connection.fetchval(_MAX_VERSION, placed.stream)
        await connection.execute(placed.statement, *placed.values)


_MAX_VERSION: Final = f"SELECT max(version) FROM {TABLE} WHERE log_id = 0 AND stream_id = $1"


class BatchedStore:
    """The service's own log alone: encoding, hashing, sealing and the batched append."""

    def __init__(self, log: EventLog, commands: tuple[Command, ...]) -> None:
        self._log = log
        self._matches = [_Match(commands) for _ in range(STREAMS)]

    async def run(self, seconds: float) -> Rate:
        """Append commands for a while on every stream."""
        began = time.perf_counter()
        deadline = began + seconds

        async def write(match: _Match) -> int:
            done = 0
            while time.perf_counter() < deadline:
                await match.append_next(self._log)
                done += 1
            return done

        done = await asyncio.gather(*map(write, self._matches))
        return Rate(sum(done), time.perf_counter() - began)


class _Match:
    """The recorded commands appended to one stream after another."""

    def __init__(self, commands: tuple[Command, ...]) -> None:
        self._commands = commands
        self._next = 0
        self._begin()

    def _begin(self) -> None:
        self._stream = new_stream_id().bytes
        self._head = Head(0, genesis(self._stream))

    async def append_next(self, log: EventLog) -> None:
        """Append the next command; after the last one, the first one to a new stream."""
        command = self._commands[self._next]
        recorded = await log.append(_proposal(self._stream, self._head, command))
        self._head = Head(recorded[-1].version, recorded[-1].hash)
        self._next += 1
        if self._next == len(self._commands):
            self._next = 0
            self._begin()


def _proposal(stream: bytes, head: Head, command: Command) -> Proposal:
    """A command as the service would propose it."""
    events = tuple(row.event for row in command)
    committed = [event.round for event in events if isinstance(event, RoundCommitted)]
    revealed = [event.round for event in events if isinstance(event, SeedRevealed)]
    cause = Cause(
        actor=Actor(ActorKind.SEAT, Seat(0)),
        command_id=secrets.token_bytes(16),
        fingerprint=None,
        occurred_at=time.time_ns() // 1000,
    )
    seeds = {number: secrets.token_bytes(SEED_BYTES) for number in committed}
    return Proposal(stream, head, events, cause, secrets=seeds, revealed=tuple(revealed))
