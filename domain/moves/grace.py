"""The time in which nobody's turn may begin after a silent second-to-last card (UNO-7)."""

from __future__ import annotations

from typing import Final

from domain.commands import Context
from domain.match import Match
from domain.refusals import Refusal, RuleViolation

_SECOND: Final = 1_000_000
"""In microseconds."""


def grace_from(match: Match, context: Context) -> int | None:
    """Until when no turn may begin if a grace starts now; None where the match grants none."""
    seconds = match.options.uno_grace
    return context.now + seconds * _SECOND if seconds else None


def grace_has_passed(not_before: int, context: Context) -> None:
    """Refuse what begins a turn before the grace is over."""
    if context.now < not_before:
        raise RuleViolation(Refusal.GRACE_MUST_HAVE_PASSED, not_before)
