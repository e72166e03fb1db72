"""Drawing instead of playing, and passing."""

from __future__ import annotations

from typing import Final

from domain.cards import Card
from domain.commands import Actor, Context, DrawCard, PassTurn
from domain.events import CardsDrawn, DrawReason, Event, Pending, TurnPassed
from domain.match import Match, Round
from domain.matching import fitting
from domain.moves import guards
from domain.moves.draft import Draft
from domain.moves.draw_until import drawn_until_playable
from domain.moves.force_play import has_to_play
from domain.moves.piles import draw
from domain.moves.round_end import block_round
from domain.options import DrawnCard
from domain.refusals import Refusal, require


def draw_card(match: Match, actor: Actor, command: DrawCard, context: Context) -> tuple[Event, ...]:
    """Draw one card, playable or not what is held (TURN-3, DRAW-1); under a house rule more."""
    round, seat = guards.to_move(match, actor, context)
    require(not round.has_drawn, Refusal.DRAW_MUST_BE_THE_FIRST)
    require(round.drawable > 0, Refusal.DRAW_MUST_BE_POSSIBLE)
    if match.options.force_play:
        require(not has_to_play(round), Refusal.DRAW_MUST_BE_NEEDED)

    if match.options.draw_until_playable:
        return drawn_until_playable(match, seat)
    if round.draw_pile_count:
        return (CardsDrawn(seat, _FOR_THE_TURN, 1, 1, turn=seat, pending=_TURN),)
    draft = Draft(match)
    draw(draft, seat, 1, DrawReason.TURN)
    return draft.events


def pass_turn(match: Match, actor: Actor, command: PassTurn, context: Context) -> tuple[Event, ...]:
    """End the turn: after a draw (DRAW-1), or when nothing can be drawn (PILE-4)."""
    round, seat = guards.to_move(match, actor, context)
    if round.has_drawn:
        require(may_keep(round, match), Refusal.DRAWN_CARD_MUST_BE_PLAYED)
    else:
        require(round.drawable == 0, Refusal.PASS_MUST_FOLLOW_A_DRAW)
        require(not any_fits(round), Refusal.FITTING_CARD_MUST_BE_PLAYED)

    turn = round.seat_after(seat, 1, round.direction)
    passed = TurnPassed(seat=seat, drew=round.has_drawn, turn=turn)
    if round.has_drawn or round.passes + 1 < len(round.order):
        return (passed,)
    draft = Draft(match)
    draft.add(passed)
    block_round(draft, context)
    return draft.events


def may_keep(round: Round, match: Match) -> bool:
    """Whether the drawn card may stay in the hand (DRAW-4); a wild draw four always may."""
    return (
        match.options.drawn_card is _MAY
        or round.drawn_card is Card.W4
        or round.drawn_card not in fitting(round)
    )


def any_fits(round: Round) -> bool:
    """Whether the seat to move holds a card that fits.

    A wild draw four counts where it is legal (PILE-4); where it is not, a card of the color fits.
    """
    return not fitting(round).isdisjoint(round.hands[round.turn])


_FOR_THE_TURN: Final = DrawReason.TURN
_TURN: Final = Pending.TURN
_MAY: Final = DrawnCard.MAY
