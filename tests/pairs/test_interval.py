"""The interval of a median holds it as often as it says."""

from __future__ import annotations

from random import Random

import pytest

from tests.pairs.interval import median_and_interval


@pytest.mark.parametrize(
    ("count", "low", "high"), [(6, 1, 6), (10, 2, 9), (20, 6, 15), (40, 14, 27)]
)
def test_the_ranks_are_those_of_the_sign_test(count: int, low: int, high: int) -> None:
    """As in the tables of the sign test at 5 %."""
    values = [float(value) for value in range(count, 0, -1)]

    assert median_and_interval(values) == ((count + 1) / 2, low, high)


def test_the_true_median_is_inside_in_nineteen_of_twenty_cases() -> None:
    chance, inside = Random(7), 0
    for _ in range(2_000):
        _, low, high = median_and_interval([chance.expovariate(1.0) for _ in range(25)])
        inside += low <= 0.6931471805599453 <= high

    assert 0.94 < inside / 2_000 < 0.99
