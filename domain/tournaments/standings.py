"""Where everybody stands, by the tables that count so far: points, tie-breaks, places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from domain.tournaments.knockout import got_through
from domain.tournaments.plan import tables_of
from domain.tournaments.terms import Entrant, Format
from domain.tournaments.tournament import Table, Tournament

Points = Mapping[Entrant, int]
"""By entrant."""


class Line(Struct, frozen=True, gc=False):
    """An entrant's line. ``place`` is 1, 2, 2, 4; 0 is unranked. ``tie_breaks``: more is better.

    ``tables`` is how many tables of theirs count, byes aside.
    """

    entrant: Entrant
    place: int
    points: int
    tie_breaks: tuple[int, ...]
    tables: int


def standings(tournament: Tournament) -> tuple[Line, ...]:
    """All who took part when it started, the best first, then who is unranked."""
    score, tie_breaks, ranks_leavers = _COUNTS[tournament.settings.format]
    points = {entrant: score(tournament, entrant) for entrant in tournament.seeding}
    worth = {
        entrant: (points[entrant], *tie_breaks(tournament, entrant, points))
        for entrant in tournament.seeding
        if ranks_leavers or not tournament.entries[entrant].has_left
    }
    lines = [
        Line(
            entrant,
            0 if own is None else 1 + sum(other > own for other in worth.values()),
            points[entrant],
            () if own is None else own[1:],
            sum(table.outcome is not None for table in _tables_of(tournament, entrant)),
        )
        for entrant in tournament.seeding
        for own in (worth.get(entrant),)
    ]
    return tuple(sorted(lines, key=lambda line: (line.place == 0, line.place)))


def points_by_entrant(tournament: Tournament) -> tuple[int, ...]:
    """The points of everybody who ever entered, by number."""
    score, *_ = _COUNTS[tournament.settings.format]
    return tuple(score(tournament, Entrant(number)) for number in range(len(tournament.entries)))


def _tables_of(tournament: Tournament, entrant: Entrant) -> tuple[Table, ...]:
    return tuple(table for table in tables_of(tournament) if entrant in table.entrants)


# Points of the matches (ROT-1, T8-1).


def sum_of_scores(tournament: Tournament, entrant: Entrant) -> int:
    """What an entrant scored at all tables that count."""
    return sum(
        table.outcome.scores[table.entrants.index(entrant)]
        for table in _tables_of(tournament, entrant)
        if table.outcome is not None
    )


def shared(tournament: Tournament, entrant: Entrant, points: Points) -> tuple[int, ...]:
    """Equal totals share a place (T8-1)."""
    return ()


# Places at the tables.


def beaten(tournament: Tournament, entrant: Entrant) -> int:
    """Two points for each chair at the table that is behind, or empty; one for a tie.

    Who has a bye has beaten a whole table; who did not come, nobody.
    """
    chairs = (tournament.settings.table_seats or 2) - 1
    byes = sum(entrant in round.byes for round in tournament.rounds)
    at_tables = (at_table(table, entrant, chairs) for table in _tables_of(tournament, entrant))
    return 2 * chairs * byes + sum(at_tables)


def at_table(table: Table, entrant: Entrant, chairs: int) -> int:
    """The points of one table with so many chairs besides the entrant's own."""
    if table.outcome is None:
        return 0
    own = table.outcome.places[table.entrants.index(entrant)]
    if own == 0:
        return 0
    ahead = sum(0 < place < own for place in table.outcome.places)
    level = table.outcome.places.count(own) - 1
    return 2 * (chairs - ahead) - level


def opponents_and_wins(tournament: Tournament, entrant: Entrant, points: Points) -> tuple[int, ...]:
    """What all opponents at tables that count have, in sum; then how many tables were won."""
    opponents = wins = 0
    for table in _tables_of(tournament, entrant):
        if table.outcome is not None:
            own = table.entrants.index(entrant)
            wins += table.outcome.places[own] == 1
            opponents += sum(
                points[other]
                for other, place in zip(table.entrants, table.outcome.places, strict=True)
                if other != entrant and place > 0 and table.outcome.places[own] > 0
            )
    return opponents, wins


def place_where_out(tournament: Tournament, entrant: Entrant, points: Points) -> tuple[int, ...]:
    """Of those who went out in one round, who was placed better at their table is better."""
    reached = got_through(tournament, entrant)
    if reached == len(tournament.rounds):
        return (0,)
    round = tournament.rounds[reached]
    number = round.table_of(entrant)
    if number is None:
        return (_NOWHERE,)
    table = round.tables[number]
    if table.outcome is None:
        return (0,)
    return (-table.outcome.places[table.entrants.index(entrant)] or _NOWHERE,)


_NOWHERE: Final = -100
"""Below every place at a table: who did not come to it."""
_Counts = tuple[
    Callable[[Tournament, Entrant], int],
    Callable[[Tournament, Entrant, Points], tuple[int, ...]],
    bool,
]
_COUNTS: Final[dict[Format, _Counts]] = {
    Format.ROTATING_PARTNERS_4: (sum_of_scores, shared, False),
    Format.PAIRS_8: (sum_of_scores, shared, False),
    Format.KNOCKOUT: (got_through, place_where_out, True),
    Format.SWISS: (beaten, opponents_and_wins, False),
}
"""By format: the points, the tie-breaks, and whether who has left keeps a place."""
