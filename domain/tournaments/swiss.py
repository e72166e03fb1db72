"""A swiss: everybody plays every round, against others who stand as well and were not met yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from domain.tournaments.matching import ALONE, Neighbors, most_pairs
from domain.tournaments.plan import Pair, Plan, meetings, pair_of, playing, sizes
from domain.tournaments.terms import Entrant
from domain.tournaments.tournament import Tournament


def swiss(tournament: Tournament, points: Sequence[int]) -> Plan | None:
    """The next round, by the points (by entrant) so far; None after the last one."""
    if not has_another_round(tournament):
        return None
    seats = tournament.settings.table_seats or 2
    order = sorted(playing(tournament), key=lambda entrant: -points[entrant])  # Stable: by seed.
    met = meetings(tournament)
    if seats > 2:
        return Plan(_tables(order, seats, met))
    byes: tuple[Entrant, ...] = ()
    if len(order) % 2:
        byes = (_bye(tournament, order, met),)
        order.remove(byes[0])
    return Plan(_pairs(order, points, met), byes)


def has_another_round(tournament: Tournament) -> bool:
    """Whether a round remains to be paired, and somebody to play it."""
    planned = tournament.rounds_planned or 0
    return len(tournament.rounds) < planned and len(playing(tournament)) > 1


def _bye(tournament: Tournament, order: Sequence[Entrant], met: Counter[Pair]) -> Entrant:
    """Who sits out: of those with the fewest byes the last one whom the others can do without."""
    had = Counter(one for round in tournament.rounds for one in round.byes)
    fewest = min(had[one] for one in order)
    candidates = [one for one in reversed(order) if had[one] == fewest]
    best, most = candidates[0], -1
    for one in candidates:
        pairs = _pairs_without(order, one, met)
        if pairs == len(order) // 2:  # More there cannot be: the others need not be tried.
            return one
        if pairs > most:
            best, most = one, pairs
    return best


def _pairs_without(order: Sequence[Entrant], out: Entrant, met: Counter[Pair]) -> int:
    rest = [one for one in order if one != out]
    return _count(most_pairs(_not_met(rest, met)))


def _not_met(entrants: Sequence[Entrant], met: Counter[Pair]) -> list[list[int]]:
    """By place in the list: the places of those one has not met."""
    return [
        [
            place
            for place, other in enumerate(entrants)
            if other != one and not met[pair_of(one, other)]
        ]
        for one in entrants
    ]


def _count(mate: Iterable[int]) -> int:
    return sum(other != ALONE for other in mate) // 2


def _pairs(
    order: Sequence[Entrant], points: Sequence[int], met: Counter[Pair]
) -> tuple[tuple[Entrant, ...], ...]:
    """Pairs from the top, with as few second meetings as there can be."""
    neighbors = _not_met(order, met)
    mate = most_pairs(neighbors)
    waiting, again = list(range(len(order))), []
    tables: list[tuple[Entrant, ...]] = []
    while waiting:
        one = waiting[0]
        for other in _preferred(waiting, [points[order[place]] for place in waiting]):
            if other not in neighbors[one]:
                continue
            rest = _without(neighbors, one, other)
            pairs = _pairs_of_the_rest(rest, mate, one, other)
            if pairs is not None:
                tables.append((order[one], order[other]))
                waiting.remove(other)
                neighbors, mate = rest, pairs
                break
        else:
            again.append(order[one])
        waiting.remove(one)
    return (*tables, *zip(again[::2], again[1::2], strict=True))


def _without(neighbors: Neighbors, one: int, other: int) -> list[list[int]]:
    """Who may meet whom when these two are gone."""
    gone = (one, other)
    return [
        [] if place in gone else [another for another in others if another not in gone]
        for place, others in enumerate(neighbors)
    ]


def _pairs_of_the_rest(
    rest: Neighbors, mate: Sequence[int], one: int, other: int
) -> list[int] | None:
    """Pairs of the rest, if these two meet; None if a pair would be lost by that."""
    gone = (one, other)
    kept = [
        ALONE if place in gone or another in gone else another for place, another in enumerate(mate)
    ]
    pairs = most_pairs(rest, kept)
    return pairs if _count(pairs) == _count(mate) - 1 else None


def _preferred(waiting: Sequence[int], points: Sequence[int]) -> list[int]:
    """The others in the order in which the first one had better meet them.

    Of those with equal points the middle one comes first, so that the upper half of them meets
    the lower half; then all others from the top.
    """
    level = points.count(points[0])  # They are at the top.
    middle = level // 2
    near = sorted(range(1, level), key=lambda place: (abs(place - middle), place))
    return [waiting[place] for place in (*near, *range(level, len(waiting)))]


def _tables(
    order: Sequence[Entrant], seats: int, met: Counter[Pair]
) -> tuple[tuple[Entrant, ...], ...]:
    """Tables from the top, each of who has met the others least; then swaps that help."""
    waiting, tables = list(order), []
    for size in sizes(len(order), seats):
        table = [waiting.pop(0)]
        while len(table) < size:
            following = min(waiting, key=lambda one: _met_at(one, table, met))
            waiting.remove(following)
            table.append(following)
        tables.append(table)
    while _swaps_help(tables, met):
        pass
    return tuple(map(tuple, tables))


def _met_at(one: Entrant, table: Sequence[Entrant], met: Counter[Pair]) -> int:
    return sum(met[pair_of(one, other)] for other in table if other != one)


def _swaps_help(tables: list[list[Entrant]], met: Counter[Pair]) -> bool:
    """Swap any two of different tables where fewer meet again by it; whether there were such."""
    helped = False
    for number, table in enumerate(tables):
        for other in tables[number + 1 :]:
            for here in range(len(table)):
                for there in range(len(other)):
                    helped |= _swap_if_it_helps(table, here, other, there, met)
    return helped


def _swap_if_it_helps(
    table: list[Entrant], here: int, other: list[Entrant], there: int, met: Counter[Pair]
) -> bool:
    before = _met_at(table[here], table, met) + _met_at(other[there], other, met)
    if not before:
        return False
    table[here], other[there] = other[there], table[here]
    if _met_at(table[here], table, met) + _met_at(other[there], other, met) < before:
        return True
    table[here], other[there] = other[there], table[here]
    return False
