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
"""Folded matches kept: some 5 KB each, and a match read anew costs under a millisecond."""
WAITING_MAX: Final = 100
"""Commands that wait for one match: at 1 ms each, the last still answers within a tenth of a
second, and one busy match cannot hold the memory of the process."""


class Table:
    """What this process knows of one match; change it only while holding ``mailbox``."""

    __slots__ = ("__weakref__", "announced", "checked_at", "folded", "mailbox")

    def __init__(self) -> None:
        self.folded: Folded | None = None
        self.mailbox = Mailbox()
        self.announced = 0
        """The newest version another process has hinted at."""
        self.checked_at = 0.0
        """When the log was last known to stand here, on the loop's clock, in seconds."""

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

    def __init__(self, matches_max: int = MATCHES_MAX) -> None:
        self._matches_max = matches_max
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
        if len(recent) > self._matches_max:
            recent.popitem(last=False)
        return table

    def known(self, match_id: bytes) -> Table | None:
        """The table of a match if there is one; not counted as a use."""
        return self._tables.get(match_id)

    def forget(self, match_id: bytes) -> None:
        """Drop a table that nobody else holds."""
        self._recent.pop(match_id, None)

    def __len__(self) -> int:
        return len(self._recent)
