"""Words for tests of a log: a pen writes one stream, event by event."""

from __future__ import annotations

import secrets
from typing import Any

from domain.commands import SERVICE, Actor, ActorKind
from domain.events import Event, MatchStarted, Seat, UnoCalled
from domain.ports import Cause, EventLog, Head, Proposal, Recorded

ANN = Actor(ActorKind.SEAT, Seat(0))
NEW = Head(0, b"")
STARTED = MatchStarted()


def calls(*seats: int) -> tuple[Event, ...]:
    """An UNO of each seat: the smallest events there are."""
    return tuple(UnoCalled(Seat(seat)) for seat in seats)


def fresh_id() -> bytes:
    """An id that nobody else has."""
    return secrets.token_bytes(16)


def proposal(
    stream: bytes,
    *events: Event,
    head: Head = NEW,
    command: bytes | None = None,
    at: int = 1_700_000_000_000_000,
    actor: Actor = SERVICE,
    fingerprint: bytes | None = None,
    **fields: Any,
) -> Proposal:
    """Events proposed to a stream at ``head``; the command's id is a fresh one unless given."""
    cause = Cause(actor, command or fresh_id(), fingerprint, at)
    return Proposal(stream, head, events, cause, **fields)


def head_after(written: tuple[Recorded, ...]) -> Head:
    """Where a stream stands after what was written to it last."""
    return Head(written[-1].version, written[-1].hash)


class Pen:
    """Writes to one stream, always where it left off."""

    def __init__(self, log: EventLog, stream: bytes | None = None) -> None:
        self.log = log
        self.stream = stream or fresh_id()
        self.head = NEW

    async def write(self, *events: Event, **fields: Any) -> tuple[Recorded, ...]:
        """Append at the place where this pen stands; it moves on."""
        fields.setdefault("head", self.head)
        written = await self.log.append(proposal(self.stream, *events, **fields))
        self.head = head_after(written)
        return written


class Time:
    """A clock that stands until it is set; microseconds."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000_000

    def __call__(self) -> int:
        return self.now
