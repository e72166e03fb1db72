"""Mutants of chapter 13: tournaments."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

TOURNAMENTS: Final = (
    Mutant(
        "TOUR-1",
        "tournaments/starting.py",
        "return rating is None, -(rating or 0)",
        "return rating is None, rating or 0",
        "the lowest rating is seeded first",
    ),
    Mutant(
        "TOUR-2",
        "tournaments/tables.py",
        "if len(seats) < 2 and",
        "if not seats and",
        "who came alone is left waiting",
    ),
    Mutant(
        "TOUR-3",
        "tournaments/entering.py",
        "if is_running and not needs_everybody:",
        "if needs_everybody:",
        "the table of who left waits for them for ever",
    ),
    Mutant(
        "TOUR-4",
        "tournaments/tables.py",
        "table.match, command.reason, is_last, until)",
        "table.match, command.reason, not is_last, until)",
        "a void table of the last round is not played again",
    ),
    Mutant(
        "KO-1",
        "tournaments/knockout.py",
        "order.reverse()",
        "pass",
        "the best meets somebody from the middle",
    ),
    Mutant(
        "SWISS-1",
        "tournaments/swiss.py",
        "if other != one and not met[pair_of(one, other)]",
        "if other != one",
        "two meet again though they need not",
    ),
    Mutant(
        "SWISS-2",
        "tournaments/standings.py",
        "return 2 * (chairs - ahead) - level",
        "return 2 * (chairs - ahead)",
        "who shares a place counts as ahead",
    ),
)
