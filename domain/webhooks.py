"""Webhooks: where an app wants to be told what happens in its matches, and what was delivered.

Not here: when something is worth telling (``domain.notices``), nor how it is sent. Times are
microseconds since the epoch, UTC.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Protocol

from msgspec import Struct

SECRET_BYTES: Final = 32
SECRET_PREFIX: Final = "whsec_"
"""As Standard Webhooks writes a secret: this, then base64."""


class NoticeType(StrEnum):
    """What an app can be told; more kinds may come."""

    MATCH_STARTED = "match_started"
    YOUR_TURN = "your_turn"
    ROUND_ENDED = "round_ended"
    MATCH_ENDED = "match_ended"
    MATCH_ABANDONED = "match_abandoned"
    MATCH_VOIDED = "match_voided"
    TOURNAMENT_STARTED = "tournament_started"
    TABLE_OPENED = "table_opened"
    TOURNAMENT_FINISHED = "tournament_finished"
    TOURNAMENT_CANCELED = "tournament_canceled"


OF_TOURNAMENTS: Final = frozenset(
    (
        NoticeType.TOURNAMENT_STARTED,
        NoticeType.TABLE_OPENED,
        NoticeType.TOURNAMENT_FINISHED,
        NoticeType.TOURNAMENT_CANCELED,
    )
)
"""What is told of tournaments: persons are then those of entrants, by number."""
PING: Final = "ping"
"""The type of a delivery that only tries a webhook out."""


class DisabledBy(StrEnum):
    """Why a webhook is disabled."""

    APP = "app"
    FAILURES = "failures"
    GONE = "gone"
    BACKLOG = "backlog"


class DeliveryStatus(StrEnum):
    """What has become of a delivery."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class Failure(StrEnum):
    """Why an attempt was no success."""

    ANSWER = "answer"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    ADDRESS_NOT_PUBLIC = "address_not_public"
    NOT_HTTPS = "not_https"


class Webhook(Struct, frozen=True, gc=False):
    """Where an app is told, of which types (none: of all), and how that goes.

    It is told what stands after position ``since`` of the log. Both secrets sign until
    ``old_until``. ``failing_since``: no attempt has succeeded since.
    """

    id: bytes
    app: bytes
    url: str
    types: tuple[str, ...]
    secret: bytes
    created_at: int
    since: int
    old_secret: bytes | None = None
    old_until: int | None = None
    disabled_at: int | None = None
    disabled_by: str | None = None
    failing_since: int | None = None

    def wants(self, type: str) -> bool:
        """Whether it is to be told of this type."""
        return not self.types or type in self.types


class Told(Struct, frozen=True, gc=False, array_like=True):
    """What a delivery tells, without any person's id: digests by seat, as in the log.

    ``event`` is JSON, public. A ping has nothing to tell.
    """

    occurred_at: int
    version: int = 0
    position: int = 0
    event: bytes = b"{}"
    persons: tuple[tuple[int, str], ...] = ()


class Delivery(Struct, frozen=True, gc=False):
    """One thing told to one webhook, until it is delivered or given up.

    ``match`` is the stream that it is about: a match, or a tournament (OF_TOURNAMENTS).
    ``due_at`` is when it is tried next. ``answered`` is the last HTTP status.
    """

    id: bytes
    webhook: bytes
    type: str
    match: bytes | None
    told: Told
    created_at: int
    due_at: int | None
    status: str = DeliveryStatus.PENDING
    attempts: int = 0
    last_at: int | None = None
    answered: int | None = None
    failure: str | None = None


class Claim(Struct, frozen=True, gc=False):
    """A delivery that a process has taken on, and its webhook as it stands."""

    delivery: Delivery
    webhook: Webhook


class Outcome(Struct, frozen=True, gc=False):
    """How an attempt ended: ``status`` as it leaves the delivery, ``due_at`` if it is tried again.

    ``failing_limit``: a webhook that has failed since then or before is disabled. ``is_gone``: it
    is disabled at once.
    """

    at: int
    status: DeliveryStatus
    due_at: int | None = None
    answered: int | None = None
    failure: str | None = None
    failing_limit: int = 0
    is_gone: bool = False


class Bounds(Struct, frozen=True, gc=False):
    """How much is kept at ``now``: nothing from before a time, so many that are over in the log of
    a webhook, so many that wait."""

    now: int
    before: int
    log: int
    waiting: int


class Webhooks(Protocol):
    """Webhooks and their deliveries, durable. All methods may raise Unavailable."""

    async def add(self, webhook: Webhook, limit: int) -> bool:
        """Store a webhook; a repetition changes nothing, also once it is removed.

        False if its app has ``limit`` others.
        """

    async def of_app(self, app: bytes) -> tuple[Webhook, ...]:
        """The webhooks of an app, the oldest first."""

    async def change(self, id: bytes, url: str, types: Sequence[str]) -> None:
        """Change where a webhook points and what it is told."""

    async def enable(self, id: bytes, since: int) -> None:
        """Tell a disabled webhook again what stands after a position of the log."""

    async def disable(self, id: bytes, now: int) -> None:
        """Tell a webhook nothing more, because its app wants it so."""

    async def rotate(self, id: bytes, secret: bytes, old_until: int) -> None:
        """Give a webhook a new secret; the one before signs too until then.

        Nothing changes if that is not after what the last rotation said: it was asked for before.
        """

    async def remove(self, id: bytes) -> None:
        """Forget a webhook and its deliveries."""

    async def deliver(self, delivery: Delivery) -> None:
        """Store a delivery; a repetition changes nothing."""

    async def deliveries(
        self, webhook: bytes, status: str | None, before: bytes | None, limit: int
    ) -> tuple[Delivery, ...]:
        """Deliveries of a webhook, newest first, with ids below ``before``."""

    async def delivery(self, webhook: bytes, id: bytes) -> Delivery | None:
        """A delivery of a webhook."""

    async def again(self, id: bytes, now: int, asked_at: int) -> None:
        """Try a delivery from the start, unless it was tried after ``asked_at``."""


class Outbox(Protocol):
    """The same store, as those use it who write deliveries and send them."""

    async def enabled(self) -> tuple[Webhook, ...]:
        """All webhooks that are not disabled."""

    async def position(self) -> int:
        """Up to which position of the log deliveries have been written."""

    async def write(self, start: int, end: int, epoch: int, deliveries: Sequence[Delivery]) -> bool:
        """Store deliveries and move the position from ``start`` to ``end``, in one transaction.

        False, and nothing is stored, if it was elsewhere; raises StaleLeader for an epoch below
        that of who wrote last.
        """

    async def waiting(self) -> int:
        """How many deliveries are still to be made, or so many that it does not matter."""

    async def claim(self, now: int, until: int, limit: int, at_once: int) -> tuple[Claim, ...]:
        """Take on deliveries that are due; nobody else gets them until ``until``.

        At most ``at_once`` of a webhook are taken on by all processes together.
        """

    async def settle(self, claim: Claim, outcome: Outcome) -> None:
        """Note how an attempt ended, unless somebody else has taken the delivery on since."""

    async def sweep(self, bounds: Bounds) -> None:
        """Drop what is too old or too much, and disable webhooks for which too much waits."""


def secret_text(secret: bytes) -> str:
    """A secret as its owner gets it."""
    return SECRET_PREFIX + base64.b64encode(secret).decode()
