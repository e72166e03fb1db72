"""Facts about clocks: whose time ran out, how often in a row, and what ends such a row."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.events import (
    CardPlayed,
    CardsDrawn,
    ChallengeResolved,
    ClockRanOut,
    ColorChosen,
    DrawReason,
    Event,
    PenaltyAccepted,
    PlayCalledOut,
    PlayerReturned,
    Seat,
    SeedAdded,
    TurnPassed,
    UnoCalled,
    UnoCaught,
)
from domain.facts.table import Facts
from domain.match import Match


def clock_ran_out(match: Match, e: ClockRanOut) -> Match:
    """A seat has let its time pass once more in a row."""
    return replace(match, silences={**match.silences, e.seat: e.row})


def heard(match: Match, event: Event) -> Match:
    """The match after an event, if that was somebody's own doing: the row is broken (AWAY-2)."""
    seat = _author(event)
    if seat is None or seat not in match.silences:
        return match
    silences = {other: row for other, row in match.silences.items() if other != seat}
    return replace(match, silences=silences)


def _author(event: Event) -> Seat | None:
    """The seat whose own command caused the event; None if it follows from something else."""
    if isinstance(event, _OWN):
        return event.seat
    if isinstance(event, TurnPassed | PenaltyAccepted | ColorChosen):
        return None if event.by_clock else event.seat
    if isinstance(event, CardsDrawn):
        return event.seat if event.reason is DrawReason.TURN else None
    return event.by if isinstance(event, UnoCaught | PlayCalledOut) else None


_OWN: Final = (CardPlayed, UnoCalled, ChallengeResolved, SeedAdded, PlayerReturned)
FACTS: Final[Facts] = {ClockRanOut: clock_ran_out}
