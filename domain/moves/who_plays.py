"""Who may lay a card now: the seat to move, one that faces a stack, or one that jumps in."""

from __future__ import annotations

from typing import Final

from domain.commands import Actor, Context, PlayCard
from domain.events import Pending, Seat
from domain.match import Match, Round
from domain.moves import guards
from domain.moves.grace import grace_has_passed
from domain.moves.jump_in import may_jump_in
from domain.moves.stacking import answers
from domain.refusals import Refusal, RuleViolation, require


def who_plays(
    match: Match, actor: Actor, command: PlayCard, context: Context
) -> tuple[Round, Seat]:
    """The running round and the seat that lays the card."""
    round, seat = guards.playing(match, actor)
    if seat != round.turn:
        jumps = command.card is round.top and may_jump_in(round, seat, match)
        require(jumps, Refusal.TURN_MUST_BE_YOURS)
    if round.not_before is not None:
        grace_has_passed(round.not_before, context)
    if round.pending is not _TURN:
        may_answer = answers(round, match)
        if not may_answer:
            raise RuleViolation(guards.DUE_FIRST[round.pending])
        require(command.card in may_answer, Refusal.CARD_MUST_PASS_THE_PENALTY_ON)
    return round, seat


_TURN: Final = Pending.TURN
