"""Keeps the projections up with the log, in the process that leads, through any outage."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from msgspec import Struct

from domain.ports import EventLog, Recorded, StaleLeader, Unavailable
from infra.projections.board_consumer import BoardConsumer, BoardsAhead, BoardsLost
from infra.projections.leader import Leader
from infra.projections.scan import LogGap, LogScan
from infra.projections.turns import take_turns
from infra.projections.view_repair import ViewRepair

POLL_SECONDS: Final = 0.25
"""How far the boards may lag behind a quiet log."""
RETRY_SECONDS: Final = 1.0
"""After an outage, and between attempts to take the lead."""

_logger: Final = logging.getLogger(__name__)


class Progress(Struct, frozen=True):
    """What may be measured of the projections in this process. Positions of the log."""

    is_leading: bool
    head: int
    boards_position: int
    views_position: int
    set_aside: int
    views_repaired: int
    views_unreadable: int
    failure: str | None
    """Why projection has stopped for good, or is waiting."""

    @property
    def lag(self) -> int:
        """How many events the boards are behind, as of the last look."""
        return max(0, self.head - self.boards_position)


class Refill(Protocol):
    """Fills the boards anew, and the views as well if they may be of another log."""

    async def __call__(self, epoch: int, *, views: bool) -> None:
        """Fill from the start; raises Unavailable, StaleLeader, or what a builder may raise."""


class Projections:
    """The loop of one process: it leads, or waits to."""

    def __init__(
        self,
        leader: Leader,
        log: EventLog,
        scan: LogScan,
        boards: BoardConsumer,
        views: ViewRepair,
        refill: Refill,
    ) -> None:
        self._leader = leader
        self._log = log
        self._scan = scan
        self._boards = boards
        self._views = views
        self._refill = refill
        self._epoch: int | None = None
        self._begun_epoch: int | None = None
        self._head = 0
        self._failure: str | None = None

    def progress(self) -> Progress:
        """Where the projections of this process stand."""
        return Progress(
            self._epoch is not None,
            self._head,
            self._boards.position,
            self._views.position,
            self._boards.set_aside,
            self._views.repaired,
            self._views.unreadable,
            self._failure,
        )

    def watch(self, applied: Callable[[Sequence[Recorded]], None]) -> None:
        """Have somebody told of the events that the boards take in, right after."""
        self._boards.applied = applied

    async def run(self, stopping: asyncio.Event) -> None:
        """Keep up until ``stopping`` is set; ends early, and loudly, only if the log is damaged."""
        try:
            await take_turns(self._turn_or_fail, stopping)
        finally:
            self._epoch = None
            await self._leader.resign()

    async def _turn_or_fail(self) -> float | None:
        """Do a piece of work; the seconds to wait until the next, None if there can be none."""
        try:
            is_behind = await self._turn()
        except LogGap as error:
            self._failure = str(error)
            _logger.critical("projection stops: the log is damaged: %s", error)
            return None
        except StaleLeader:
            await self._step_down("another process leads")
        except Unavailable as error:
            self._failure, self._begun_epoch = str(error), None
        except Exception as error:  # It must not end the loop; it is tried again.
            _logger.exception("projection failed")
            await self._step_down(repr(error))
        else:
            self._failure = None
            if self._epoch is not None:
                return 0.0 if is_behind else POLL_SECONDS
        return RETRY_SECONDS

    async def _turn(self) -> bool:
        """Do the next piece of work; whether there is more."""
        epoch = await self._leader.epoch()
        if epoch is None:
            self._epoch = None
            return False
        self._epoch = epoch
        self._head = await self._scan.position()
        try:
            is_behind = await self._boards.step(epoch)
            if self._begun_epoch != epoch:
                await self._begin(epoch)
        except BoardsLost:
            _logger.info("the boards are gone: filling them again")
            await self._refill(epoch, views=False)
            return True
        except BoardsAhead:
            _logger.warning("the boards are ahead of the log: rebuilding everything")
            await self._refill(epoch, views=True)
            return True
        return await self._views.step(epoch) or is_behind

    async def _begin(self, epoch: int) -> None:
        """What a new leader does once, and the old one after an outage."""
        restored = await self._boards.restore(self._log, epoch)
        if restored:
            _logger.info("matches taken in again: %d", restored)
        self._begun_epoch = epoch

    async def _step_down(self, reason: str) -> None:
        self._failure, self._epoch, self._begun_epoch = reason, None, None
        await self._leader.resign()
