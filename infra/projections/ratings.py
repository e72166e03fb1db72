"""Ratings after matches, by Plackett and Luce's model: for tables of any size, and for teams.

The library reckons with floating point; each rating is rounded to millionths at once and the next
match begins with that, so a difference in the last bit between two machines is gone by then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

from domain.results import SeatResult
from domain.tallies import MICRO, NEW, Outcome, Rated, Rating, Unrated

_MODEL: Final = PlackettLuce()
"""Its defaults: mean 25, deviation 25/3, and a little less certainty with time (tau 25/300)."""


def rated(unrated: Unrated) -> tuple[Rated, ...]:
    """The ratings after each of these matches, one after the other.

    Who is erased counts as somebody new each time: nothing tells that it was the same person.
    """
    overall, in_form = dict(unrated.overall), dict(unrated.in_form)
    found: list[Rated] = []
    for outcome in unrated.outcomes:
        match, form = outcome.result.match, outcome.result.form
        players = {
            seat.seat: player
            for seat, player in zip(outcome.result.seats, outcome.players, strict=True)
        }
        after = _after(outcome, {s: overall.get(p, NEW) for s, p in players.items() if p})
        after_in_form = _after(
            outcome, {s: in_form.get((p, form), NEW) for s, p in players.items() if p}
        )
        for seat, rating in after.items():
            found.append(Rated(match, seat, rating, after_in_form[seat]))
            player = players[seat]
            if player is not None:
                overall[player], in_form[player, form] = rating, after_in_form[seat]
    return tuple(found)


def _after(outcome: Outcome, before: Mapping[int, Rating]) -> dict[int, Rating]:
    """By ranked seat: its rating after a match; sides stand in the order of their first seats."""
    sides: dict[int, list[SeatResult]] = {}
    for seat in outcome.result.seats:
        if seat.place > 0:
            sides.setdefault(seat.side, []).append(seat)
    teams = [
        [_model_rating(before.get(seat.seat, NEW)) for seat in side] for side in sides.values()
    ]
    places = [float(side[0].place) for side in sides.values()]
    after = _MODEL.rate(teams, ranks=places)
    return {
        seat.seat: Rating(round(one.mu * MICRO), round(one.sigma * MICRO))
        for side, team in zip(sides.values(), after, strict=True)
        for seat, one in zip(side, team, strict=True)
    }


def _model_rating(rating: Rating) -> PlackettLuceRating:
    return _MODEL.rating(mu=rating.mu / MICRO, sigma=rating.sigma / MICRO)
