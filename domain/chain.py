"""The hash chain of a stream. ``docs/log-format.md`` is normative and has test vectors."""

from __future__ import annotations

import hashlib
from struct import Struct as Packing
from typing import Final

_EVENT: Final = b"talon-event/1"
_GENESIS: Final = b"talon-genesis/1"
_FIXED: Final = Packing(">16sQ")
_NO_COMMAND: Final = bytes(16)


def genesis(stream_id: bytes) -> bytes:
    """What the first event of a stream names as its previous hash: SHA-256 of tag and stream."""
    return hashlib.sha256(_GENESIS + stream_id).digest()


def event_hash(
    *,
    stream_id: bytes,
    version: int,
    type: str,
    schema: int,
    occurred_at: int,
    actor: str,
    command_id: bytes | None,
    previous: bytes,
    data: bytes,
) -> bytes:
    """SHA-256 over the fields in this order; integers big-endian.

    tag 13 bytes; stream 16; version u64; type as u8 length and UTF-8; schema u16; occurred_at
    i64 (microseconds since the epoch, UTC); actor as u8 length and UTF-8; command id 16 (zeros
    where there is none); previous hash 32; data as u32 length and the bytes as stored.
    """
    name, who = type.encode(), actor.encode()
    return hashlib.sha256(
        b"".join(
            (
                _EVENT,
                _FIXED.pack(stream_id, version),
                bytes((len(name),)),
                name,
                schema.to_bytes(2, "big"),
                occurred_at.to_bytes(8, "big", signed=True),
                bytes((len(who),)),
                who,
                command_id or _NO_COMMAND,
                previous,
                len(data).to_bytes(4, "big"),
                data,
            )
        )
    ).digest()
