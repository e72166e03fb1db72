"""Keeps deliveries up with the log, in the process that leads, through any outage."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable
from typing import Final

from domain.limits import WEBHOOK_DAYS_KEPT, WEBHOOK_LOG, WEBHOOK_WAITING
from domain.ports import StaleLeader, Unavailable
from domain.webhooks import Bounds, Outbox
from infra.clock import Clock, now_us
from infra.projections.leader import Leader
from infra.projections.turns import take_turns
from infra.webhooks.consumer import NoticeConsumer
from infra.webhooks.schedule import SECOND

POLL_SECONDS: Final = 0.25
"""How far deliveries may lag behind a quiet log."""
RETRY_SECONDS: Final = 1.0
"""After an outage, and between attempts to take the lead."""
SWEEP_SECONDS: Final = 60.0
"""How often what is too old or too much is dropped."""

_logger: Final = logging.getLogger(__name__)


class Notices:
    """The loop of one process that writes deliveries if it leads, or waits to.

    ``wake`` is called when some were written.
    """

    def __init__(
        self,
        leader: Leader,
        consumer: NoticeConsumer,
        outbox: Outbox,
        wake: Callable[[], None],
        now: Clock = now_us,
    ) -> None:
        self._leader = leader
        self._consumer = consumer
        self._outbox = outbox
        self._wake = wake
        self._now = now
        self._swept_at = float("-inf")
        self.is_leading = False
        """Whether this process led when it last looked."""
        self.failure: str | None = None
        """Why deliveries are not written just now."""

    async def run(self, stopping: asyncio.Event) -> None:
        """Keep up until ``stopping`` is set."""
        try:
            await take_turns(self._turn, stopping)
        finally:
            self.is_leading = False
            await self._leader.resign()

    async def _turn(self) -> float:
        """Do a piece of work; the seconds to wait until the next."""
        try:
            epoch = await self._leader.epoch()
            self.is_leading = epoch is not None
            if epoch is None:
                self.failure = None
                return RETRY_SECONDS * random.uniform(1.0, 1.5)
            written = self._consumer.written
            is_behind = await self._consumer.step(epoch)
            if self._consumer.written > written:
                self._wake()
            await self._sweep()
        except Unavailable as error:
            self.failure = str(error)
            return RETRY_SECONDS
        except StaleLeader:
            await self._leader.resign()
            return RETRY_SECONDS
        except Exception as error:  # It must not end the loop; it is tried again.
            _logger.exception("deliveries cannot be written")
            self.failure = repr(error)
            await self._leader.resign()
            return RETRY_SECONDS
        self.failure = None
        return 0.0 if is_behind else POLL_SECONDS

    async def _sweep(self) -> None:
        """Once in a while, drop the deliveries that are too old or too many."""
        if time.monotonic() - self._swept_at >= SWEEP_SECONDS:
            self._swept_at, now = time.monotonic(), self._now()
            before = now - WEBHOOK_DAYS_KEPT * 86_400 * SECOND
            await self._outbox.sweep(Bounds(now, before, WEBHOOK_LOG, WEBHOOK_WAITING))
