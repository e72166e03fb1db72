"""Playing a card: matching, effects, going out."""

from __future__ import annotations

from domain.cards import Card
from domain.commands import Actor, Context, PlayCard
from domain.effects import Effect, effect_of
from domain.events import CardPlayed, Event, Pending
from domain.match import Match, Round
from domain.matching import fitting, holds_color
from domain.moves import guards
from domain.moves.draft import Draft
from domain.moves.piles import draw
from domain.moves.round_end import end_round
from domain.moves.uno import may_say_with_play
from domain.options import WildDrawFour
from domain.refusals import Refusal, RuleViolation, require


def play_card(match: Match, actor: Actor, command: PlayCard, context: Context) -> tuple[Event, ...]:
    """Lay a card on the discard pile (TURN-1, TURN-2)."""
    round, seat = guards.to_move(match, actor)
    card, hand = command.card, round.hands[seat]
    require(card in hand, Refusal.CARD_MUST_BE_IN_HAND)
    require(not round.has_drawn or card is round.drawn_card, Refusal.CARD_MUST_BE_THE_DRAWN_ONE)
    require(card in fitting(round), Refusal.CARD_MUST_MATCH)
    color = card.color or command.color
    if color is None:
        raise RuleViolation(Refusal.WILD_MUST_NAME_A_COLOR)
    require(card.is_wild or command.color is None, Refusal.COLOR_MUST_BE_THE_CARDS)
    require(may_be_laid(card, round, match), Refusal.WILD_DRAW_FOUR_MUST_BE_LEGAL)
    require(not command.uno or may_say_with_play(round, seat), Refusal.UNO_MUST_BE_OWED)

    last = len(hand) == 1
    effect = effect_of(card.face, match.options, players=len(round.order), last=last)
    direction = -round.direction if effect.turns_round else round.direction
    played = CardPlayed(
        seat=seat,
        card=card,
        color=color,
        direction=direction,
        turn=round.seat_after(seat, effect.steps, direction),
        pending=_pending(effect, last),
        uno=command.uno,
        last=last,
        judged_color=round.color if effect.penalty else None,
        penalty=effect.penalty,
    )
    if effect.draws or (last and not effect.penalty):
        return _settled(match, played, effect, context)
    return (played,)


def _pending(effect: Effect, last: bool) -> Pending:
    """A penalty is answered first, after a last card too (END-2)."""
    if effect.penalty:
        return Pending.PENALTY
    return Pending.NONE if last else Pending.TURN


def _settled(
    match: Match, played: CardPlayed, effect: Effect, context: Context
) -> tuple[Event, ...]:
    """The play with what follows at once: the next seat's draw (D2-1), the count (END-2, END-5)."""
    draft = Draft(match)
    draft.add(played)
    if effect.draws:
        victim = draft.round.seat_after(played.seat, 1, played.direction)
        draw(draft, victim, effect.draws, effect.reason)
    if played.last:
        end_round(draft, played.seat, context)
    return draft.events


def may_be_laid(card: Card, round: Round, match: Match) -> bool:
    """A wild draw four may be bluffed, unless the match is strict about it (WD4-1, WD4-2)."""
    return (
        card is not Card.W4
        or match.options.wild_draw_four is WildDrawFour.BLUFF
        or not holds_color(round.hands[round.turn], round.color)
    )
