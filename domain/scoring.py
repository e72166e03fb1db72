"""Counting: what a round gives to each seat, when a match is decided, who takes which place.

Each form and scoring of a match is one line of ``COUNTING``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from domain.cards import points_of
from domain.events import Seat
from domain.match import Match, Round
from domain.options import Form, Scoring


class Counting(Struct, frozen=True):
    """How a match is counted: a round's gains by seat, the end by the totals, the places."""

    gains: Callable[[Round, Seat], tuple[int, ...]]
    is_decided: Callable[[Match], bool]
    places: Callable[[Match], tuple[int, ...]]


def winner_takes(round: Round, winner: Seat) -> tuple[int, ...]:
    """The winner scores the cards left in the opponents' hands, the others nothing (SCORE-1)."""
    left = sum(points_of(hand) for seat, hand in enumerate(round.hands) if seat != winner)
    return tuple(left if seat == winner else 0 for seat in range(len(round.hands)))


def target_is_reached(match: Match) -> bool:
    """Somebody who is still in has the points that the match is played to (SCORE-1, AWAY-2)."""
    return max(match.scores[seat] for seat in match.still_in) >= match.options.target


def places_from_the_top(match: Match) -> tuple[int, ...]:
    """The highest total is first, equal totals share a place: 1, 2, 2, 4.

    Who left ranks below all who stayed, the earlier the lower (AWAY-2).
    """
    worth = [(len(match.left), score) for score in match.scores]
    for place, seat in enumerate(match.left):
        worth[seat] = (place, 0)
    return tuple(1 + sum(other > own for other in worth) for own in worth)


COUNTING: Final[Mapping[tuple[Form, Scoring], Counting]] = {
    (Form.FREE_FOR_ALL, Scoring.WINNER_TAKES): Counting(
        gains=winner_takes, is_decided=target_is_reached, places=places_from_the_top
    ),
}


def counting_of(match: Match) -> Counting:
    """How this match is counted."""
    return COUNTING[match.options.form, match.options.scoring]
