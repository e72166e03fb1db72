"""Every rule has a mutant that applies, a share of them is tried, and a trial tells the truth."""

from __future__ import annotations

import pytest

from domain import rulebook
from tests.mutants.listed import BY_RULE, MUTANTS, WITHOUT, share
from tests.mutants.mutant import Mutant
from tests.mutants.trial import Outcome, tried

SHARE = 12
"""Half a minute at most on a busy machine; all of them: ``python -m tests.mutants``."""
RULES = [rule.id for rule in rulebook.rules()]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.rule)
def test_a_mutant_applies_once_and_says_something_else(mutant: Mutant) -> None:
    assert mutant.applies, f"not once in {mutant.file}: {mutant.original}"
    assert mutant.is_python and not mutant.is_equivalent


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_a_mutant_or_a_reason_why_not(rule: str) -> None:
    assert (rule in BY_RULE) is not (rule in WITHOUT), f"{rule} needs a line in tests/mutants"


def test_a_rule_has_one_mutant_in_the_order_of_the_rulebook() -> None:
    assert [mutant.rule for mutant in MUTANTS] == [rule for rule in RULES if rule not in WITHOUT]
    assert set(WITHOUT) <= set(RULES) and all(WITHOUT.values())


@pytest.mark.slow
@pytest.mark.parametrize("mutant", share(SHARE), ids=lambda mutant: mutant.rule)
def test_a_share_of_them_is_killed(mutant: Mutant) -> None:
    verdict = tried(mutant)
    assert verdict.outcome is Outcome.KILLED, f"{mutant.breaks}: {verdict}"
    assert mutant.applies, "the checkout is as it was"


def test_the_share_stays_as_long_as_the_domain_does() -> None:
    assert share(SHARE) == share(SHARE)
    assert len({mutant.rule for mutant in share(SHARE)}) == SHARE


# A trial.

SKIP = "return _SKIP if players == 2 and effect.turns_round else effect"


@pytest.mark.parametrize(
    ("original", "mutated", "outcome"),
    [
        ("no such snippet", "at all", Outcome.DOES_NOT_APPLY),
        ("return ", "return 1 or ", Outcome.DOES_NOT_APPLY),
        (SKIP, SKIP + "  # as it was", Outcome.EQUIVALENT),
        (SKIP, "return (", Outcome.BROKEN),
        (SKIP, "return _NO_SUCH_EFFECT", Outcome.BROKEN),
        ("What a face does, laid", "What a face does, if laid", Outcome.SURVIVED),
        (SKIP, "return effect", Outcome.KILLED),
    ],
    ids=["gone", "twice", "the same", "no Python", "no program", "unnoticed", "noticed"],
)
def test_a_trial_tells_how_it_ended(original: str, mutated: str, outcome: Outcome) -> None:
    assert tried(Mutant("REV-2", "effects.py", original, mutated, "")).outcome is outcome


def test_what_no_test_cites_survives() -> None:
    assert tried(Mutant("NO-1", "effects.py", SKIP, "return effect", "")).outcome == "SURVIVED"
