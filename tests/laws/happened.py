"""What the rules can do to a turn, counted over what was played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from domain.events import CardPlayed, CardsDrawn, DrawReason
from tests.laws.table import Step


def happened(steps: Iterable[Step]) -> Counter[str]:
    """How often the rarer ways to lay and to draw cards came up."""
    counted = Counter[str]()
    for step in steps:
        before, event = step.before.round, step.event
        if isinstance(event, CardPlayed) and before is not None:
            counted["jump"] += event.seat != before.turn
            counted["stack"] += event.penalty > 4
            counted["unfit"] += event.unfit
            counted["play again"] += event.turn == event.seat and len(before.order) > 2
        if isinstance(event, CardsDrawn):
            counted["draw on"] += event.reason is DrawReason.TURN and event.drawn > 1
            counted[event.reason] += 1
    return counted
