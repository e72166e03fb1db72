"""Counting: what a round gives to each seat, when a match is decided, who takes which place.

Each form and scoring of a match is one line of ``COUNTING``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from domain.cards import points_of
from domain.events import Seat
from domain.match import Match, Round
from domain.options import Form, Options, Scoring


class Counting(Struct, frozen=True):
    """How a match is counted. ``gains`` of a round are by seat; ``is_decided`` sees the totals."""

    gains: Callable[[Round, Seat], tuple[int, ...]]
    is_decided: Callable[[Sequence[int], Options], bool]
    places: Callable[[Sequence[int]], tuple[int, ...]]


def winner_takes(round: Round, winner: Seat) -> tuple[int, ...]:
    """The winner scores the cards left in the opponents' hands, the others nothing (SCORE-1)."""
    left = sum(points_of(hand) for seat, hand in enumerate(round.hands) if seat != winner)
    return tuple(left if seat == winner else 0 for seat in range(len(round.hands)))


def target_is_reached(scores: Sequence[int], options: Options) -> bool:
    """Somebody has as many points as the match is played to (SCORE-1)."""
    return max(scores) >= options.target


def places_from_the_top(scores: Sequence[int]) -> tuple[int, ...]:
    """The highest total is first; equal totals share a place: 1, 2, 2, 4."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


COUNTING: Final[Mapping[tuple[Form, Scoring], Counting]] = {
    (Form.FREE_FOR_ALL, Scoring.WINNER_TAKES): Counting(
        gains=winner_takes, is_decided=target_is_reached, places=places_from_the_top
    ),
}


def counting_of(match: Match) -> Counting:
    """How this match is counted."""
    return COUNTING[match.options.form, match.options.scoring]
