"""Whole random matches in every form of play, by the clock and with seats that bots keep.

``TALON_LAWS_MATCHES`` says how many: a quarter of what the classic game plays, 250 at most. Matches
of any kind are in ``test_anything``; these have a form, a clock or a kept seat each.
"""

from __future__ import annotations

import os
import random

import pytest

from domain.events import ClockRanOut, MatchAbandoned, PlayerEliminated, PlayerReturned
from domain.options import Clock, Form, OnLeave, Options, Reveal, Scoring
from tests.laws.every import under_every_law
from tests.laws.table import Table, played

MATCHES = min(250, int(os.environ.get("TALON_LAWS_MATCHES", "60")) // 4)
KINDS = (
    (Form.FREE_FOR_ALL, Scoring.LOWEST),
    (Form.TEAMS, Scoring.WINNER_TAKES),
    (Form.ROTATING_PARTNERS, Scoring.WINNER_TAKES),
    (Form.ELIMINATION, Scoring.WINNER_TAKES),
    (Form.FREE_FOR_ALL, Scoring.WINNER_TAKES),
)


def rules(seed: int) -> tuple[Options, int]:
    """The options and the number of seats of a match."""
    chance = random.Random(f"forms {seed}")
    form, scoring = KINDS[seed % len(KINDS)]
    partners = form in (Form.TEAMS, Form.ROTATING_PARTNERS)
    rotates = form is Form.ROTATING_PARTNERS
    chosen = Options(
        form=form,
        scoring=scoring,
        target=chance.choice((50, 200)),
        rounds_per_pairing=chance.choice((1, 2)) if rotates else 4,
        cycles=chance.choice((1, 2)) if rotates else 1,
        starting_hand=chance.choice((5, 7, 10)),
        on_leave=chance.choice(list(OnLeave)),
        uno_grace=chance.choice((0, 3)),
        clock=chance.choice((None, Clock(turn=30, answer=10))),
        reveal=chance.choice(list(Reveal)),
    )
    return chosen, 4 if partners else chance.randint(2, 7)


def whole(seed: int) -> Table:
    """A match that is over."""
    *_, table = played(seed, *rules(seed))
    return table


@pytest.mark.parametrize("seed", range(MATCHES))
def test_every_law_holds_in_every_form(seed: int) -> None:
    under_every_law(played(seed, *rules(seed)))


def test_these_matches_have_clocks_that_run_out_players_out_and_players_back() -> None:
    events = [event for seed in (*range(15), 33, 38) for event in whole(seed).events]
    kinds = [type(event) for event in events]
    for kind in (ClockRanOut, PlayerEliminated, PlayerReturned):
        assert kind in kinds, kind
    assert kinds.count(MatchAbandoned) < 8
