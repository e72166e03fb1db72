"""How projections read the log: what they need of it, and no more.

Here over any EventLog, event by event; ``postgres_scan`` asks the database to leave out the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from domain.ports import EventLog, Recorded
from infra.projections.lines import HANDLED


class LogGap(Exception):  # noqa: N818
    """The log's positions are not dense: it was damaged. Nobody may read on over a gap."""


class TableEvents(Struct, frozen=True):
    """Events of the types that the boards are made of; all of them up to position ``end``.

    ``is_last``: the log had no more when it was asked.
    """

    end: int
    events: tuple[Recorded, ...]
    is_last: bool


class Changed(Struct, frozen=True):
    """Streams with events up to position ``end``, and the newest version among these."""

    end: int
    versions: Mapping[bytes, int]


class LogScan(Protocol):
    """The log as projections read it. All methods may raise Unavailable and LogGap."""

    async def position(self) -> int:
        """The last position of the log."""

    async def table_events(self, after: int, limit: int) -> TableEvents:
        """Events of HANDLED types after a position."""

    async def changed(self, after: int, limit: int) -> Changed:
        """The streams that the next ``limit`` events after a position belong to."""


class FollowScan:
    """LogScan over any EventLog, by reading every event."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def position(self) -> int:
        """The last position of the log."""
        return await self._log.position()

    async def table_events(self, after: int, limit: int) -> TableEvents:
        """Events of HANDLED types among the next ``limit``; raises LogGap."""
        events = await self._next(after, limit)
        handled = tuple(event for event in events if event.type in HANDLED)
        return TableEvents(after + len(events), handled, is_last=len(events) < limit)

    async def changed(self, after: int, limit: int) -> Changed:
        """The streams that the next ``limit`` events belong to; raises LogGap."""
        events = await self._next(after, limit)
        return Changed(after + len(events), {event.stream: event.version for event in events})

    async def _next(self, after: int, limit: int) -> tuple[Recorded, ...]:
        events = await self._log.follow(after, limit)
        for expected, event in enumerate(events, after + 1):
            if event.position != expected:
                raise LogGap(f"position {expected} is missing before {event.position}")
        return events
