"""Counting by what is left in one's own hand: the lowest total wins (SCORE-2, SCORE-3)."""

from __future__ import annotations

from domain.cards import points_of
from domain.events import Seat
from domain.match import Match, Round


def own_hands(round: Round, winner: Seat) -> tuple[int, ...]:
    """Everybody adds the value of their own hand; the winner of the round adds nothing (ELIM-3).

    A last card that waits for its answer leaves time to draw for advice, which does not count.
    """
    return tuple(0 if seat == winner else points_of(hand) for seat, hand in enumerate(round.hands))


def one_is_lowest(match: Match) -> bool:
    """Somebody has reached the target, and one alone is lowest (SCORE-3).

    A leaver's total is frozen: it neither ends the match nor ties (SCORE-2).
    """
    totals = [match.scores[seat] for seat in match.still_in]
    return max(totals) >= match.options.target and totals.count(min(totals)) == 1


def places_from_the_bottom(match: Match) -> tuple[int, ...]:
    """The lowest total is first, equal totals share a place; who left ranks below (AWAY-2)."""
    worth = [(len(match.left), -score) for score in match.scores]
    for place, seat in enumerate(match.left):
        worth[seat] = (place, 0)
    return tuple(1 + sum(other > own for other in worth) for own in worth)
