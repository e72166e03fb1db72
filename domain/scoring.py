"""Counting: what a round gives to each seat, when a match is decided, who takes which place.

Each form and scoring of a match is one entry of ``COUNTING``; those that are not the classic game
have a file of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from domain.cards import points_of
from domain.elimination import one_is_left, out_by_the_count, places_by_elimination
from domain.events import EndReason, PlayerEliminated, Seat
from domain.lowest import one_is_lowest, own_hands, places_from_the_bottom
from domain.match import Match, Round
from domain.options import Form, Scoring
from domain.partners import (
    a_partner_has_left,
    every_pairing_has_played,
    nobody_forfeits,
    order_of_pairings,
    partners_take,
    places_by_team,
)


def clockwise(match: Match) -> tuple[Seat, ...]:
    """The playing order of the coming round: who is still in, by seat (SETUP-4)."""
    return match.still_in


def nobody_is_out(match: Match) -> tuple[PlayerEliminated, ...]:
    """The count of a round puts nobody out of the match."""
    return ()


def one_remains(match: Match) -> bool:
    """All others have left (AWAY-3)."""
    return len(match.still_in) == 1


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


def places_of_who_stayed(match: Match) -> tuple[int, ...]:
    """The highest total is first, ties shared; a leaver is unranked, place 0 (ROT-1)."""
    scores, away = match.scores, match.away
    staying = [score for seat, score in enumerate(scores) if seat not in away]
    return tuple(
        0 if seat in away else 1 + sum(other > own for other in staying)
        for seat, own in enumerate(scores)
    )


class Counting(Struct, frozen=True):
    """How a match is counted: a round's gains by seat, the end by the totals, the places.

    ``out``: whom the count puts out. ``is_forfeited``: whether a leaver has decided the match.
    ``order``: the seats of the coming round.
    """

    gains: Callable[[Round, Seat], tuple[int, ...]]
    is_decided: Callable[[Match], bool]
    places: Callable[[Match], tuple[int, ...]]
    reason: EndReason = EndReason.TARGET
    out: Callable[[Match], tuple[PlayerEliminated, ...]] = nobody_is_out
    is_forfeited: Callable[[Match], bool] = one_remains
    order: Callable[[Match], tuple[Seat, ...]] = clockwise


COUNTING: Final[Mapping[tuple[Form, Scoring], Counting]] = {
    (Form.FREE_FOR_ALL, Scoring.WINNER_TAKES): Counting(
        gains=winner_takes, is_decided=target_is_reached, places=places_from_the_top
    ),
    (Form.FREE_FOR_ALL, Scoring.LOWEST): Counting(
        gains=own_hands, is_decided=one_is_lowest, places=places_from_the_bottom
    ),
    (Form.TEAMS, Scoring.WINNER_TAKES): Counting(
        gains=partners_take,
        is_decided=target_is_reached,
        places=places_by_team,
        is_forfeited=a_partner_has_left,
    ),
    (Form.ROTATING_PARTNERS, Scoring.WINNER_TAKES): Counting(
        gains=partners_take,
        is_decided=every_pairing_has_played,
        places=places_of_who_stayed,
        reason=EndReason.ROUNDS,
        is_forfeited=nobody_forfeits,
        order=order_of_pairings,
    ),
    (Form.ELIMINATION, Scoring.WINNER_TAKES): Counting(
        gains=own_hands,
        is_decided=one_is_left,
        places=places_by_elimination,
        out=out_by_the_count,
    ),
}


def ending_of(match: Match) -> EndReason | None:
    """Why the match is over by its count, or by its number of rounds (SCORE-5); None if it is not.

    Blocked rounds are of the number, as with rotating partners (ROT-1).
    """
    if match.options.rounds:
        return EndReason.ROUNDS if match.rounds_counted >= match.options.rounds else None
    counting = counting_of(match)
    return counting.reason if counting.is_decided(match) else None


def counting_of(match: Match) -> Counting:
    """How this match is counted."""
    return COUNTING[match.options.form, match.options.scoring]
