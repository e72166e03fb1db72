"""docs/log-format.md written down a second time, from the page alone, without the product."""

from __future__ import annotations

import hashlib
from typing import Any


def genesis(stream: bytes) -> bytes:
    return hashlib.sha256(b"talon-genesis/1" + stream).digest()


def event_hash(stream: bytes, event: dict[str, Any], previous: bytes) -> bytes:
    """``event`` as a vector has it: integers, texts, and the command id in hex or None."""
    type_, actor, data = event["type"].encode(), event["actor"].encode(), event["data"].encode()
    hashed = hashlib.sha256(b"talon-event/1")
    hashed.update(stream)
    hashed.update(event["version"].to_bytes(8, "big"))
    hashed.update(len(type_).to_bytes(1, "big") + type_)
    hashed.update(event["schema"].to_bytes(2, "big"))
    hashed.update(event["occurred_at"].to_bytes(8, "big", signed=True))
    hashed.update(len(actor).to_bytes(1, "big") + actor)
    hashed.update(bytes.fromhex(event["command_id"] or "00" * 16))
    hashed.update(previous)
    hashed.update(len(data).to_bytes(4, "big") + data)
    return hashed.digest()


def command_id(stream: bytes, kind: str, digest: str, key: str) -> bytes:
    made = hashlib.sha256(b"talon-command/1" + stream)
    made.update(bytes([len(kind.encode())]) + kind.encode())
    made.update(bytes([len(digest.encode())]) + digest.encode())
    made.update(key.encode())
    return made.digest()[:16]
