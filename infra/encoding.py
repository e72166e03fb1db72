"""Proposals to the rows that a log stores, and rows back to recorded events.

Every log uses this one encoding, so that all of them hold the same bytes and the same hashes.
Not here: where rows are kept, and who may append.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from domain.chain import event_hash, genesis
from domain.codec import SCHEMA, UnknownEvent, decode_any, encode, type_of
from domain.events import AnyEvent
from domain.ports import Proposal, Recorded


class Row(NamedTuple):
    """What is stored of one event beyond what its command says of all of them."""

    type: str
    data: bytes
    hash: bytes


class UnreadableRecorded(Recorded, frozen=True, gc=False):
    """A stored event that this program cannot decode; ``event`` raises what the decoder says."""

    @property  # type: ignore[misc]
    def event(self) -> AnyEvent:
        """Raises UnknownEvent, or msgspec.DecodeError: a fold stops, a projection isolates."""
        return decode_any(self.type, self.schema, self.data)


def rows_of(proposal: Proposal) -> tuple[Row, ...]:
    """The rows of a proposal, chained to its head; a new stream begins with its genesis hash.

    The command id stands on the first event only, and so in the first hash only. An append of
    nothing raises ValueError: it could not keep its command id.
    """
    if not proposal.events:
        raise ValueError("a proposal has at least one event")
    stream, cause = proposal.stream, proposal.cause
    version, previous = proposal.head.version, proposal.head.hash
    if version == 0:
        previous = genesis(stream)
    actor, command_id = str(cause.actor), cause.command_id
    rows: list[Row] = []
    for event in proposal.events:
        version += 1
        kind, data = type_of(event), encode(event)
        previous = event_hash(
            stream_id=stream,
            version=version,
            type=kind,
            schema=SCHEMA,
            occurred_at=cause.occurred_at,
            actor=actor,
            command_id=None if rows else command_id,
            previous=previous,
            data=data,
        )
        rows.append(Row(kind, data, previous))
    return tuple(rows)


def recorded(
    proposal: Proposal, rows: tuple[Row, ...], first_position: int
) -> tuple[Recorded, ...]:
    """The events of a proposal as they stand in the log from ``first_position`` on."""
    cause = proposal.cause
    actor, first_version = str(cause.actor), proposal.head.version + 1
    return tuple(
        Recorded(
            proposal.stream,
            first_version + offset,
            first_position + offset,
            row.type,
            SCHEMA,
            cause.occurred_at,
            actor,
            None if offset else cause.command_id,
            None if offset else cause.fingerprint,
            row.data,
            row.hash,
            event,  # type: ignore[arg-type]
        )
        for offset, (row, event) in enumerate(zip(rows, proposal.events, strict=True))
    )


def restored(
    stream: bytes,
    version: int,
    position: int,
    tag: str,
    schema: int,
    occurred_at: int,
    actor: str,
    command_id: bytes | None,
    fingerprint: bytes | None,
    data: bytes,
    hash: bytes,
) -> Recorded:
    """A recorded event from its stored row.

    A type without a decoder, or a body that does not fit its type, gives UnreadableRecorded: it
    fails whoever reads it, and does not hide its neighbors from whoever follows the log.
    """
    event: AnyEvent | None
    kind: type[Recorded] = Recorded
    try:
        event = decode_any(tag, schema, data)
    except (UnknownEvent, msgspec.DecodeError):
        event, kind = None, UnreadableRecorded
    return kind(
        stream,
        version,
        position,
        tag,
        schema,
        occurred_at,
        actor,
        command_id,
        fingerprint,
        data,
        hash,
        event,  # type: ignore[arg-type]
    )
