"""When the time of the seat that a match waits for runs out (AWAY-1): a question to the state."""

from __future__ import annotations

from typing import Final

from domain.events import Pending
from domain.match import Match

_SECOND: Final = 1_000_000
"""In microseconds."""


def deadline(match: Match) -> int | None:
    """Until when the match waits, in microseconds since the epoch; None where no clock runs."""
    clock, round = match.options.clock, match.round
    if clock is None or round is None:
        return None
    seconds = clock.answer if round.pending is Pending.PENALTY else clock.turn
    return round.since + seconds * _SECOND
