"""Whole random matches of every edition, form, option and house rule, under every law.

``TALON_LAWS_MATCHES`` says how many (60 unless set). For many of them, with progress and a count of
what was covered: ``TALON_LAWS_MATCHES=10000 TALON_LAWS_JOURNAL=FILE ./talon test -n 2
tests/laws/test_anything.py``; see ``tests.laws.journal``.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from domain.events import (
    EVENT_TYPES,
    DrawReason,
    PositionPlaced,
    RoundBlocked,
)
from tests.laws.anything import whole
from tests.laws.happened import happened
from tests.laws.journal import hold
from tests.laws.kinds import FEATURED, agreed, described, kind_of

MATCHES = int(os.environ.get("TALON_LAWS_MATCHES", "60"))
SLICE = 1 if MATCHES < 1_000 else 25


@pytest.mark.parametrize("first", range(0, MATCHES, SLICE))
def test_every_law_holds_in_matches_of_any_kind(first: int) -> None:
    hold(first, min(SLICE, MATCHES - first))


def test_every_value_of_every_option_has_its_turn() -> None:
    counted = Counter(line for number in range(400) for line in described(kind_of(number)))
    for name, value in FEATURED:
        if not isinstance(value, dict | int) or isinstance(value, bool):
            assert counted[f"{name} {str(value).lower()}"] >= 8, (name, value)
    assert {f"seats {seats}" for seats in range(2, 11)} <= set(counted)
    for number in range(400):
        options, seats = kind_of(number)
        assert agreed({}, seats) and options is not None


def test_in_these_matches_it_all_happens() -> None:
    steps = [step for number in range(60) for step in whole(number).steps]
    kinds = {type(step.event) for step in steps}
    assert set(EVENT_TYPES) - kinds <= {PositionPlaced, RoundBlocked}
    counted = happened(steps)
    assert set(DrawReason) <= set(counted) and min(counted.values()) > 5, counted
