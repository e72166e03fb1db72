"""Partners who sit opposite: fixed teams (TEAM-1), or every pairing in turn (ROT-1)."""

from __future__ import annotations

from typing import Final

from domain.cards import points_of
from domain.events import Seat
from domain.limits import PARTNERS_SEATS
from domain.match import Match, Round


def _seats(*order: int) -> tuple[Seat, ...]:
    return tuple(map(Seat, order))


_ORDERS: Final = (_seats(0, 1, 2, 3), _seats(0, 2, 1, 3), _seats(0, 1, 3, 2))
"""ROT-1: the playing orders of {02, 13}, {01, 23} and {03, 12}."""


def partners_take(round: Round, winner: Seat) -> tuple[int, ...]:
    """Both partners of the winner's side score the opponents' hands, and no partner's (TEAM-1)."""
    side = winner, partner_of(round, winner)
    points = sum(points_of(hand) for seat, hand in enumerate(round.hands) if seat not in side)
    return tuple(points if seat in side else 0 for seat in range(PARTNERS_SEATS))


def partner_of(round: Round, seat: Seat) -> Seat:
    """Who sits opposite in this round."""
    return round.seat_after(seat, 2, 1)


def a_partner_has_left(match: Match) -> bool:
    """A team is no team any more, and the other has won (TEAM-1)."""
    return bool(match.left)


def places_by_team(match: Match) -> tuple[int, ...]:
    """Partners share their team's place; a team that somebody left is behind the other."""
    broken = {seat % 2 for seat in match.left}
    worth = [(seat % 2 not in broken, score) for seat, score in enumerate(match.scores)]
    return tuple(1 + sum(other > own for other in worth) for own in worth)


def order_of_pairings(match: Match) -> tuple[Seat, ...]:
    """The playing order of the coming round: partners sit opposite (ROT-1)."""
    return _ORDERS[match.rounds_counted // match.options.rounds_per_pairing % len(_ORDERS)]


def every_pairing_has_played(match: Match) -> bool:
    """The number of rounds is reached; blocked rounds count (ROT-1)."""
    options = match.options
    return match.rounds_counted >= len(_ORDERS) * options.rounds_per_pairing * options.cycles


def nobody_forfeits(match: Match) -> bool:
    """A leaver's seat is played to the end (ROT-1)."""
    return False
