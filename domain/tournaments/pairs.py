"""Eight players in pairs (T8-1): a whist design, written out by its first round.

Places 0 to 6 move on by one each round, place 7 stays. Every two are partners in one round of the
seven and opponents in two; ``tests/rules/test_tournament_pairs.py`` counts them.
"""

from __future__ import annotations

from typing import Final

from domain.tournaments.plan import Plan
from domain.tournaments.terms import Entrant

ROUNDS: Final = 7
"""Each has seven others to be partnered with."""
_STAYS: Final = 7
_FIRST: Final = ((_STAYS, 1, 0, 3), (2, 4, 6, 5))
"""Seats 0 and 2 are partners, and so are 1 and 3 (TEAM-1): 7 0 and 1 3, 2 6 and 4 5."""


def pairs(seeding: tuple[Entrant, ...], rounds: int) -> Plan | None:
    """The round after so many: two tables of four."""
    if rounds >= ROUNDS:
        return None
    places = tuple(
        tuple(place if place == _STAYS else (place + rounds) % _STAYS for place in table)
        for table in _FIRST
    )
    return Plan(tuple(tuple(seeding[place] for place in table) for table in places))
