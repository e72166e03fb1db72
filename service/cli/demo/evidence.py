"""The history of a match as bytes: what verifying starts from, whoever handed it over."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from msgspec import Struct

from service.cli.demo.wire import Item
from service.cli.failure import Failure

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Mismatch(Failure):
    """Something does not agree; the message says where."""


class Stored(Struct, frozen=True):
    """An event as stored. Times in microseconds since the epoch, hash as claimed."""

    version: int
    position: int
    type: str
    schema: int
    occurred_at: int
    actor: str
    command_id: bytes | None
    data: bytes
    hash: bytes


class Record(Struct, frozen=True):
    """A match's id (16 bytes) and its events."""

    match_id: bytes
    events: tuple[Stored, ...]


def record_of(match_id: str, items: tuple[Item, ...]) -> Record:
    """The record in a history with stored bytes; raises Mismatch."""
    return Record(uuid.UUID(match_id).bytes, tuple(map(_stored, items)))


def _stored(item: Item) -> Stored:
    if item.data is None:
        raise Mismatch(f"version {item.version} came without its stored bytes")
    if msgspec.json.decode(item.data) != msgspec.json.decode(item.event):
        raise Mismatch(f"version {item.version}: the event shown is not the event stored")
    return Stored(
        version=item.version,
        position=item.position,
        type=item.type,
        schema=item.schema,
        occurred_at=microseconds(item.occurred_at),
        actor=item.actor,
        command_id=None if item.command_id is None else bytes.fromhex(_hex(item.command_id)),
        data=item.data.encode(),
        hash=bytes.fromhex(item.hash),
    )


def microseconds(time: str) -> int:
    """An RFC 3339 time in microseconds since the epoch, exactly."""
    return (datetime.fromisoformat(time) - _EPOCH) // timedelta(microseconds=1)


def _hex(command_id: str) -> str:
    """A command id written as hex, with or without a UUID's hyphens."""
    return command_id.replace("-", "")
