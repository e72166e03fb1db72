"""Every rule is cited by a test, every refusal is met in one, every case is retold in one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from domain import rulebook
from domain.refusals import Refusal
from tests.mutants.citing import who_cites

_FOLDER: Final = Path(__file__).parent
_TESTS: Final = "".join(
    path.read_text() for path in sorted(_FOLDER.glob("test_*.py")) if path != Path(__file__)
)
_CITED_CASES: Final = {int(number) for number in re.findall(r"[Cc]ase[ _](\d+)", _TESTS)}
CASES: Final = (
    *(2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 23, 24, 26, 27, 29, 30, 32, 33, 35, 36),
    *(38, 39, 41, 42, 44, 45, 47, 48, 50, 51, 53, 54, 56, 57, 59, 60, 62, 63, 65, 66, 68, 69),
    *(71, 72, 74, 75, 77, 78, 80, 81, 83, 84, 86, 87, 89, 90, 92, 93, 95, 96, 99, 102, 104, 105),
    *(107, 108, 110, 111, 113, 114, 116, 117, 122, 123, 125, 126, 128, 129, 131, 137, 138, 140),
    *(98, 101, 119, 141, 143, 144, 146, 147, 159, 161, 165),
)
"""The known disputes that can be told without a service."""


@pytest.mark.parametrize("rule", [rule.id for rule in rulebook.rules()])
def test_every_rule_is_cited(rule: str) -> None:
    assert who_cites(rule), f"no test cites {rule}"


@pytest.mark.parametrize("refusal", Refusal, ids=str)
def test_every_refusal_is_met(refusal: Refusal) -> None:
    assert f"Refusal.{refusal.name}" in _TESTS, f"no test is refused for {refusal}"


@pytest.mark.parametrize("case", CASES)
def test_every_case_is_retold(case: int) -> None:
    assert case in _CITED_CASES
