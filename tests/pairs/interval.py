"""A median and its interval, from ranks alone: nothing is supposed of how the values lie."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from statistics import median


def median_and_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The median, and two of the values between which the true one is in 95 of 100 cases.

    With fewer than six values there are no two such: then the least and the greatest.
    """
    ordered, count = sorted(values), len(values)
    outside, rank = 2 * 0.5**count, 0
    while rank + 1 < count // 2:
        outside += 2 * comb(count, rank + 1) * 0.5**count
        if outside > 0.05:
            break
        rank += 1
    return median(ordered), ordered[rank], ordered[count - 1 - rank]
