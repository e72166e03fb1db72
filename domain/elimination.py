"""Elimination: who reaches the target is out, and the last one has won (ELIM-1 to ELIM-3)."""

from __future__ import annotations

from domain.events import PlayerEliminated
from domain.match import Match


def out_by_the_count(match: Match) -> tuple[PlayerEliminated, ...]:
    """Who is out after a round, best place first: of several the lower total is better (ELIM-3)."""
    scores, target = match.scores, match.options.target
    out = sorted((s for s in match.still_in if scores[s] >= target), key=lambda s: scores[s])
    staying = len(match.still_in) - len(out)
    return tuple(
        PlayerEliminated(seat, 1 + staying + sum(scores[other] < scores[seat] for other in out))
        for seat in out
    )


def one_is_left(match: Match) -> bool:
    """One player remains; none does only if the winner of the last round had left (AWAY-4)."""
    return len(match.still_in) <= 1


def places_by_elimination(match: Match) -> tuple[int, ...]:
    """Who is in stands by the total, the lower the better; those out have their places (ELIM-3).

    Leavers take the places that are left, the first to leave the last of them.
    """
    scores, places = match.scores, [0] * len(match.seats)
    staying = match.still_in
    for seat in staying:
        places[seat] = 1 + sum(scores[other] < scores[seat] for other in staying)
    for seat, place in match.eliminated.items():
        places[seat] = place
    held = set(range(1, 1 + len(staying)))
    for place in match.eliminated.values():
        held.add(next(one for one in range(place, len(places) + 1) if one not in held))
    free = sorted(set(range(1, len(places) + 1)) - held, reverse=True)
    for seat, place in zip(match.left, free, strict=True):
        places[seat] = place
    return tuple(places)
