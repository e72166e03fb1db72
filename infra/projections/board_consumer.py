"""The one consumer that turns the log into boards and lobby, batch by batch, exactly once.

The position lives with the data and moves with it in one step; so a batch that is computed twice,
by whomever, is applied once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from domain.ports import Award, BoardBatch, BoardState, BoardStore, EventLog, Recorded, SeatHolder
from infra.projections.lines import awards_of
from infra.projections.projected import PoisonEvent, Projected
from infra.projections.scan import LogScan

BATCH_EVENTS: Final = 1_000
"""One call of a few milliseconds on the server, and at most as many lines."""


class SeatHolders(Protocol):
    """The part of the registry that awards need."""

    async def seat_holders_of(
        self, matches: Sequence[bytes]
    ) -> Mapping[bytes, tuple[SeatHolder, ...]]:
        """All mappings of these matches that still exist."""


class BoardsLost(Exception):  # noqa: N818
    """The store has no position: it must be filled from the start."""


class BoardsAhead(Exception):  # noqa: N818
    """The store has come further than the log: this is another log, or an older copy of it."""


class BoardConsumer:
    """Reads the log on from the store's position. ``strict``: poison stops it (a rebuild)."""

    def __init__(
        self, scan: LogScan, holders: SeatHolders, store: BoardStore, *, strict: bool = False
    ) -> None:
        self._scan = scan
        self._holders = holders
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
        # Refused is no failure: somebody else was first, or forgot a person. Begin again.
        if await self._store.apply(await self._batch(projected, state, page.end, epoch)):
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
            batch = await self._batch(projected, state, state.position, epoch)
            restored += await self._store.apply(batch)
        return restored

    async def _state(self) -> BoardState:
        state = await self._store.state()
        if state is None:
            raise BoardsLost
        self.position = state.position
        return state

    async def _batch(
        self, projected: Projected, state: BoardState, end: int, epoch: int
    ) -> BoardBatch:
        awards: list[Award] = []
        if projected.ended:
            matches = [line.match for line, _ in projected.ended]
            holders = await self._holders.seat_holders_of(matches)
            for line, ended in projected.ended:
                awards += awards_of(line, ended, holders.get(line.match, ()))
        lines = tuple(projected.changed.values())
        return BoardBatch(state.position, end, epoch, state.forgotten, lines, tuple(awards))
