"""A knockout: who wins a table goes on, until one is left.

There is no fixed bracket: each round is seeded anew, the best against the last.
"""

from __future__ import annotations

from domain.tournaments.plan import Plan, playing, sizes
from domain.tournaments.terms import Entrant
from domain.tournaments.tournament import Round, Table, Tournament


def knockout(tournament: Tournament) -> Plan | None:
    """The next round of those who are still in; None when one is left, or nobody."""
    seats = tournament.settings.table_seats or 2
    left = still_in(tournament)
    if len(left) < 2:
        return None
    byes = left[: byes_of(len(left))] if seats == 2 else ()
    return Plan(snake(left[len(byes) :], seats), byes)


def byes_of(count: int) -> int:
    """How many sit out, at tables of two, so that a power of two is left."""
    return (1 << (count - 1).bit_length()) - count


def snake(entrants: tuple[Entrant, ...], seats: int) -> tuple[tuple[Entrant, ...], ...]:
    """Entrants dealt to tables there and back: the first and the last meet."""
    chairs = list(sizes(len(entrants), seats))
    tables: list[list[Entrant]] = [[] for _ in chairs]
    order = list(range(len(chairs)))
    waiting = list(entrants)
    while waiting:
        for number in order:
            if waiting and len(tables[number]) < chairs[number]:
                tables[number].append(waiting.pop(0))
        order.reverse()
    return tuple(map(tuple, tables))


def still_in(tournament: Tournament) -> tuple[Entrant, ...]:
    """Who has won all their tables and not left, the strongest first."""
    rounds = len(tournament.rounds)
    return tuple(one for one in playing(tournament) if got_through(tournament, one) == rounds)


def got_through(tournament: Tournament, entrant: Entrant) -> int:
    """How many rounds an entrant has got through, byes included."""
    for number, round in enumerate(tournament.rounds):
        if not goes_on(tournament, round, entrant):
            return number
    return len(tournament.rounds)


def goes_on(tournament: Tournament, round: Round, entrant: Entrant) -> bool:
    """Whether an entrant won the table, or had a bye."""
    number = round.table_of(entrant)
    if number is None:
        return entrant in round.byes
    return winner_of(tournament, round.tables[number]) == entrant


def winner_of(tournament: Tournament, table: Table) -> Entrant | None:
    """Who is first at a table; of those who share the place, the one seeded higher."""
    if table.outcome is None:
        return None
    places = dict(zip(table.entrants, table.outcome.places, strict=True))
    ranked = [entrant for entrant, place in places.items() if place > 0]
    if not ranked:
        return None
    return min(ranked, key=lambda entrant: (places[entrant], tournament.seeding.index(entrant)))
