"""Whole random matches in every form of play, by the clock and with seats that bots keep.

``TALON_LAWS_MATCHES`` says how many: a quarter of what the classic game plays.
"""

from __future__ import annotations

import os
import random

import pytest
from msgspec.structs import replace

from domain.events import ClockRanOut, MatchAbandoned, PlayerEliminated, PlayerReturned
from domain.options import Clock, Form, OnLeave, Options, Reveal, Scoring
from tests.laws import laws
from tests.laws.table import Table, played
from tests.laws.test_house import rules as house_rules
from tests.laws.test_non_interference import over_a_table
from tests.laws.test_whole_matches import ends_as_it_should, verifies_from_its_seeds

MATCHES = int(os.environ.get("TALON_LAWS_MATCHES", "60")) // 4
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
    under_every_law(seed, *rules(seed))


@pytest.mark.parametrize("seed", range(MATCHES))
def test_every_law_holds_with_house_rules_by_the_clock(seed: int) -> None:
    chosen, seats = house_rules(seed)
    under_every_law(seed, replace(chosen, clock=Clock(turn=30, answer=10)), seats)


def under_every_law(seed: int, chosen: Options, seats: int) -> None:
    """Play a match to its end and hold each law against it."""
    for number, table in enumerate(played(seed, chosen, seats)):
        laws.the_seat_to_move_may_do_what_is_listed(table.match)
        if number % 50 == 0:
            laws.what_is_legal_is_accepted_and_no_more(table.match)
        if number % 10 == 0 or table.match.is_over:
            laws.views_hold_no_foreign_card(table.match)
            laws.a_view_lists_what_may_be_done(table.match)
    for step in table.steps:
        laws.no_card_comes_or_goes(step)
        laws.stored_and_read_again_it_is_the_same(step)
        laws.only_plays_and_draws_change_hands(step)
    laws.the_log_alone_tells_it_all(table)
    laws.folding_is_evolving_again_and_again(table)
    ends_as_it_should(table)
    verifies_from_its_seeds(table)


@pytest.mark.parametrize("seed", range(MATCHES))
def test_nobody_can_tell_twins_apart_in_any_form(seed: int) -> None:
    assert over_a_table(whole(seed))["answers"] > 0


def test_these_matches_have_clocks_that_run_out_players_out_and_players_back() -> None:
    events = [event for seed in (*range(15), 33, 38) for event in whole(seed).events]
    kinds = [type(event) for event in events]
    for kind in (ClockRanOut, PlayerEliminated, PlayerReturned):
        assert kind in kinds, kind
    assert kinds.count(MatchAbandoned) < 8
