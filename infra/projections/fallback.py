"""The lobby while Redis is away: the same projection, kept up from the log in this process.

It is made when it is first needed, brought up to the log before each answer, and let go of once
Redis has been back for a while.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeVar

from domain.match import Status
from domain.ports import Boards, MatchLine, Unavailable
from infra.memory_boards import MemoryBoards
from infra.projections.board_consumer import BoardConsumer, BoardsAhead
from infra.projections.scan import LogScan

PATIENCE_SECONDS: Final = 2.0
"""How long a reader waits for a spare that is being filled; the next one goes on from there."""
FRESH_SECONDS: Final = 0.25
"""How far a spare may lag behind the log, as the boards in Redis may."""
KEPT_SECONDS: Final = 60.0
"""How long an unused spare is kept."""

T = TypeVar("T")


class FallbackBoards:
    """Boards as read from Redis, or from a spare in memory while Redis is away."""

    def __init__(self, primary: Boards, scan: LogScan) -> None:
        self._primary = primary
        self._scan = scan
        self._spare: _Spare | None = None
        self.reads_spare = False
        """Whether the last answer came from the spare."""
        self.spare_reads = 0
        """How often the spare was asked: for a metric."""

    @property
    def has_spare(self) -> bool:
        """Whether boards are kept in memory."""
        return self._spare is not None

    async def lobby(
        self, status: Status, limit: int, before: int | None = None
    ) -> tuple[MatchLine, ...]:
        """Public matches of a status: see Boards."""
        return await self._read(lambda boards: boards.lobby(status, limit, before))

    async def lines(self, matches: Sequence[bytes]) -> Mapping[bytes, MatchLine]:
        """The lines of these matches: see Boards."""
        return await self._read(lambda boards: boards.lines(matches))

    async def _read(self, read: Callable[[Boards], Awaitable[T]]) -> T:
        try:
            answer = await read(self._primary)
        except Unavailable:
            self.reads_spare = True
            self.spare_reads += 1
            if self._spare is None:
                self._spare = _Spare(self._scan)
            return await read(await self._spare.caught_up())
        self.reads_spare = False
        if self._spare is not None and self._spare.is_unused():
            self._spare = None
        return answer


class _Spare:
    """Boards in memory, with the consumer that fills them."""

    def __init__(self, scan: LogScan) -> None:
        self._scan = scan
        self._filling: asyncio.Task[None] | None = None
        self._used_at = time.monotonic()
        self._begin()

    def _begin(self) -> None:
        self.boards = MemoryBoards()
        self._consumer = BoardConsumer(self._scan, self.boards)
        self._fresh_at = float("-inf")

    def is_unused(self) -> bool:
        """Whether nobody has asked for it for KEPT_SECONDS."""
        return time.monotonic() - self._used_at > KEPT_SECONDS

    async def caught_up(self) -> MemoryBoards:
        """The boards as of now; raises Unavailable if that takes longer than a reader waits."""
        self._used_at = time.monotonic()
        if self._filling is None and time.monotonic() - self._fresh_at > FRESH_SECONDS:
            self._filling = asyncio.create_task(self._fill())
        if self._filling is not None:
            done, _ = await asyncio.wait({self._filling}, timeout=PATIENCE_SECONDS)
            if not done:
                raise Unavailable("the boards are being filled")
            done.pop().result()
        return self.boards

    async def _fill(self) -> None:
        """Catch up with the log; readers share one such task, and do not end it."""
        try:
            while await self._consumer.step(0):
                pass
            self._fresh_at = time.monotonic()
        except BoardsAhead as error:  # An older copy of the log was restored.
            self._begin()
            raise Unavailable("the boards are being filled again") from error
        finally:
            self._filling = None
