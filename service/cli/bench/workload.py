"""The workload that every store is given: the events of a real match, command by command."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Final

import uuid_utils
from msgspec import Struct

from domain.codec import decode
from domain.events import AnyEvent
from service.cli.demo.evidence import Record, Stored

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Row(Struct, frozen=True):
    """What is stored of one event, beyond where it stands; the bytes of the real match."""

    type: str
    schema: int
    occurred_at: datetime
    actor: str
    command_id: uuid.UUID | None
    data: bytes
    hash: bytes
    event: AnyEvent


Command = tuple[Row, ...]
"""The events of one command."""


def commands_of(record: Record) -> tuple[Command, ...]:
    """The events of a match, grouped by the command that caused them."""
    commands: list[list[Row]] = []
    for stored in record.events:
        if stored.command_id is not None or not commands:
            commands.append([])
        commands[-1].append(_row(stored))
    return tuple(map(tuple, commands))


def _row(stored: Stored) -> Row:
    command_id = stored.command_id
    return Row(
        type=stored.type,
        schema=stored.schema,
        occurred_at=_EPOCH + timedelta(microseconds=stored.occurred_at),
        actor=stored.actor,
        command_id=None if command_id is None else uuid.UUID(bytes=command_id),
        data=stored.data,
        hash=stored.hash,
        event=decode(stored.type, stored.schema, stored.data),
    )


def new_stream_id() -> uuid.UUID:
    """A fresh UUIDv7, as the service makes for a match."""
    return uuid.UUID(int=uuid_utils.uuid7().int)
