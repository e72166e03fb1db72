"""Matches this process knows: a bounded cache, with one mailbox per match.

A cached match is a state that was true; the log decides whether it still is when appended to.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final
from weakref import WeakValueDictionary

from service.play.contract import Busy, Folded

MATCHES_MAX: Final = 10_000
"""Folded matches kept: some 5 KB each, and a match read anew costs a few milliseconds."""
COMMANDS_MAX: Final = 300_000
"""Command ids kept with them, over all matches: some 300 bytes each, so about 100 MB."""
WAITING_MAX: Final = 100
"""Commands that wait for one match: at 1 ms each, the last still answers within a tenth of a
second, and one busy match cannot hold the memory of the process."""


class Table:
    """What this process knows of one match; change it only while holding ``mailbox``."""

    __slots__ = (
        "__weakref__",
        "announced",
        "asked_at",
        "checked_at",
        "coming",
        "folded",
        "mailbox",
        "weight",
    )

    def __init__(self) -> None:
        self.folded: Folded | None = None
        self.mailbox = Mailbox()
        self.announced = 0
        """The newest version another process has hinted at."""
        self.checked_at = 0.0
        """What is known here has all that the log had then, on the loop's clock, in seconds."""
        self.coming: asyncio.Task[Folded] | None = None
        """The read of the log that is about to begin, for all who ask until then."""
        self.asked_at = 0.0
        """When somebody last asked for what the log has, on the loop's clock."""
        self.weight = 0
        """The command ids that the cache counts for it."""

    @property
    def version(self) -> int:
        """The version known here; 0 if none is."""
        return 0 if self.folded is None else self.folded.match.version


class Mailbox:
    """One command of a match in flight at a time; those who come while too many wait are Busy."""

    __slots__ = ("_lock", "_waiting")

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._waiting = 0

    async def __aenter__(self) -> None:
        if self._waiting >= WAITING_MAX:
            raise Busy
        self._waiting += 1
        try:
            await self._lock.acquire()
        finally:
            self._waiting -= 1

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()


class Cache:
    """The tables in use, and as many of those used last as fit.

    A table that somebody holds is always found again, so that a match never has two mailboxes.
    """

    def __init__(self, matches_max: int = MATCHES_MAX, commands_max: int = COMMANDS_MAX) -> None:
        self._matches_max = matches_max
        self._commands_max = commands_max
        self._weight = 0
        self._tables: WeakValueDictionary[bytes, Table] = WeakValueDictionary()
        self._recent: OrderedDict[bytes, Table] = OrderedDict()

    def table(self, match_id: bytes) -> Table:
        """The table of a match, new and empty if it is not known, and now the last one used."""
        recent = self._recent
        table = recent.get(match_id)
        if table is not None:
            recent.move_to_end(match_id)
            return table
        table = self._tables.get(match_id)
        if table is None:
            table = self._tables[match_id] = Table()
        recent[match_id] = table
        self._weigh(table)
        return table

    def known(self, match_id: bytes) -> Table | None:
        """The table of a match if there is one; not counted as a use."""
        return self._tables.get(match_id)

    def grew(self, match_id: bytes, table: Table) -> None:
        """Count what a table has come to hold, and let others go for it."""
        if self._recent.get(match_id) is table:
            self._weigh(table)

    def forget(self, match_id: bytes) -> None:
        """Drop a table that nobody else holds."""
        table = self._recent.pop(match_id, None)
        if table is not None:
            self._let_go(table)

    def __len__(self) -> int:
        return len(self._recent)

    def _weigh(self, table: Table) -> None:
        weight = 0 if table.folded is None else len(table.folded.commands)
        self._weight += weight - table.weight
        table.weight = weight
        recent = self._recent
        while len(recent) > self._matches_max or (
            self._weight > self._commands_max and len(recent) > 1
        ):
            self._let_go(recent.popitem(last=False)[1])

    def _let_go(self, table: Table) -> None:
        self._weight -= table.weight
        table.weight = 0
