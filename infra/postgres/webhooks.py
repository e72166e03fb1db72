"""Webhooks and their deliveries on Postgres. Each call is one autocommit statement.

Secrets are sealed for the webhook that they belong to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from domain.ports import StaleLeader
from domain.webhooks import Bounds, Claim, Delivery, DisabledBy, Outcome, Told, Webhook
from infra.postgres.pool import Pool, fetch
from infra.sealing import Sealer
from infra.webhooks.schedule import REST_SECONDS_MAX

FORGET_ROWS: Final = 5_000
"""Dropped in one statement: well below its time limit."""
WAITING_COUNTED: Final = 100_000
"""More is too much in any case, and counting it costs."""
_CONTEXT: Final = b"talon-webhook/1"


class PostgresWebhooks:
    """Webhooks and Outbox on Postgres."""

    def __init__(self, pool: Pool, sealer: Sealer, log_id: int = 0) -> None:
        self._pool = pool
        self._sealer = sealer
        self._log_id = log_id

    async def add(self, webhook: Webhook, limit: int) -> bool:
        """Store a webhook; a repetition changes nothing, also once it is gone."""
        sealed = self._sealer.seal(webhook.secret, _CONTEXT + webhook.id)
        values = (webhook.url, list(webhook.types), sealed, webhook.created_at, webhook.since)
        rows = await fetch(self._pool, "webhook_add", webhook.id, webhook.app, *values, limit)
        return bool(rows)

    async def of_app(self, app: bytes) -> tuple[Webhook, ...]:
        """The webhooks of an app, the oldest first."""
        return self._opened(await fetch(self._pool, "webhooks_of_app", app))

    async def change(self, id: bytes, url: str, types: Sequence[str]) -> None:
        """Change where a webhook points and what it is told."""
        await fetch(self._pool, "webhook_change", id, url, list(types))

    async def enable(self, id: bytes, since: int) -> None:
        """Tell a disabled webhook again what stands after a position."""
        await fetch(self._pool, "webhook_enable", id, since)

    async def disable(self, id: bytes, now: int) -> None:
        """Tell a webhook nothing more."""
        await fetch(self._pool, "webhook_disable", id, now, DisabledBy.APP)

    async def rotate(self, id: bytes, secret: bytes, old_until: int) -> None:
        """Give a webhook a new secret."""
        sealed = self._sealer.seal(secret, _CONTEXT + id)
        await fetch(self._pool, "webhook_rotate", id, sealed, old_until)

    async def remove(self, id: bytes) -> None:
        """Forget a webhook and its deliveries."""
        await fetch(self._pool, "webhook_remove", id)

    async def deliver(self, delivery: Delivery) -> None:
        """Store a delivery; a repetition changes nothing."""
        await fetch(
            self._pool,
            "webhook_deliver",
            *(delivery.id, delivery.webhook, delivery.type, delivery.match),
            *(_encode(delivery.told), delivery.created_at, delivery.due_at),
        )

    async def deliveries(
        self, webhook: bytes, status: str | None, before: bytes | None, limit: int
    ) -> tuple[Delivery, ...]:
        """Deliveries of a webhook, newest first."""
        rows = await fetch(self._pool, "webhook_deliveries", webhook, status, before, limit)
        return tuple(_delivery(row) for row in rows)

    async def delivery(self, webhook: bytes, id: bytes) -> Delivery | None:
        """A delivery of a webhook."""
        rows = await fetch(self._pool, "webhook_delivery", webhook, id)
        return _delivery(rows[0]) if rows else None

    async def again(self, id: bytes, now: int, asked_at: int) -> None:
        """Try a delivery from the start, unless it was tried after ``asked_at``."""
        await fetch(self._pool, "webhook_again", id, now, asked_at)

    async def enabled(self) -> tuple[Webhook, ...]:
        """All webhooks that are not disabled."""
        return self._opened(await fetch(self._pool, "webhooks_enabled"))

    async def position(self) -> int:
        """Up to which position of the log deliveries have been written."""
        position: int = (await self._state())["position"]
        return position

    async def write(self, start: int, end: int, epoch: int, deliveries: Sequence[Delivery]) -> bool:
        """Store deliveries and move the position, in one transaction."""
        now = deliveries[0].created_at if deliveries else 0
        rows = await fetch(
            self._pool,
            "webhook_write",
            *(self._log_id, start, end, epoch, now),
            [one.id for one in deliveries],
            [one.webhook for one in deliveries],
            [str(one.type) for one in deliveries],
            [one.match for one in deliveries],
            [_encode(one.told) for one in deliveries],
        )
        if not rows and (await self._state())["epoch"] > epoch:
            raise StaleLeader
        return bool(rows)

    async def waiting(self) -> int:
        """How many deliveries are still to be made, WAITING_COUNTED at most."""
        (row,) = await fetch(self._pool, "webhook_waiting", WAITING_COUNTED)
        return int(row["waiting"])

    async def claim(self, now: int, until: int, limit: int, at_once: int) -> tuple[Claim, ...]:
        """Take on deliveries that are due; a webhook that is gone meanwhile gets none."""
        rows = await fetch(self._pool, "webhook_claim", now, until, limit, at_once)
        if not rows:
            return ()
        ids = list({row["webhook_id"] for row in rows})
        known = self._opened(await fetch(self._pool, "webhooks_by_id", ids))
        webhooks = {webhook.id: webhook for webhook in known}
        mine = (_delivery(row) for row in rows)
        return tuple(Claim(one, webhooks[one.webhook]) for one in mine if one.webhook in webhooks)

    async def settle(self, claim: Claim, outcome: Outcome) -> None:
        """Note how an attempt ended, unless somebody else has taken the delivery on since."""
        mine = claim.delivery
        await fetch(
            self._pool,
            "webhook_settle",
            *(mine.id, mine.attempts, mine.due_at, outcome.at, outcome.status, outcome.due_at),
            *(outcome.answered, outcome.failure, REST_SECONDS_MAX, outcome.failing_limit),
            *(outcome.is_gone, DisabledBy.GONE if outcome.is_gone else DisabledBy.FAILURES),
        )

    async def sweep(self, bounds: Bounds) -> None:
        """Drop what is too old or too much, and disable webhooks for which too much waits."""
        waiting = (bounds.now, bounds.waiting, DisabledBy.BACKLOG)
        await fetch(self._pool, "webhook_backlog", *waiting)
        for name, bound in (("webhook_forget", bounds.before), ("webhook_trim", bounds.log)):
            while len(await fetch(self._pool, name, bound, FORGET_ROWS)) == FORGET_ROWS:
                pass

    async def _state(self) -> Any:
        (row,) = await fetch(self._pool, "webhook_position", self._log_id)
        return row

    def _opened(self, rows: Sequence[Any]) -> tuple[Webhook, ...]:
        return tuple(self._webhook(row) for row in rows)

    def _webhook(self, row: Any) -> Webhook:
        id, app, url, types, sealed, created_at, since, sealed_old, *rest = row
        context = _CONTEXT + id
        secret = self._sealer.open(sealed, context)
        old = None if sealed_old is None else self._sealer.open(sealed_old, context)
        return Webhook(id, app, url, tuple(types), secret, created_at, since, old, *rest)


def _delivery(row: Any) -> Delivery:
    id, webhook, type, match, told, *rest = row
    return Delivery(id, webhook, type, match, _decode(told), *rest)


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Told).decode
