"""The one consumer that turns the log into the lobby, batch by batch, exactly once.

The position lives with the data and moves with it in one step; so a batch that is computed twice,
by whomever, is applied once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from domain.ports import BoardBatch, BoardState, BoardStore, EventLog, Recorded
from infra.projections.projected import PoisonEvent, Projected
from infra.projections.scan import LogScan

BATCH_EVENTS: Final = 1_000
"""One call of a few milliseconds on the server, and at most as many lines."""


class BoardsLost(Exception):  # noqa: N818
    """The store has no position: it must be filled from the start."""


class BoardsAhead(Exception):  # noqa: N818
    """The store has come further than the log: this is another log, or an older copy of it."""


class BoardConsumer:
    """Reads the log on from the store's position. ``strict``: poison stops it (a rebuild)."""

    def __init__(self, scan: LogScan, store: BoardStore, *, strict: bool = False) -> None:
        self._scan = scan
        self._store = store
        self._strict = strict
        self.position = 0
        """Where the store was last known to stand."""
        self.set_aside = 0
        """Matches set aside by this consumer, since it was made."""
        self.applied: Callable[[Sequence[Recorded]], None] | None = None
        """Told of the events that were taken in, right after: for a metric."""

    async def step(self, epoch: int) -> bool:
        """Apply the next batch; whether there may be more.

        Raises BoardsLost, BoardsAhead, LogGap, PoisonEvent, StaleLeader, Unavailable.
        """
        state = await self._state()
        page = await self._scan.table_events(state.position, BATCH_EVENTS)
        if page.end == state.position:
            if await self._scan.position() < state.position:
                raise BoardsAhead
            return False
        matches = {recorded.stream for recorded in page.events}
        projected = Projected(await self._store.lines(list(matches)), strict=self._strict)
        for recorded in page.events:
            projected.add(recorded)
        # Refused is no failure: somebody else was first. Begin again.
        if await self._store.apply(_batch(projected, state, page.end, epoch)):
            self.position = page.end
            self.set_aside += projected.poisoned
            if self.applied is not None:
                self.applied(page.events)
            return not page.is_last
        return True

    async def restore(self, log: EventLog, epoch: int) -> int:
        """Take in matches that were set aside, if all their events are understood by now."""
        restored = 0
        for aside in await self._store.set_aside():
            state = await self._state()
            projected = Projected({}, strict=True)
            try:
                for recorded in (await log.read(aside.match)).events:
                    if recorded.position <= state.position:
                        projected.add(recorded)
            except PoisonEvent:
                continue
            batch = _batch(projected, state, state.position, epoch)
            restored += await self._store.apply(batch)
        return restored

    async def _state(self) -> BoardState:
        state = await self._store.state()
        if state is None:
            raise BoardsLost
        self.position = state.position
        return state


def _batch(projected: Projected, state: BoardState, end: int, epoch: int) -> BoardBatch:
    return BoardBatch(state.position, end, epoch, tuple(projected.changed.values()))
