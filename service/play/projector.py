"""The newest views of matches that moved, on their way to the view store.

Play never waits for it: what the store cannot take now is kept, the newest of each match only.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from itertools import islice
from typing import Final

from domain.match import Match
from domain.ports import ViewStore
from domain.sight import pack, views_of
from service.play.background import Background

_log: Final = logging.getLogger("talon.play")
WAITING_MAX: Final = 10_000
"""Matches kept for a store that is away; beyond, the longest waiting is left to be read from the
log."""
FLUSH_MAX: Final = 256
"""Matches per flush: some 10 ms of packing, so that commands are not held up longer."""
WINDOW_SECONDS: Final = 0.1
"""A match is written once in so long: one that moves faster is packed once for several moves. A
move after a pause is written at once; in a rush, others may see it so much later."""


class Projector:
    """Writes views, one flush at a time, each with the newest state of each match."""

    def __init__(self, views: ViewStore) -> None:
        self._views = views
        self._waiting: OrderedDict[bytes, Match] = OrderedDict()
        self._woken = asyncio.Event()
        self._written: set[bytes] = set()
        self._window: asyncio.TimerHandle | None = None
        self._background = Background()
        self._since: dict[bytes, float] = {}
        self.put_after: Callable[[float], None] | None = None
        """Told with each flush how many seconds the oldest move in it has waited: for a metric."""

    def start(self) -> None:
        """Begin to write."""
        self._background.keep("projector", self._flush)

    async def stop(self) -> None:
        """Write what is left if the store takes it, then end."""
        await self._background.stop()
        try:
            async with asyncio.timeout(1.0):
                while self._waiting:
                    self._open_window()
                    await self._flush()
        except Exception:
            self._waiting.clear()
        self._open_window()  # and leave no timer behind

    def note(self, match: Match) -> None:
        """Have the views of this state written soon."""
        waiting = self._waiting
        known = waiting.get(match.id)
        if known is None or match.version > known.version:
            waiting[match.id] = match
            if known is None and self.put_after is not None:
                self._since.setdefault(match.id, time.monotonic())
        if len(waiting) > WAITING_MAX:
            self._since.pop(waiting.popitem(last=False)[0], None)
        if match.id not in self._written:
            self._woken.set()

    async def _flush(self) -> None:
        """Wait for matches that moved, and write them; on a fault they wait on."""
        await self._woken.wait()
        self._woken.clear()
        taken = self._take()
        packed = {match.id: (match.version, views) for match in taken if (views := _packed(match))}
        since = {id: at for id in packed if (at := self._since.pop(id, None)) is not None}
        try:
            await self._views.put(packed)
        except BaseException:
            for match in taken:
                self.note(match)
            self._since |= since
            raise
        if since and self.put_after is not None:
            self.put_after(time.monotonic() - min(since.values()))

    def _take(self) -> list[Match]:
        """The matches to write now: the first that were not written in this window."""
        waiting, written = self._waiting, self._written
        due = list(islice((id for id in waiting if id not in written), FLUSH_MAX))
        if len(due) == FLUSH_MAX:
            self._woken.set()
        if due and self._window is None:
            loop = asyncio.get_running_loop()
            self._window = loop.call_later(WINDOW_SECONDS, self._open_window)
        written.update(due)
        return [waiting.pop(id) for id in due]

    def _open_window(self) -> None:
        """Let every match be written again."""
        if self._window is not None:
            self._window.cancel()
            self._window = None
        self._written.clear()
        if self._waiting:
            self._woken.set()


def _packed(match: Match) -> bytes | None:
    """All views, packed; None, loudly, if one match's cannot be made: the others go on."""
    try:
        return pack(views_of(match))
    except Exception:
        _log.exception("no views of match %s at version %d", match.id.hex(), match.version)
        return None
