"""Cases of shuffles and seeds."""

from __future__ import annotations

from itertools import pairwise

import pytest

from domain.deal import shuffled
from service.play.times import SECOND
from tests.service.support import QUICK, house
from tests.spec import seed_of

CARDS = 108
SHUFFLES = 10_000
NOON = 1_764_504_000 * SECOND


def test_every_card_comes_to_every_place_equally_often() -> None:
    """Case 158: chi-square of 10,000 shuffles, start against end; the same ones each time.

    Its mean is 107 x 107 = 11,449 and its deviation 151 if the shuffle is fair. Swapping each place
    with any other, the usual mistake, comes to 26,000.
    """
    table = [[0] * CARDS for _ in range(CARDS)]
    deck: tuple[int, ...] = tuple(range(CARDS))
    for number in range(SHUFFLES):
        order = shuffled(deck, seed_of("chance"), number)  # type: ignore[arg-type]
        for place, card in enumerate(order):
            table[card][place] += 1
    expected = SHUFFLES / CARDS
    statistic = sum((count - expected) ** 2 / expected for row in table for count in row)

    freedom = (CARDS - 1) ** 2
    assert abs(statistic - freedom) < 6 * (2 * freedom) ** 0.5


def test_which_card_follows_which_is_as_it_may() -> None:
    """Case 158: of two cards that lay side by side, every 108th pair still does."""
    deck: tuple[int, ...] = tuple(range(CARDS))
    side_by_side = sum(
        second - first == 1
        for number in range(2_000)
        for first, second in pairwise(shuffled(deck, seed_of("pairs"), number))  # type: ignore[arg-type]
    )
    expected = 2_000 * (CARDS - 1) / CARDS
    assert abs(side_by_side - expected) < 6 * expected**0.5


@pytest.mark.anyio
async def test_orders_of_the_same_second_and_after_a_restart_have_nothing_in_common() -> None:
    """Case 159: time stands still, and nothing but the seeds differs."""
    hands, commitments = [], []
    for _ in range(2):  # a process, and another one
        async with house(QUICK, now=lambda: NOON) as talon:
            for _ in range(2):
                persons = [await talon.person() for _ in range(2)]
                match = await talon.table(*persons)
                await persons[0].post(f"/v1/matches/{match}/start")
                history = await persons[0].history(match)
                (hand,) = [one["mine"]["hand"] for one in history if "hand" in one.get("mine", {})]
                hands.append(tuple(hand))
                told = [one["event"] for one in history]
                commitments += [one["commitment"] for one in told if "commitment" in one]
                assert "seed_revealed" not in [one["type"] for one in told]
    assert len(set(hands)) == 4
    assert len(set(commitments)) == 8
