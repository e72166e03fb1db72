"""What is answered: an opening wild by a color, a wild draw four by accepting or challenging."""

from __future__ import annotations

from typing import Final

from domain.commands import AcceptPenalty, Actor, Challenge, ChooseColor, Context
from domain.events import (
    ChallengeResolved,
    ColorChosen,
    DrawReason,
    Event,
    PenaltyAccepted,
    Pending,
    Seat,
)
from domain.match import Match, OpenPenalty, Round
from domain.matching import holds_color
from domain.moves import guards
from domain.moves.draft import Draft
from domain.moves.piles import draw
from domain.moves.round_end import end_round
from domain.refusals import Refusal, RuleViolation, require

WRONG_CHALLENGE_EXTRA: Final = 2
"""WD4-6: cards beyond the penalty, for who challenged an innocent author."""


def choose_color(
    match: Match, actor: Actor, command: ChooseColor, context: Context
) -> tuple[Event, ...]:
    """Name the color of an opening wild, then take a normal turn (FIRST-4)."""
    round, seat = guards.waited_for(match, actor)
    require(round.pending is Pending.COLOR, Refusal.COLOR_MUST_BE_DUE)
    return (ColorChosen(seat=seat, color=command.color, turn=seat),)


def accept_penalty(
    match: Match, actor: Actor, command: AcceptPenalty, context: Context
) -> tuple[Event, ...]:
    """Draw the cards of a wild draw four and lose the turn (WD4-3)."""
    round, seat = guards.waited_for(match, actor)
    penalty = _penalty(round)
    draft = Draft(match)
    turn = round.seat_after(seat, 1, round.direction)
    draft.add(PenaltyAccepted(seat=seat, amount=penalty.amount, turn=turn))
    draw(draft, seat, penalty.amount, DrawReason.WILD_DRAW_FOUR)
    return _finished(draft, penalty, context)


def challenge(
    match: Match, actor: Actor, command: Challenge, context: Context
) -> tuple[Event, ...]:
    """Doubt that a wild draw four was legal: judged on the hand it was played from (WD4-10)."""
    round, seat = guards.waited_for(match, actor)
    penalty = _penalty(round)
    guilty = holds_color(penalty.hand, penalty.judged_color)
    assert not (guilty and penalty.last), "a last wild draw four is always legal (END-3)"
    draft = Draft(match)
    turn = seat if guilty else round.seat_after(seat, 1, round.direction)
    draft.add(ChallengeResolved(seat=seat, author=penalty.author, guilty=guilty, turn=turn))
    loser, amount = _loser(penalty, guilty)
    if loser in round.order:  # An author who has left draws nothing (AWAY-4).
        draw(draft, loser, amount, DrawReason.CHALLENGE)
    return _finished(draft, penalty, context)


def _penalty(round: Round) -> OpenPenalty:
    if round.penalty is None:
        raise RuleViolation(Refusal.PENALTY_MUST_BE_PENDING)
    return round.penalty


def _loser(penalty: OpenPenalty, guilty: bool) -> tuple[Seat, int]:
    """A guilty author draws the penalty (WD4-5), a wrong challenger two more (WD4-6)."""
    if guilty:
        return penalty.author, penalty.amount
    return penalty.target, penalty.amount + WRONG_CHALLENGE_EXTRA


def _finished(draft: Draft, penalty: OpenPenalty, context: Context) -> tuple[Event, ...]:
    """After the answer to a last card, the hands are counted (END-2, END-5)."""
    if penalty.last:
        end_round(draft, penalty.author, context)
    return draft.events
