"""Every known case has a test that carries its number, on the levels where it belongs."""

from __future__ import annotations

import pytest

from tests.cases.carried import carried
from tests.cases.titles import CASES, LEVELS


@pytest.mark.parametrize(
    ("number", "level"),
    [(number, level) for number, (_, levels) in CASES.items() for level in levels],
)
def test_every_case_is_carried_on_its_levels(number: int, level: str) -> None:
    names = [name for name in carried().get(number, ()) if name.startswith(LEVELS[level])]
    if level == "unreachable":
        names = [name for name in names if name.endswith("!")]

    assert names, f"no test on the level {level!r} says `case {number}`: {CASES[number][0]}"


def test_no_test_carries_a_number_that_is_no_case() -> None:
    """A number that is mistyped would be missing elsewhere, and stand for nothing here."""
    assert carried().keys() == CASES.keys()


def test_there_are_as_many_cases_as_were_collected() -> None:
    """The numbers have gaps: those are cases of other kinds of programs."""
    assert len(CASES) == 110 and list(CASES) == sorted(CASES)
    assert all(title and levels for title, levels in CASES.values())
