"""Sends deliveries that are due, in every process, until they arrive or time is up.

A process that dies while it sends leaves a delivery that somebody sends again: its id stays.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from typing import Final, Protocol

from domain.limits import WEBHOOK_AT_ONCE
from domain.ports import SeatHolder, Unavailable
from domain.webhooks import Claim, DeliveryStatus, Outbox, Outcome
from infra.clock import Clock, now_us
from infra.webhooks.letter import body_of, headers_of
from infra.webhooks.post import CONNECTIONS, Answer, Post
from infra.webhooks.schedule import SECOND, failing_limit, next_attempt

POLL_SECONDS: Final = 1.0
"""How long a retry may wait beyond its time; new deliveries wake the process that wrote them."""
LEASE_SECONDS: Final = 30
"""A delivery that was taken on is free again after so long: three times what an attempt takes."""
LAST_SECONDS: Final = 2.0
"""How long requests under way may take to end when the process stops."""
GONE: Final = 410
"""By Standard Webhooks a receiver says so to be left alone."""

_logger: Final = logging.getLogger(__name__)


class Holders(Protocol):
    """The part of the registry that tells whom a digest stands for, while it does."""

    async def seat_holders(self, match: bytes) -> tuple[SeatHolder, ...]:
        """All mappings of a match that still exist."""


class Sender:
    """The loop of one process that sends what is due."""

    def __init__(self, outbox: Outbox, people: Holders, post: Post, now: Clock = now_us) -> None:
        self._outbox = outbox
        self._people = people
        self._post = post
        self._now = now
        self._sending: set[asyncio.Task[None]] = set()
        self._news = asyncio.Event()
        self.attempts: Counter[str] = Counter()
        """Attempts by their outcome, since this sender was made: for a metric."""

    def wake(self) -> None:
        """Look now whether something is due."""
        self._news.set()

    async def run(self, stopping: asyncio.Event) -> None:
        """Send until ``stopping`` is set; then end what is under way, or leave it to others."""
        ending = asyncio.create_task(self._wake_at(stopping))
        try:
            while not stopping.is_set():
                if not await self._send_due():
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._news.wait(), POLL_SECONDS)
                    self._news.clear()
            if self._sending:
                await asyncio.wait(self._sending, timeout=LAST_SECONDS)
        finally:
            ending.cancel()
            for task in self._sending:
                task.cancel()
            await asyncio.gather(*self._sending, return_exceptions=True)
            await self._post.close()

    async def waiting(self) -> int:
        """How many deliveries are still to be made, by whatever process; raises Unavailable."""
        return await self._outbox.waiting()

    async def settled(self) -> None:
        """Wait until everything that is due now was tried once."""
        while await self._send_due() or self._sending:
            if self._sending:
                await asyncio.wait(self._sending)

    async def _wake_at(self, stopping: asyncio.Event) -> None:
        await stopping.wait()
        self.wake()

    async def _send_due(self) -> bool:
        """Take on what is due and begin to send it; whether there was anything."""
        free = CONNECTIONS - len(self._sending)
        if free <= 0:
            return False
        now = self._now()
        try:
            claims = await self._outbox.claim(
                now, now + LEASE_SECONDS * SECOND, free, WEBHOOK_AT_ONCE
            )
        except Unavailable:
            return False
        except Exception:  # It must not end the loop; it is tried again.
            _logger.exception("deliveries cannot be taken on")
            return False
        for claim in claims:
            task = asyncio.create_task(self._send(claim))
            self._sending.add(task)
            task.add_done_callback(self._done)
        return bool(claims)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._sending.discard(task)
        self.wake()

    async def _send(self, claim: Claim) -> None:
        """One attempt; if its outcome cannot be noted, it is made again once the lease is over."""
        try:
            body = body_of(claim.delivery, await self._persons(claim))
            headers = headers_of(claim, body, self._now())
            answer = await self._post.send(claim.webhook.url, headers, body)
            self.attempts[answer.failure or "delivered"] += 1
            await self._outbox.settle(claim, outcome_of(claim, answer, self._now()))
        except Unavailable:
            _logger.info("the outcome of a delivery could not be noted")
        except Exception:
            _logger.exception("a delivery could not be sent")

    async def _persons(self, claim: Claim) -> dict[str, bytes]:
        match = claim.delivery.match
        if match is None or not claim.delivery.told.persons:
            return {}
        holders = await self._people.seat_holders(match)
        return {holder.digest: holder.player for holder in holders}


def outcome_of(claim: Claim, answer: Answer, now: int) -> Outcome:
    """What an answer makes of a delivery."""
    if answer.is_success:
        return Outcome(now, DeliveryStatus.DELIVERED, answered=answer.status)
    is_gone = answer.status == GONE
    due_at = None if is_gone else next_attempt(claim.delivery.attempts, now)
    return Outcome(
        now,
        DeliveryStatus.FAILED if due_at is None else DeliveryStatus.PENDING,
        due_at=due_at,
        answered=answer.status,
        failure=answer.failure,
        failing_limit=failing_limit(now),
        is_gone=is_gone,
    )
