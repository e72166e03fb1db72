"""Playing out of turn the very card that lies on top (HOUSE-3)."""

from __future__ import annotations

from domain.events import Pending, Seat
from domain.match import Match, Round


def may_jump_in(round: Round, seat: Seat, match: Match) -> bool:
    """Whether a seat may lay the twin of the top card now, though it is not to move.

    Not on an opening card nor on a wild, not once the next turn has begun, not while something
    else is due; and not by who laid the top card.
    """
    return (
        match.options.jump_in
        and round.laid_by not in (None, seat)
        and round.pending is Pending.TURN
        and not round.top.is_wild
    )
