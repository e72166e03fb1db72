"""Group commit: one task appends, batch after batch, whatever queued up during the last commit.

It never lingers: a lone command is its own batch. Each batch is one statement, and so one disk
flush. Not here: what the arrays of a batch look like, nor what callers do with an outcome.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import asyncpg
from msgspec import Struct

from domain.limits import BATCH_BYTES, BATCH_COMMANDS, QUEUE_SECONDS
from domain.ports import (
    DuplicateCommand,
    OutcomeUnknown,
    Proposal,
    Recorded,
    Unavailable,
    WrongVersion,
)
from infra.encoding import recorded
from infra.postgres.batch import Waiting, arguments
from infra.postgres.pool import ANSWER_SECONDS, FAILURES, Connection, is_answer
from infra.postgres.statements import statement
from infra.sealing import Sealer

QUEUE_COMMANDS: Final = 4_096
"""Commands that may wait; more could not be appended before QUEUE_SECONDS anyway."""

_CONTENT: Final = ("22", "23")
"""SQLSTATE classes of wrong values and broken constraints: one command's fault."""

_logger = logging.getLogger("talon.log")


class Appended(Struct, frozen=True, gc=False):
    """A batch that Postgres has taken: how long it took, and what was in it."""

    seconds: float
    commands: int
    events: int


class Writer:
    """The one task of a process that appends to a log, with a connection of its own."""

    def __init__(
        self, connect: Callable[[], Awaitable[Connection]], sealer: Sealer, log_id: int
    ) -> None:
        self._connect = connect
        self._sealer = sealer
        self._log_id = log_id
        self._queue: deque[Waiting] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._connection: Connection | None = None
        self.appended: Callable[[Appended], None] | None = None
        """Told of every batch: for a metric."""
        self.not_appended: Counter[str] = Counter()
        """Commands that were refused, by why: for a metric."""
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._run(), name="talon-log-writer")

    async def append(self, proposal: Proposal) -> tuple[Recorded, ...]:
        """Append with the next batch: see EventLog."""
        if self._closing:
            raise Unavailable("the log is closed")
        if len(self._queue) >= QUEUE_COMMANDS:
            raise Unavailable("too many commands wait")
        future: asyncio.Future[tuple[Recorded, ...]] = self._loop.create_future()
        self._queue.append(Waiting(proposal, self._sealer, self._loop.time(), future))
        self._wake.set()
        return await future

    @property
    def waiting(self) -> int:
        """How many commands wait for the next batch."""
        return len(self._queue)

    async def close(self) -> None:
        """Append what waits, then stop; later appends raise Unavailable."""
        self._closing = True
        self._wake.set()
        await self._task
        if self._connection is not None:
            await self._connection.close(timeout=1)

    async def _run(self) -> None:
        while self._queue or not self._closing:
            await self._wake.wait()
            batch = self._take()
            if batch:
                await self._write(batch)
            if not self._queue and not self._closing:
                self._wake.clear()

    def _take(self) -> list[Waiting]:
        """The next batch: in order of arrival, each stream once; what waited too long fails."""
        batch: list[Waiting] = []
        later: list[Waiting] = []
        streams: set[bytes] = set()
        size, oldest = 0, self._loop.time() - QUEUE_SECONDS
        while self._queue and len(batch) < BATCH_COMMANDS and size < BATCH_BYTES:
            waiting = self._queue.popleft()
            if waiting.future.cancelled():
                continue
            if waiting.queued_at < oldest:
                self.not_appended["too_late"] += 1
                waiting.fail(Unavailable("the command waited too long"))
            elif waiting.proposal.stream in streams:
                later.append(waiting)
            else:
                streams.add(waiting.proposal.stream)
                batch.append(waiting)
                size += waiting.size
        self._queue.extendleft(reversed(later))
        return batch

    async def _write(self, batch: Sequence[Waiting]) -> None:
        """Append a batch and tell each caller; nothing escapes, or all later appends would hang."""
        try:
            connection = await self._connected()
        except Exception as error:
            self._fail(batch, Unavailable, error)
            return
        try:
            await self._append(connection, batch)
        except Exception as error:
            if not isinstance(error, FAILURES):
                _logger.exception("append failed in an unforeseen way")
            self._drop(connection)
            self._fail(batch, OutcomeUnknown, error)

    async def _append(self, connection: Connection, batch: Sequence[Waiting]) -> None:
        """One statement for the batch; if its content is refused, one for each command."""
        began = time.perf_counter()
        try:
            taken = await connection.fetch(
                statement("append"), *arguments(self._log_id, batch), timeout=ANSWER_SECONDS
            )
        except asyncpg.PostgresError as error:
            if not is_answer(error):
                raise
            if not _is_content(error):
                self._fail(batch, Unavailable, error)
            elif len(batch) == 1:
                batch[0].fail(_refusal(error))
            else:
                for waiting in batch:
                    await self._append(connection, (waiting,))
            return
        firsts = {row[0]: row[1] for row in taken}
        left, events = [], 0
        for number, waiting in enumerate(batch, 1):
            first = firsts.get(number)
            if first is None:
                left.append(waiting)
                continue
            events += len(waiting.rows)
            if not waiting.future.done():
                waiting.future.set_result(recorded(waiting.proposal, waiting.rows, first))
        if self.appended is not None:
            self.appended(Appended(time.perf_counter() - began, len(taken), events))
        if left:
            await self._refuse(connection, left)

    async def _refuse(self, connection: Connection, left: Sequence[Waiting]) -> None:
        """Nothing of these was appended: they are retries, or their streams have moved on."""
        commands = [(each.proposal.stream, each.proposal.cause.command_id) for each in left]
        try:
            known = await connection.fetch(
                statement("commands"),
                self._log_id,
                [stream for stream, _ in commands],
                [command_id for _, command_id in commands],
                timeout=ANSWER_SECONDS,
            )
        except FAILURES:
            known = []
            self._drop(connection)
        found = {tuple(row) for row in known}
        for waiting, command in zip(left, commands, strict=True):
            is_retry = command in found
            self.not_appended["repeated" if is_retry else "overtaken"] += 1
            waiting.fail(DuplicateCommand() if is_retry else WrongVersion())

    def _fail(self, batch: Sequence[Waiting], kind: type[Exception], cause: Exception) -> None:
        """Tell every caller of a batch the same."""
        self.not_appended["failed"] += len(batch)
        for waiting in batch:
            error = kind(str(cause) or type(cause).__name__)
            error.__cause__ = cause
            waiting.fail(error)

    async def _connected(self) -> Connection:
        if self._connection is None or self._connection.is_closed():
            self._connection = await self._connect()
        return self._connection

    def _drop(self, connection: Connection) -> None:
        """Give a connection up: what it still does is not waited for."""
        self._connection = None
        connection.terminate()


def _is_content(error: asyncpg.PostgresError) -> bool:
    """Whether a command's own values were refused, by the server or before they were sent."""
    return (error.sqlstate or "")[:2] in _CONTENT


def _refusal(error: Exception) -> Exception:
    """What a single command is told whose content was refused."""
    if isinstance(error, asyncpg.UniqueViolationError):
        is_retry = error.constraint_name == "event_command"
        return DuplicateCommand() if is_retry else WrongVersion()
    return error
