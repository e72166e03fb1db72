"""Penalties for advice, ruled by the host or by who runs the match (TABLE-4)."""

from __future__ import annotations

from typing import Final

from domain.commands import Actor, Context, PenalizeAdvice
from domain.events import AdvicePenalized, DrawReason, Event
from domain.limits import ADVICE_RULINGS_PER_ROUND
from domain.match import Match
from domain.moves import guards
from domain.moves.draft import Draft
from domain.moves.piles import draw
from domain.refusals import Refusal, require

ADVICE_PENALTY: Final = 2
"""TABLE-4: cards."""


def penalize_advice(
    match: Match, actor: Actor, command: PenalizeAdvice, context: Context
) -> tuple[Event, ...]:
    """Rule that a seat has advised another: two cards, and the turn stays where it is."""
    guards.host(match, actor)
    round = guards.running_round(match)
    require(command.seat in round.order, Refusal.ADVISER_MUST_BE_IN_PLAY)
    has_rulings_left = round.advice_rulings < ADVICE_RULINGS_PER_ROUND
    require(has_rulings_left, Refusal.ADVICE_RULINGS_MUST_BE_FEW)
    draft = Draft(match)
    draft.add(AdvicePenalized(command.seat, command.reason))
    draw(draft, command.seat, ADVICE_PENALTY, DrawReason.ADVICE)
    return draft.events
