"""Puts right the views that their writers could not: after a crash, or while Redis was away.

It trails behind the log, compares versions first, and reads a match only if its views are older
than its events or missing. A writer that is alive leaves it nothing to do.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Final, Protocol

from domain.ports import EventLog, Stream, ViewStore
from domain.tournaments.streams import is_tournament
from infra.projections.scan import LogScan

BATCH_EVENTS: Final = 5_000
"""Of one comparison; they belong to a few hundred matches."""
TRAIL_SECONDS: Final = 1.0
"""Writers have put their views by then."""
LATE_SECONDS: Final = 5.0
"""Writers that were held up, while Redis was away say, have put by then what they last knew. After
a wipe that may be older than what was lost, and of a match without another event to tell."""
OPEN_MAX: Final = 10_000
"""How many open matches are compared after a wipe; the others follow with their next event."""
_NEVER: Final = float("inf")
_FOREVER: Final = 2**62
"""Later than any time, in microseconds."""

BuildViews = Callable[[bytes, Stream], tuple[int, bytes]]
"""The version and packed views of a match, from its id and its whole stream."""


class RepairableViews(ViewStore, Protocol):
    """A view store that can tell versions without reading the views."""

    async def versions(self, matches: Sequence[bytes]) -> Mapping[bytes, int]:
        """The versions of the views that are there."""

    def stored(self) -> AsyncIterator[Sequence[bytes]]:
        """The matches whose views are there, page by page."""


class Checkpoint(Protocol):
    """A position that is lost together with the views it is about."""

    async def get(self) -> int | None:
        """The position; None where there is none, or none any more."""

    async def set(self, position: int, epoch: int) -> bool:
        """Keep the position; False if it was lost meanwhile; raises StaleLeader."""


class ViewRepair:
    """Compares and repairs, from its checkpoint on."""

    def __init__(
        self,
        log: EventLog,
        scan: LogScan,
        views: RepairableViews,
        checkpoint: Checkpoint,
        build_views: BuildViews,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._log = log
        self._scan = scan
        self._views = views
        self._checkpoint = checkpoint
        self._build_views = build_views
        self._clock = clock
        self._seen = (0, clock())
        self._settled = 0
        self._epoch = -1
        self._look_again_at = _NEVER
        self.position = 0
        """Up to here views were as new as their events."""
        self.repaired = 0
        self.unreadable = 0
        """Matches whose events could not be folded, since this was made."""

    async def step(self, epoch: int) -> bool:
        """Compare the next batch that is old enough; whether there may be more.

        Raises LogGap, StaleLeader, Unavailable.
        """
        await self._look_ahead()
        position = await self._checkpoint.get()
        if position is None:
            await self._begin(epoch)
            return False
        self.position = position
        await self._look_again(epoch)
        if position >= self._settled:
            return False
        limit = min(BATCH_EVENTS, self._settled - position)
        changed = await self._scan.changed(position, limit)
        await self._compare(changed.versions)
        if await self._checkpoint.set(changed.end, epoch):
            self.position = changed.end
        return changed.end < self._settled

    async def _begin(self, epoch: int) -> None:
        """Set out from the end of the log, after a look at all that may be stale.

        Those are the views that are there. Of the others, only matches that go on are put; who
        asks for the rest is answered from the log.
        """
        self._epoch, self._look_again_at = epoch, self._clock() + LATE_SECONDS
        position = await self._scan.position()
        await self._look()
        await self._compare(dict.fromkeys(await self._log.idle(_FOREVER, OPEN_MAX), _FOREVER))
        if await self._checkpoint.set(position, epoch):
            self.position = position

    async def _look_again(self, epoch: int) -> None:
        """Once, a while after a wipe or after taking the lead, look for views that are stale."""
        if epoch != self._epoch:
            self._epoch, self._look_again_at = epoch, self._clock() + LATE_SECONDS
        if self._clock() >= self._look_again_at:
            await self._look()
            self._look_again_at = _NEVER

    async def _look(self) -> None:
        """Compare all views that are there with the heads of their matches."""
        async for matches in self._views.stored():
            await self._compare(await self._log.heads(matches))

    async def _look_ahead(self) -> None:
        """Settled is what was in the log TRAIL_SECONDS ago."""
        head, seen_at = self._seen
        if self._clock() - seen_at >= TRAIL_SECONDS:
            self._settled = head
            self._seen = (await self._scan.position(), self._clock())

    async def _compare(self, wanted: Mapping[bytes, int]) -> None:
        there = await self._views.versions(list(wanted)) if wanted else {}
        for match, version in wanted.items():
            if there.get(match, 0) < version:
                await self._repair(match, there.get(match, 0))

    async def _repair(self, match: bytes, version: int) -> None:
        stream = await self._log.read(match)
        if not stream.events or stream.events[-1].version <= version:
            return
        if is_tournament(stream.events):
            return
        try:
            views = self._build_views(match, stream)
        except Exception:  # A match that cannot be folded must not stop the others.
            self.unreadable += 1
            return
        await self._views.put({match: views})
        self.repaired += 1
