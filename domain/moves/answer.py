"""What is answered: an opening wild by a color, a wild draw four by accepting or challenging."""

from __future__ import annotations

from typing import Final

from domain.cards import Face
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
    round, seat = guards.waited_for(match, actor, context)
    require(round.pending is Pending.COLOR, Refusal.COLOR_MUST_BE_DUE)
    return (ColorChosen(seat=seat, color=command.color, turn=seat),)


def accept_penalty(
    match: Match, actor: Actor, command: AcceptPenalty, context: Context
) -> tuple[Event, ...]:
    """Draw the cards of a wild draw four, or of a stack, and lose the turn (WD4-3, HOUSE-1)."""
    guards.waited_for(match, actor, context)
    draft = Draft(match)
    accept(draft, context)
    return draft.events


def accept(draft: Draft, context: Context, *, by_clock: bool = False) -> None:
    """Let the seat that faces a penalty take it."""
    round = draft.round
    penalty, seat = _penalty(round), round.turn
    turn = round.seat_after(seat, 1, round.direction)
    draft.add(PenaltyAccepted(seat, penalty.amount, turn, by_clock))
    draw(draft, seat, penalty.amount, _REASONS[round.top.face])
    _count_after(draft, penalty, context)


def challenge(
    match: Match, actor: Actor, command: Challenge, context: Context
) -> tuple[Event, ...]:
    """Doubt that a wild draw four was legal: judged on the hand it was played from (WD4-10)."""
    round, seat = guards.waited_for(match, actor, context)
    penalty = _penalty(round)
    require(is_judged(penalty), Refusal.CHALLENGE_MUST_BE_OF_A_WILD_DRAW_FOUR)
    guilty = holds_color(penalty.hand, penalty.judged_color)
    assert not (guilty and penalty.last), "a last wild draw four is always legal (END-3)"
    draft = Draft(match)
    turn = seat if guilty else round.seat_after(seat, 1, round.direction)
    draft.add(ChallengeResolved(seat=seat, author=penalty.author, guilty=guilty, turn=turn))
    loser, amount = _loser(penalty, guilty)
    if loser in round.order:  # An author who has left draws nothing (AWAY-4).
        draw(draft, loser, amount, DrawReason.CHALLENGE)
    _count_after(draft, penalty, context)
    return draft.events


_REASONS: Final = {
    Face.DRAW_TWO: DrawReason.DRAW_TWO,
    Face.WILD_DRAW_FOUR: DrawReason.WILD_DRAW_FOUR,
}
"""By the last card of the penalty."""


def is_judged(penalty: OpenPenalty) -> bool:
    """Whether the last card of a penalty can be challenged (WD4-3, HOUSE-1)."""
    return penalty.judged_color is not None


def _penalty(round: Round) -> OpenPenalty:
    if round.penalty is None:
        raise RuleViolation(Refusal.PENALTY_MUST_BE_PENDING)
    return round.penalty


def _loser(penalty: OpenPenalty, guilty: bool) -> tuple[Seat, int]:
    """A guilty author draws the penalty (WD4-5), a wrong challenger two more (WD4-6)."""
    if guilty:
        return penalty.author, penalty.amount
    return penalty.target, penalty.amount + WRONG_CHALLENGE_EXTRA


def _count_after(draft: Draft, penalty: OpenPenalty, context: Context) -> None:
    """After the answer to a last card, the hands are counted (END-2, END-5)."""
    if penalty.last:
        end_round(draft, penalty.author, context)
