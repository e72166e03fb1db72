"""Who meets whom in a round, before it is a fact; and whom pairing may reckon with."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from msgspec import Struct

from domain.tournaments.terms import Entrant
from domain.tournaments.tournament import Table, Tournament

Pair = tuple[Entrant, Entrant]


class Plan(Struct, frozen=True, gc=False):
    """The tables of a round, each in the order of its seats, and who has a bye."""

    tables: tuple[tuple[Entrant, ...], ...]
    byes: tuple[Entrant, ...] = ()


def playing(tournament: Tournament) -> tuple[Entrant, ...]:
    """Who can be paired, the strongest first."""
    return tuple(one for one in tournament.seeding if tournament.entries[one].is_playing)


def tables_of(tournament: Tournament) -> tuple[Table, ...]:
    """All tables of all rounds, in order."""
    return tuple(table for round in tournament.rounds for table in round.tables)


def meetings(tournament: Tournament) -> Counter[Pair]:
    """How often two were paired at one table, by pair in ascending order."""
    met: Counter[Pair] = Counter()
    for table in tables_of(tournament):
        met.update(combinations(sorted(table.entrants), 2))
    return met


def pair_of(one: Entrant, other: Entrant) -> Pair:
    """Two entrants, in ascending order."""
    return (one, other) if one < other else (other, one)


def sizes(count: int, seats: int) -> tuple[int, ...]:
    """How many sit at each table, as evenly as can be, the larger tables first."""
    tables = -(-count // seats)
    smaller, larger = divmod(count, tables)
    return (smaller + 1,) * larger + (smaller,) * (tables - larger)
