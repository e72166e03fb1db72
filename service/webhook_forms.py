"""What requests about webhooks say, and what answers about them and their deliveries hold."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.limits import WEBHOOK_TYPES, WEBHOOK_URL_CHARACTERS
from domain.webhooks import OF_TOURNAMENTS, Delivery, NoticeType, Webhook, secret_text
from service.ids import text_of
from service.play.times import rfc3339
from service.problems import invalid
from service.wire import Id, Moment, Request

_HOST: Final = "[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?"
_PORT: Final = (
    "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6([0-4][0-9]{3}|5([0-4][0-9]{2}|5([0-2][0-9]|3[0-5]))))"
)
Url = Annotated[
    str,
    Meta(
        max_length=WEBHOOK_URL_CHARACTERS,
        pattern=rf"^https?://{_HOST}(:{_PORT})?(/[!$-~]*)?$(?!\n)",
        description="Where deliveries are posted: https, and a public address.",
        examples=["https://example.com/talon"],
    ),
]
_UNLESS: Final = " (unless the service is started with TALON_WEBHOOKS_ANYWHERE=true, for tests)"
Types = Annotated[
    tuple[NoticeType, ...],
    Meta(
        max_length=WEBHOOK_TYPES,
        description="What it is told; none: everything, types that are yet to come included.",
    ),
]
Status = Literal["pending", "delivered", "failed"]


class NewWebhook(Request, frozen=True):
    """Where an app wants to be told, and what."""

    url: Url
    types: Types = ()


class WebhookChange(Request, frozen=True):
    """What to change about a webhook: what is left out stays. ``enabled`` ends or resumes it."""

    url: Url | UnsetType = UNSET
    types: Types | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET


class WebhookLine(Struct, frozen=True):
    """A webhook and how it goes.

    ``disabled_by`` tells why it is disabled: ``app``, ``failures`` (for days), ``gone`` (its
    receiver said so, by 410) or ``backlog`` (too much waits for it). ``failing_since``: no
    attempt has succeeded since.
    """

    webhook_id: Id
    url: str
    types: tuple[str, ...]
    created_at: Moment
    enabled: bool
    disabled_at: Moment | None
    disabled_by: Annotated[str, Meta(pattern="^(app|failures|gone|backlog)$")] | None
    failing_since: Moment | None


class WebhookMade(Struct, frozen=True):
    """A new webhook and the only copy of its secret."""

    webhook: WebhookLine
    secret: str


class SecretMade(Struct, frozen=True):
    """The only copy of a new secret; until ``old_until`` the one before signs too."""

    secret: str
    old_until: Moment


class DeliveryLine(Struct, frozen=True):
    """A delivery: what it tells, and what has become of it.

    ``answered`` is the HTTP status of the last attempt, ``failure`` why that was no success.
    """

    delivery_id: Id
    type: str
    match_id: Id | None
    version: int | None
    status: Status
    created_at: Moment
    attempts: int
    last_attempt_at: Moment | None
    next_attempt_at: Moment | None
    answered: int | None
    failure: str | None
    tournament_id: Id | None = None


def require_target(url: str, *, anywhere: bool) -> None:
    """Raise ProblemError (422) for an address that deliveries will never go to.

    What a name stands for is looked at again whenever a connection is made.
    """
    if anywhere:
        return
    parts = urlsplit(url)
    if parts.scheme != "https":
        raise invalid("#/url", f"Deliveries go over https{_UNLESS}.")
    if is_private_host(parts.hostname or ""):
        raise invalid("#/url", f"Deliveries go to public addresses{_UNLESS}.")


def is_private_host(host: str) -> bool:
    """Whether a host is known to be private by its name alone."""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        name = host.rstrip(".")
        return "." not in name or name.endswith(_PRIVATE_NAMES)


def line_of(webhook: Webhook) -> WebhookLine:
    """A webhook as its app sees it."""
    return WebhookLine(
        webhook_id=text_of(webhook.id),
        url=webhook.url,
        types=webhook.types,
        created_at=rfc3339(webhook.created_at),
        enabled=webhook.disabled_at is None,
        disabled_at=_moment(webhook.disabled_at),
        disabled_by=webhook.disabled_by,
        failing_since=_moment(webhook.failing_since),
    )


def made(webhook: Webhook) -> WebhookMade:
    """A webhook with its secret, this once."""
    return WebhookMade(line_of(webhook), secret_text(webhook.secret))


def delivery_line(delivery: Delivery) -> DeliveryLine:
    """A delivery as its app sees it."""
    about = None if delivery.match is None else text_of(delivery.match)
    is_tournaments = delivery.type in OF_TOURNAMENTS
    return DeliveryLine(
        delivery_id=text_of(delivery.id),
        type=delivery.type,
        match_id=None if is_tournaments else about,
        tournament_id=about if is_tournaments else None,
        version=None if delivery.match is None else delivery.told.version,
        status=_STATUSES[delivery.status],
        created_at=rfc3339(delivery.created_at),
        attempts=delivery.attempts,
        last_attempt_at=_moment(delivery.last_at),
        next_attempt_at=_moment(delivery.due_at),
        answered=delivery.answered,
        failure=delivery.failure,
    )


def _moment(time: int | None) -> str | None:
    return None if time is None else rfc3339(time)


_PRIVATE_NAMES: Final = (".localhost", ".local", ".internal", ".home.arpa")
_STATUSES: Final[dict[str, Status]] = {
    "pending": "pending",
    "delivered": "delivered",
    "failed": "failed",
}
