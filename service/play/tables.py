"""The matches as this process follows them: read from the log, kept in the cache, told on.

Whatever moves a match forward here, a command or a read of what others have appended, passes
``moved`` exactly once and in order: live streams depend on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from domain.ports import EventLog
from domain.tournaments.streams import is_tournament
from service.play.background import Background
from service.play.cache import Cache, Table
from service.play.contract import Folded, NoMatch
from service.play.folding import Step, advanced, nothing_yet, replayed

FRESH_SECONDS: Final = 1.0
"""A match that the log was seen to stand at this recently is taken as current for looking up who
sits where; commands need no such trust, since their append decides."""

Watcher = Callable[[bytes, Sequence[Step]], None]
"""Told of each move of a match: its id and the steps."""


class Tables:
    """Matches by id, each at the newest version this process has seen."""

    def __init__(self, log: EventLog, cache: Cache) -> None:
        self._log = log
        self._cache = cache
        self._watchers: list[Watcher] = []
        self._reads = Background()

    @property
    def in_memory(self) -> int:
        """How many are kept in memory."""
        return len(self._cache)

    def watch(self, watcher: Watcher) -> None:
        """Have ``watcher`` told of every step, right after it is known here."""
        self._watchers.append(watcher)

    def table(self, match_id: bytes) -> Table:
        """The table of a match, perhaps still empty."""
        return self._cache.table(match_id)

    def known(self, match_id: bytes) -> Folded | None:
        """The match as this process knows it, if it does."""
        table = self._cache.known(match_id)
        return None if table is None else table.folded

    def announced(self, match_id: bytes, version: int) -> None:
        """Note that another process has brought a match to a version."""
        table = self._cache.known(match_id)
        if table is not None and version > table.announced:
            table.announced = version

    async def folded(self, match_id: bytes, min_version: int = 0) -> Folded:
        """A match as the log had it within the last second, at least at ``min_version`` if it can.

        Raises NoMatch and Unavailable.
        """
        table = self._cache.table(match_id)
        folded = table.folded
        if folded is not None and self._is_fresh(table, min_version):
            return folded
        return await self.current(match_id)

    async def current(self, match_id: bytes) -> Folded:
        """A match as the log has it now; raises NoMatch and Unavailable.

        All who ask before a read has begun share it, and one place among those who wait for the
        match: readers, however many, keep no command out.
        """
        table = self._cache.table(match_id)
        table.asked_at = now()
        if table.coming is None:
            table.coming = self._reads.start(self._read(match_id, table))
            table.coming.add_done_callback(_seen)
        return await asyncio.shield(table.coming)

    async def stop(self) -> None:
        """Give up the reads under way."""
        await self._reads.stop()

    async def _read(self, match_id: bytes, table: Table) -> Folded:
        """Wait for the match and read it, unless somebody else has by then."""
        try:
            async with table.mailbox:
                table.coming = None  # who asks from now on wants what is newer
                folded = table.folded
                if folded is not None and table.checked_at >= table.asked_at:
                    return folded
                return await self.refresh(match_id, table)
        finally:
            if table.coming is asyncio.current_task():
                table.coming = None

    async def refresh(self, match_id: bytes, table: Table) -> Folded:
        """Read what the log has beyond the table; the caller holds its mailbox."""
        before, asked_at = table.folded or nothing_yet(match_id), now()
        stream = await self._log.read(match_id, before.match.version)
        if before.match.version == 0 and is_tournament(stream.events):
            self._cache.forget(match_id)
            raise NoMatch
        if stream.events:
            steps = replayed(before.match, stream)
            return self.moved(match_id, table, before, steps, asked_at)
        if table.folded is None:
            self._cache.forget(match_id)
            raise NoMatch
        table.checked_at = asked_at
        return table.folded

    def moved(
        self,
        match_id: bytes,
        table: Table,
        before: Folded,
        steps: Sequence[Step],
        asked_at: float,
    ) -> Folded:
        """The match after steps that the log holds: kept, and told to the watchers.

        ``asked_at`` is when the log was asked to read or to append them.
        """
        folded = table.folded = advanced(before, steps)
        table.checked_at = asked_at
        self._cache.grew(match_id, table)
        for watcher in self._watchers:
            watcher(match_id, steps)
        return folded

    def _is_fresh(self, table: Table, min_version: int) -> bool:
        """Whether what is known may be shown without another look at the log."""
        return (
            table.version >= max(min_version, table.announced)
            and now() - table.checked_at < FRESH_SECONDS
        )


def _seen(read: asyncio.Task[Folded]) -> None:
    """Note how a read ended: those who wanted to know may all be gone."""
    if not read.cancelled():
        read.exception()


def now() -> float:
    """The running loop's clock, in seconds."""
    return asyncio.get_running_loop().time()
