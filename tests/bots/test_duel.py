"""``sharp`` beats ``steady`` beats ``random``, over deals that both play from every seat.

The deals are fixed: what is asserted here came out once and comes out again until the rules, the
deal or a policy change. Each share is so large that its lead is more than four standard errors:
levels as good as today's lead on other deals too. The whole of it: ``docs/bots.md``.
"""

from __future__ import annotations

import pytest

from domain.events import BotLevel
from tests.bots.duel import DEFAULTS, Lead, interval, lead, leads


@pytest.mark.slow
def test_sharp_beats_steady_head_to_head() -> None:
    found = leads(BotLevel.SHARP, BotLevel.STEADY, 2, range(1_200))
    assert sum(one.points for one in found) > 0


@pytest.mark.slow
def test_sharp_beats_steady_at_a_table_of_four() -> None:
    found = leads(BotLevel.SHARP, BotLevel.STEADY, 4, range(700))
    assert sum(one.rounds for one in found) > 0


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("level", [BotLevel.STEADY, BotLevel.SHARP])
def test_who_thinks_beats_random(level: BotLevel, seats: int) -> None:
    found = leads(level, BotLevel.RANDOM, seats, range(150))
    assert sum(one.rounds for one in found) > 0
    assert sum(one.points for one in found) > 0


@pytest.mark.parametrize("seats", [2, 4])
def test_a_level_has_no_lead_over_itself(seats: int) -> None:
    for deal in range(5):
        assert lead(BotLevel.SHARP, BotLevel.SHARP, seats, deal, DEFAULTS).rounds == 0


def test_a_deal_is_played_the_same_way_again() -> None:
    first = lead(BotLevel.SHARP, BotLevel.STEADY, 4, 7, DEFAULTS)
    assert lead(BotLevel.SHARP, BotLevel.STEADY, 4, 7, DEFAULTS) == first
    assert isinstance(first, Lead)


def test_an_interval_is_narrow_where_numbers_agree() -> None:
    assert interval([1.0, 1.0, 1.0]).reach == 0
    assert interval([0.0, 2.0] * 50).mean == 1
    assert 0.19 < interval([0.0, 2.0] * 50).reach < 0.2
