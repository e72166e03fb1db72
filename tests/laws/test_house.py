"""Whole random matches with house rules, the modern deck and tables that call out.

``TALON_LAWS_MATCHES`` says how many: half of what the classic game plays.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest
from msgspec.structs import replace

from domain.combinations import COMBINATIONS
from domain.editions import Edition
from domain.events import (
    CardPlayed,
    CardsDrawn,
    DrawReason,
    HandsShuffled,
    HandsSwapped,
    PlayCalledOut,
    Seat,
)
from domain.options import (
    Customizable,
    DrawnCard,
    Enforcement,
    Form,
    OnLeave,
    Options,
    Reveal,
    Scoring,
    Stacking,
    WildDrawFour,
)
from tests.laws import laws
from tests.laws.table import Table, played
from tests.laws.test_non_interference import over_a_table
from tests.laws.test_whole_matches import ends_as_it_should, verifies_from_its_seeds

MATCHES = int(os.environ.get("TALON_LAWS_MATCHES", "60")) // 2


def rules(seed: int) -> tuple[Options, int]:
    """The options and the number of seats of a match: any that go together."""
    chance = random.Random(f"house {seed}")
    while True:
        seats = chance.randint(2, 7)
        chosen = _called_out(chance) if seed % 3 == 0 else _any(chance)
        if all(go_together(chosen, seats) for _, go_together in COMBINATIONS):
            return chosen, seats


def _any(chance: random.Random) -> Options:
    """Options at random, whether or not they go together; a table that calls out is apart."""
    return Options(
        edition=chance.choice(list(Edition)),
        form=chance.choice((Form.FREE_FOR_ALL, Form.FREE_FOR_ALL, *Form)),
        scoring=chance.choice(list(Scoring)),
        target=50,
        wild_draw_four=chance.choice(list(WildDrawFour)),
        drawn_card=chance.choice(list(DrawnCard)),
        uno_grace=chance.choice((0, 3)),
        on_leave=chance.choice(list(OnLeave)),
        customizable=chance.choice(list(Customizable)),
        stacking=chance.choice(list(Stacking)),
        seven_zero=chance.random() < 0.5,
        jump_in=chance.random() < 0.5,
        draw_until_playable=chance.random() < 0.5,
        force_play=chance.random() < 0.5,
        starting_hand=chance.choice((5, 7, 10)),
        reveal=chance.choice(list(Reveal)),
    )


def _called_out(chance: random.Random) -> Options:
    """The same at a table that calls out (TABLE-2)."""
    return replace(
        _any(chance),
        enforcement=Enforcement.TABLE,
        uno_grace=3,
        stacking=Stacking.OFF,
        seven_zero=False,
        jump_in=False,
        force_play=False,
    )


def whole(seed: int) -> Table:
    """A match that is over."""
    *_, table = played(seed, *rules(seed))
    return table


@pytest.mark.parametrize("seed", range(MATCHES))
def test_every_law_holds_with_house_rules(seed: int) -> None:
    for number, table in enumerate(played(seed, *rules(seed))):
        laws.the_seat_to_move_may_do_what_is_listed(table.match)
        if number % 20 == 0:
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
def test_nobody_can_tell_twins_apart_with_house_rules(seed: int) -> None:
    assert over_a_table(whole(seed))["answers"] >= 0


def test_these_comparisons_are_worth_something() -> None:
    counted = sum((over_a_table(whole(seed)) for seed in range(12)), Counter[str]())
    assert counted["answers"] > 2_000 and counted["at the end"] > 50


def test_in_these_matches_it_all_happens() -> None:
    steps = [step for seed in range(30) for step in whole(seed).steps]
    kinds = Counter(type(step.event) for step in steps)
    assert min(kinds[kind] for kind in (HandsShuffled, HandsSwapped, PlayCalledOut)) > 5
    plays = [(step.before.round, step.event) for step in steps]
    happened = Counter[str]()
    for before, event in plays:
        if isinstance(event, CardPlayed) and before is not None:
            happened["jump"] += event.seat != before.turn
            happened["stack"] += event.penalty > 4
            happened["unfit"] += event.unfit
            happened["play again"] += event.turn == event.seat and len(before.order) > 2
        if isinstance(event, CardsDrawn):
            happened["draw on"] += event.reason is DrawReason.TURN and event.drawn > 1
            happened["customizable"] += event.reason is DrawReason.CUSTOMIZABLE
    assert len(happened) == 6 and min(happened.values()) > 5, happened
    assert Seat(0) in {event.seat for _, event in plays if isinstance(event, CardPlayed)}
