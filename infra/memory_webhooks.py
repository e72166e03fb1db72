"""Webhooks and their deliveries in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from domain.ports import StaleLeader
from domain.webhooks import Bounds, Claim, Delivery, DeliveryStatus, DisabledBy, Outcome, Webhook
from infra.webhooks.schedule import rest_after


class MemoryWebhooks:
    """Webhooks and Outbox in dicts."""

    def __init__(self) -> None:
        self._webhooks: dict[bytes, Webhook] = {}
        self._deliveries: dict[bytes, Delivery] = {}
        self._leased: dict[bytes, int] = {}
        self._failures: dict[bytes, int] = {}
        self._rests: dict[bytes, int] = {}
        self._gone: set[bytes] = set()
        self._position = self._epoch = 0

    async def add(self, webhook: Webhook, limit: int) -> bool:
        """Store a webhook; a repetition changes nothing, also once it is gone."""
        if webhook.id in self._gone:
            return True
        others = [one for one in await self.of_app(webhook.app) if one.id != webhook.id]
        if webhook.id not in self._webhooks and len(others) >= limit:
            return False
        self._webhooks.setdefault(webhook.id, webhook)
        return True

    async def of_app(self, app: bytes) -> tuple[Webhook, ...]:
        """The webhooks of an app, the oldest first."""
        mine = (one for one in self._webhooks.values() if one.app == app)
        return tuple(sorted(mine, key=lambda one: one.id))

    async def change(self, id: bytes, url: str, types: Sequence[str]) -> None:
        """Change where a webhook points and what it is told."""
        self._update(id, url=url, types=tuple(types))

    async def enable(self, id: bytes, since: int) -> None:
        """Tell a disabled webhook again what stands after a position."""
        if id in self._webhooks and self._webhooks[id].disabled_at is not None:
            self._update(id, disabled_at=None, disabled_by=None, failing_since=None, since=since)
            self._rests.pop(id, None)

    async def disable(self, id: bytes, now: int) -> None:
        """Tell a webhook nothing more."""
        if id in self._webhooks and self._webhooks[id].disabled_at is None:
            self._update(id, disabled_at=now, disabled_by=DisabledBy.APP)

    async def rotate(self, id: bytes, secret: bytes, old_until: int) -> None:
        """Give a webhook a new secret."""
        known = self._webhooks.get(id)
        if known is not None and (known.old_until is None or known.old_until < old_until):
            self._update(id, secret=secret, old_secret=known.secret, old_until=old_until)

    async def remove(self, id: bytes) -> None:
        """Forget a webhook and its deliveries."""
        if self._webhooks.pop(id, None) is not None:
            self._gone.add(id)
        for one in [one for one in self._deliveries.values() if one.webhook == id]:
            del self._deliveries[one.id]

    async def deliver(self, delivery: Delivery) -> None:
        """Store a delivery; a repetition changes nothing."""
        self._deliveries.setdefault(delivery.id, delivery)
        self._rests.pop(delivery.webhook, None)

    async def deliveries(
        self, webhook: bytes, status: str | None, before: bytes | None, limit: int
    ) -> tuple[Delivery, ...]:
        """Deliveries of a webhook, newest first."""
        found = [
            one
            for one in self._deliveries.values()
            if one.webhook == webhook
            and (status is None or one.status == status)
            and (before is None or one.id < before)
        ]
        return tuple(sorted(found, key=lambda one: one.id, reverse=True)[:limit])

    async def delivery(self, webhook: bytes, id: bytes) -> Delivery | None:
        """A delivery of a webhook."""
        found = self._deliveries.get(id)
        return found if found is not None and found.webhook == webhook else None

    async def again(self, id: bytes, now: int, asked_at: int) -> None:
        """Try a delivery from the start, unless it was tried after ``asked_at``."""
        one = self._deliveries.get(id)
        if one is None or self._leased.get(id, 0) > now or (one.last_at or 0) >= asked_at:
            return
        status = DeliveryStatus.PENDING
        self._deliveries[id] = replace(one, status=status, attempts=0, due_at=now)
        self._rests.pop(one.webhook, None)

    async def enabled(self) -> tuple[Webhook, ...]:
        """All webhooks that are not disabled."""
        return tuple(one for one in self._webhooks.values() if one.disabled_at is None)

    async def position(self) -> int:
        """Up to which position of the log deliveries have been written."""
        return self._position

    async def write(self, start: int, end: int, epoch: int, deliveries: Sequence[Delivery]) -> bool:
        """Store deliveries and move the position, or neither."""
        if epoch < self._epoch:
            raise StaleLeader
        if start != self._position:
            return False
        self._position, self._epoch = end, epoch
        self._deliveries.update((one.id, one) for one in deliveries)
        return True

    async def waiting(self) -> int:
        """How many deliveries are still to be made."""
        return sum(one.due_at is not None for one in self._deliveries.values())

    async def claim(self, now: int, until: int, limit: int, at_once: int) -> tuple[Claim, ...]:
        """Take on deliveries that are due."""
        claims: list[Claim] = []
        for webhook in await self.enabled():
            if self._rests.get(webhook.id, 0) > now:
                continue
            mine = [one for one in self._deliveries.values() if one.webhook == webhook.id]
            due = [one for one in mine if one.due_at is not None and one.due_at <= now]
            taken = sum(self._leased.get(one.id, 0) > now for one in mine)
            for one in sorted(due, key=lambda one: (one.due_at, one.id))[: at_once - taken]:
                if len(claims) < limit:
                    mine_now = replace(one, attempts=one.attempts + 1, due_at=until)
                    self._deliveries[one.id], self._leased[one.id] = mine_now, until
                    claims.append(Claim(mine_now, webhook))
        return tuple(claims)

    async def settle(self, claim: Claim, outcome: Outcome) -> None:
        """Note how an attempt ended, unless somebody else has taken the delivery on since."""
        mine = claim.delivery
        known = self._deliveries.get(mine.id)
        if known is None or known.due_at != mine.due_at or known.attempts != mine.attempts:
            return
        self._leased.pop(mine.id, None)
        self._deliveries[mine.id] = replace(
            known,
            status=outcome.status,
            due_at=outcome.due_at,
            last_at=outcome.at,
            answered=outcome.answered,
            failure=outcome.failure,
        )
        self._note_health(mine.webhook, outcome)

    async def sweep(self, bounds: Bounds) -> None:
        """Drop what is too old or too much, and disable webhooks for which too much waits."""
        for one in [one for one in self._deliveries.values() if one.created_at < bounds.before]:
            del self._deliveries[one.id]
        for webhook in list(self._webhooks.values()):
            mine = sorted(one.id for one in self._deliveries.values() if one.webhook == webhook.id)
            over = [id for id in mine if self._deliveries[id].due_at is None]
            for id in over[: max(0, len(over) - bounds.log)]:
                del self._deliveries[id]
            if webhook.disabled_at is None and len(mine) - len(over) > bounds.waiting:
                self._update(webhook.id, disabled_at=bounds.now, disabled_by=DisabledBy.BACKLOG)

    def _note_health(self, id: bytes, outcome: Outcome) -> None:
        webhook = self._webhooks[id]
        if outcome.status == DeliveryStatus.DELIVERED:
            self._failures[id] = 0
            self._rests.pop(id, None)
            self._update(id, failing_since=None)
            return
        self._failures[id] = self._failures.get(id, 0) + 1
        self._rests[id] = outcome.at + rest_after(self._failures[id])
        since = webhook.failing_since or outcome.at
        self._update(id, failing_since=since)
        if webhook.disabled_at is None and (outcome.is_gone or since <= outcome.failing_limit):
            by = DisabledBy.GONE if outcome.is_gone else DisabledBy.FAILURES
            self._update(id, disabled_at=outcome.at, disabled_by=by)

    def _update(self, id: bytes, **changes: Any) -> None:
        if id in self._webhooks:
            self._webhooks[id] = replace(self._webhooks[id], **changes)
