"""Ids in text and in bytes: UUIDs, of the seventh version where the service makes them."""

from __future__ import annotations

import re
from typing import Final

from uuid_utils import uuid7

_UUID: Final = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32}",  # the second as events have it
    re.IGNORECASE,
)


def new_id() -> bytes:
    """A new UUIDv7, 16 bytes; ids sort by the time they were made."""
    return uuid7().bytes


def text_of(id: bytes) -> str:
    """The usual form of a UUID."""
    digits = id.hex()  # a sixth of what the standard library's UUID takes
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def id_in(text: str) -> bytes | None:
    """The UUID in a text, with its hyphens or without, 16 bytes; None if there is none."""
    return bytes.fromhex(text.replace("-", "")) if _UUID.fullmatch(text) else None


def made_at(id: bytes) -> int:
    """When a UUIDv7 was made, in milliseconds since the epoch."""
    return int.from_bytes(id[:6], "big")
