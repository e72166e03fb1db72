"""Every rule is cited by a test, and every refusal is met in one."""

from __future__ import annotations

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


@pytest.mark.parametrize("rule", [rule.id for rule in rulebook.rules()])
def test_every_rule_is_cited(rule: str) -> None:
    assert who_cites(rule), f"no test cites {rule}"


@pytest.mark.parametrize("refusal", Refusal, ids=str)
def test_every_refusal_is_met(refusal: Refusal) -> None:
    assert f"Refusal.{refusal.name}" in _TESTS, f"no test is refused for {refusal}"
