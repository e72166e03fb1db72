"""What auditors look for in the whole log: matches in which something went amiss, and all events.

Not here: what a match shows to whom, nor who is an auditor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from domain.events import (
    AnyEvent,
    ClockRanOut,
    EndReason,
    MatchAbandoned,
    MatchEnded,
    MatchVoided,
    PlayerLeft,
)


class Anomaly(StrEnum):
    """What went otherwise than a match goes in which everybody plays to the end."""

    MISSED_CLOCK = "missed_clock"
    LEFT = "left"
    FORFEIT = "forfeit"
    ABANDONED = "abandoned"
    VOIDED = "voided"


TOLD_BY: Final[Mapping[Anomaly, str]] = {
    Anomaly.MISSED_CLOCK: "clock_ran_out",
    Anomaly.LEFT: "player_left",
    Anomaly.FORFEIT: "player_left",
    Anomaly.ABANDONED: "match_abandoned",
    Anomaly.VOIDED: "match_voided",
}
"""A type of event without which there is no such anomaly."""
TELLING: Final = tuple(sorted({*TOLD_BY.values(), "match_ended"}))
"""The types of events that anomalies are read off; a match has few of them."""


def anomaly_of(event: AnyEvent) -> Anomaly | None:
    """What an event tells to have gone amiss; getting up before the start is nothing."""
    match event:
        case ClockRanOut():
            return Anomaly.MISSED_CLOCK
        case PlayerLeft(turn=turn) if turn is not None:
            return Anomaly.LEFT
        case MatchEnded(reason=EndReason.FORFEIT):
            return Anomaly.FORFEIT
        case MatchAbandoned():
            return Anomaly.ABANDONED
        case MatchVoided():
            return Anomaly.VOIDED
        case _:
            return None


def anomalies_of(events: Iterable[AnyEvent]) -> frozenset[Anomaly]:
    """All that these events tell."""
    return frozenset(told for event in events if (told := anomaly_of(event)) is not None)


class StoredLine(Struct, frozen=True, gc=False):
    """An event as stored, whatever its stream: a record's line of an event, and its stream."""

    stream: str
    version: int
    position: int
    type: str
    schema: int
    occurred_at: int
    actor: str
    command_id: str | None
    data: str
    hash: str


def lines_of(stored: Sequence[StoredLine]) -> bytes:
    """Events as lines of JSON."""
    return _encoder.encode_lines(stored)


class LogSearch(Protocol):
    """The log as auditors search it. All methods may raise Unavailable."""

    async def matches(
        self, before: bytes | None, limit: int, anomaly: Anomaly | None = None
    ) -> tuple[bytes, ...]:
        """Streams by descending id, before one; with an anomaly all those that have it, and
        perhaps others."""

    async def anomalies(self, matches: Sequence[bytes]) -> Mapping[bytes, frozenset[Anomaly]]:
        """What went amiss in matches; one in which nothing did is left out."""

    async def stored(self, after: int, limit: int) -> tuple[StoredLine, ...]:
        """Events of all streams after a position, dense and in commit order."""


_encoder: Final = msgspec.json.Encoder()
