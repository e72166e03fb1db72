"""The newest views of matches that moved, on their way to the view store.

Play never waits for it: what the store cannot take now is kept, the newest of each match only.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
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


class Projector:
    """Writes views, one flush at a time, each with the newest state of each match."""

    def __init__(self, views: ViewStore) -> None:
        self._views = views
        self._waiting: OrderedDict[bytes, Match] = OrderedDict()
        self._woken = asyncio.Event()
        self._background = Background()

    def start(self) -> None:
        """Begin to write."""
        self._background.keep("projector", self._flush)

    async def stop(self) -> None:
        """Write what is left if the store takes it, then end."""
        await self._background.stop()
        try:
            async with asyncio.timeout(1.0):
                while self._waiting:
                    await self._flush()
        except Exception:
            self._waiting.clear()

    def note(self, match: Match) -> None:
        """Have the views of this state written soon."""
        waiting = self._waiting
        known = waiting.get(match.id)
        if known is None or match.version > known.version:
            waiting[match.id] = match
        if len(waiting) > WAITING_MAX:
            waiting.popitem(last=False)
        self._woken.set()

    async def _flush(self) -> None:
        """Wait for matches that moved, and write them; on a fault they wait on."""
        await self._woken.wait()
        taken: list[Match] = []
        while self._waiting and len(taken) < FLUSH_MAX:
            taken.append(self._waiting.popitem(last=False)[1])
        if not self._waiting:
            self._woken.clear()
        packed = {match.id: (match.version, views) for match in taken if (views := _packed(match))}
        try:
            await self._views.put(packed)
        except BaseException:
            for match in taken:
                self.note(match)
            raise


def _packed(match: Match) -> bytes | None:
    """All views, packed; None, loudly, if one match's cannot be made: the others go on."""
    try:
        return pack(views_of(match))
    except Exception:
        _log.exception("no views of match %s at version %d", match.id.hex(), match.version)
        return None
