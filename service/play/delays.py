"""How far a match has come for those who see it later, and its items at that pace.

What happens before the start is seen at once, since somebody must find the table; everything
from the start on is seen a delay after it happened, the end as well.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

from domain.events import MatchStarted
from domain.limits import PAGE_ITEMS
from domain.ports import EventLog, Recorded, Unavailable
from service.play.contract import Busy, Item, NoMatch
from service.play.history import History
from service.play.tables import Tables
from service.play.times import SECOND
from service.play.viewers import SPECTATOR

MATCHES_MAX: Final = 1_000
"""Matches whose times are kept: 8 bytes an event, so about 10 MB at most."""
LATE_SECONDS: Final = 5.0
"""How much later than its time an event may come to be in the log: its append takes that long at
most, and other processes' clocks differ by less."""
POLL_SECONDS: Final = 1.0
"""How often the log is asked for what may be shown as soon as it is there."""
AWAY_SECONDS: Final = 0.5
"""Pause before a log that was away is asked again."""


class _Times:
    """When the events of a match happened, in order, and when the log was asked for them."""

    __slots__ = ("asked_at", "at", "is_open")

    def __init__(self) -> None:
        self.at: list[int] = []
        self.asked_at = 0
        self.is_open = True

    def add(self, events: Sequence[Recorded]) -> None:
        """Note events after those known; before the start they count as long past."""
        for one in events:
            self.is_open = self.is_open and type(one.event) is not MatchStarted
            before = self.at[-1] if self.at else 0
            self.at.append(0 if self.is_open else max(before, one.occurred_at))


class Delays:
    """Matches as those see them who see them later. ``now`` in microseconds."""

    def __init__(
        self,
        log: EventLog,
        tables: Tables,
        history: History,
        now: Callable[[], int],
        heartbeat_seconds: float,
    ) -> None:
        self._log = log
        self._tables = tables
        self._history = history
        self._now = now
        self._heartbeat_seconds = heartbeat_seconds
        self._known: OrderedDict[bytes, _Times] = OrderedDict()
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """End every stream."""
        self._stopped.set()

    async def version(self, match_id: bytes, seconds: int) -> int:
        """The newest version that is so old; raises NoMatch and Unavailable."""
        until = self._now() - seconds * SECOND
        return bisect_right((await self._times(match_id, until)).at, until)

    async def stream(self, match_id: bytes, after: int, seconds: int) -> AsyncIterator[Item | None]:
        """Public items after a version, each once it is so old; None for each heartbeat."""
        loop = asyncio.get_running_loop()
        beat = loop.time() + self._heartbeat_seconds
        while not self._stopped.is_set():
            try:
                page = await self._seen(match_id, after, seconds)
            except Unavailable:
                page = ()
                await self._pause(AWAY_SECONDS)
            for one in page:
                yield one
                after = one.version
                beat = loop.time() + self._heartbeat_seconds
            if page:
                continue
            if await self._is_all(match_id, after):
                return
            await self._pause(min(beat - loop.time(), self._until(match_id, after, seconds)))
            if loop.time() >= beat:
                beat = loop.time() + self._heartbeat_seconds
                yield None

    async def _seen(self, match_id: bytes, after: int, seconds: int) -> tuple[Item, ...]:
        limit = min(PAGE_ITEMS, await self.version(match_id, seconds) - after)
        if limit <= 0:
            return ()
        return await self._history.items(match_id, SPECTATOR, after, limit)

    async def _times(self, match_id: bytes, until: int) -> _Times:
        """All times up to one, perhaps more; the log is asked if it may have others."""
        times = self._known.get(match_id) or _Times()
        if times.is_open or times.asked_at < until + LATE_SECONDS * SECOND:
            asked_at, known = self._now(), len(times.at)
            events = (await self._log.read(match_id, known)).events
            if not events and not known:
                raise NoMatch
            if len(times.at) == known:  # nobody was faster
                times.add(events)
                times.asked_at = asked_at
            self._keep(match_id, times)
        return times

    def _until(self, match_id: bytes, after: int, seconds: int) -> float:
        """Seconds to wait for the event after a version, or until the log has to be asked."""
        times = self._known.get(match_id)
        if times is None or times.is_open:
            return POLL_SECONDS
        if len(times.at) <= after:
            return max(POLL_SECONDS, seconds - LATE_SECONDS)
        return max(0.0, seconds - (self._now() - times.at[after]) / SECOND)

    async def _is_all(self, match_id: bytes, after: int) -> bool:
        """Whether the match is over and nothing comes after this version."""
        try:
            match = (await self._tables.folded(match_id)).match
        except (Busy, Unavailable):
            return False
        return match.is_over and match.version == after

    async def _pause(self, seconds: float) -> None:
        """Wait, unless the service stops."""
        try:
            async with asyncio.timeout(max(0.0, seconds)):
                await self._stopped.wait()
        except TimeoutError:
            return

    def _keep(self, match_id: bytes, times: _Times) -> None:
        self._known[match_id] = times
        self._known.move_to_end(match_id)
        if len(self._known) > MATCHES_MAX:
            self._known.popitem(last=False)
