"""Try mutants: `python -m tests.mutants` for all of them, `python -m tests.mutants UNO-4` for one.

Exits with 0 if the tests that cite its rule have killed each mutant tried.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from tests.mutants.listed import BY_RULE, MUTANTS
from tests.mutants.mutant import Mutant
from tests.mutants.trial import Outcome, Verdict, tried


def main(rules: list[str]) -> int:
    """Try the mutants of these rules, all of them if none is named."""
    unknown = [rule for rule in rules if rule not in BY_RULE]
    if unknown:
        print(f"no mutant of {', '.join(unknown)}", file=sys.stderr)
        return 2
    chosen = [BY_RULE[rule] for rule in rules] or list(MUTANTS)
    started, outcomes = time.monotonic(), Counter[Outcome]()
    for number, mutant in enumerate(chosen, 1):
        verdict = tried(mutant)
        outcomes[verdict.outcome] += 1
        print(f"{number:3}/{len(chosen)} {_line(mutant, verdict)}", flush=True)
    print(_summary(outcomes, len(chosen), time.monotonic() - started))
    return 0 if outcomes[Outcome.KILLED] == len(chosen) else 1


def _line(mutant: Mutant, verdict: Verdict) -> str:
    line = f"{mutant.rule:8} {verdict.outcome:8} {verdict.seconds:4.1f} s  {mutant.breaks}"
    return line if verdict.outcome is Outcome.KILLED else f"{line}\n        {verdict.said}"


def _summary(outcomes: Counter[Outcome], count: int, seconds: float) -> str:
    others = [
        f"{outcomes[outcome]} {outcome}" for outcome in Outcome if outcome is not Outcome.KILLED
    ]
    return f"{outcomes[Outcome.KILLED]} of {count} killed, {', '.join(others)}, in {seconds:.0f} s"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
