"""A delivery as it is posted: its body, and the headers that Standard Webhooks asks for.

Persons are looked up when it is sent: who was erased since is not in it.
"""

from __future__ import annotations

import base64
import hmac
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec

from domain.webhooks import OF_TOURNAMENTS, PING, Claim, Delivery, Webhook

AGENT: Final = "talon-webhooks/1"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def body_of(delivery: Delivery, persons: Mapping[str, bytes]) -> bytes:
    """What is told, as JSON; ``persons`` are the ids that digests stand for."""
    told = delivery.told
    told_at = (_EPOCH + timedelta(microseconds=told.occurred_at)).isoformat(timespec="microseconds")
    data: dict[str, Any] = {"webhook_id": str(uuid.UUID(bytes=delivery.webhook))}
    if delivery.type != PING:
        assert delivery.match is not None
        of, by = ("tournament", "entrant") if delivery.type in OF_TOURNAMENTS else ("match", "seat")
        data |= {
            f"{of}_id": str(uuid.UUID(bytes=delivery.match)),
            "version": told.version,
            "position": told.position,
            "event": msgspec.Raw(told.event),
            "players": [
                {by: number, "player_id": str(uuid.UUID(bytes=persons[digest]))}
                for number, digest in told.persons
                if digest in persons
            ],
        }
    timestamp = told_at.removesuffix("+00:00") + "Z"
    return msgspec.json.encode({"type": delivery.type, "timestamp": timestamp, "data": data})


def headers_of(claim: Claim, body: bytes, now: int) -> list[tuple[bytes, bytes]]:
    """The headers of an attempt at ``now``, microseconds since the epoch."""
    id, seconds = str(uuid.UUID(bytes=claim.delivery.id)), now // 1_000_000
    signed = [signature(secret, id, seconds, body) for secret in _secrets(claim.webhook, now)]
    headers = {
        "content-type": "application/json",
        "user-agent": AGENT,
        "webhook-id": id,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(signed),
    }
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def signature(secret: bytes, id: str, seconds: int, body: bytes) -> str:
    """``v1,`` and the HMAC-SHA256 of ``id.timestamp.body`` in base64."""
    signed = hmac.digest(secret, f"{id}.{seconds}.".encode() + body, "sha256")
    return "v1," + base64.b64encode(signed).decode()


def _secrets(webhook: Webhook, now: int) -> list[bytes]:
    """Those that sign now: after a rotation the old one too, for a while."""
    secrets = [webhook.secret]
    if webhook.old_secret is not None and now < (webhook.old_until or 0):
        secrets.append(webhook.old_secret)
    return secrets
