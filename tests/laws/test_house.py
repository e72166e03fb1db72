"""Whole random matches with house rules, the modern deck and tables that call out.

``TALON_LAWS_MATCHES`` says how many: half of what the classic game plays, 250 at most. Matches of
any kind are in ``test_anything``; these have several house rules each.
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
from tests.laws.every import under_every_law
from tests.laws.happened import happened
from tests.laws.table import Table, played

MATCHES = min(250, int(os.environ.get("TALON_LAWS_MATCHES", "60")) // 2)


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
    under_every_law(played(seed, *rules(seed)))


def test_in_these_matches_it_all_happens() -> None:
    steps = [step for seed in range(30) for step in whole(seed).steps]
    kinds = Counter(type(step.event) for step in steps)
    assert min(kinds[kind] for kind in (HandsShuffled, HandsSwapped, PlayCalledOut)) > 5
    counted = happened(steps)
    ways = ("jump", "stack", "unfit", "play again", "draw on", DrawReason.CUSTOMIZABLE)
    assert min(counted[way] for way in ways) > 5, counted
    events = [step.event for step in steps]
    assert Seat(0) in {event.seat for event in events if isinstance(event, CardPlayed)}
