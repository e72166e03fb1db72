"""Playing a card: matching, effects, going out."""

from __future__ import annotations

from typing import Final

from domain.cards import Card
from domain.commands import Actor, Context, PlayCard
from domain.effect import Effect
from domain.effects import effect_of
from domain.events import CardPlayed, Event, Pending, Seat
from domain.facts.turns import running
from domain.match import Match, Round
from domain.matching import fitting, holds_color
from domain.moves.draft import Draft
from domain.moves.enforcement import require_that_it_may_be_unfit, victim_of
from domain.moves.grace import grace_from
from domain.moves.hands import move_hands, require_partner
from domain.moves.piles import draw
from domain.moves.round_end import end_round
from domain.moves.stacking import stacked
from domain.moves.uno import may_say_with_play, owes_with_play
from domain.moves.who_plays import who_plays
from domain.options import WildDrawFour
from domain.refusals import Refusal, RuleViolation, require


def play_card(match: Match, actor: Actor, command: PlayCard, context: Context) -> tuple[Event, ...]:
    """Lay a card on the discard pile (TURN-1, TURN-2)."""
    round, seat = who_plays(match, actor, command, context)
    card, hand = command.card, round.hands[seat]
    last = len(hand) == 1
    require(card in hand, Refusal.CARD_MUST_BE_IN_HAND)
    require(not round.has_drawn or card is round.drawn_card, Refusal.CARD_MUST_BE_THE_DRAWN_ONE)
    unfit = card not in fitting(round)
    if unfit:
        require_that_it_may_be_unfit(match, last)
    color = card.color or command.color
    if color is None:
        raise RuleViolation(Refusal.WILD_MUST_NAME_A_COLOR)
    require(card.is_wild or command.color is None, Refusal.COLOR_MUST_BE_THE_CARDS)
    require(may_be_laid(card, round, match), Refusal.WILD_DRAW_FOUR_MUST_BE_LEGAL)
    require(not command.uno or may_say_with_play(round, seat), Refusal.UNO_MUST_BE_OWED)
    effect = effect_of(card.face, match.options, players=len(round.order), last=last)
    if effect.hands is not None or command.swap_with is not None:
        require_partner(round, seat, effect, command.swap_with)

    is_silent = not command.uno and _owes_uno(round, seat, effect)
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
        judged_color=round.color if effect.judged else None,
        penalty=effect.penalty and effect.penalty + stacked(round),
        unfit=unfit,
        victim=victim_of(round, seat, effect, direction) if unfit else None,
        not_before=grace_from(match, context) if unfit or is_silent else None,
    )
    if not (last or effect.is_at_once) or unfit or (last and effect.penalty):
        return (played,)
    return _settled(match, played, effect, command, context)


def _owes_uno(round: Round, seat: Seat, effect: Effect) -> bool:
    """Whether UNO is owed with the play (UNO-1), which it never is if hands change (UNO-6)."""
    return effect.hands is None and owes_with_play(round, seat)


def _pending(effect: Effect, last: bool) -> Pending:
    """A penalty is answered first, after a last card too (END-2)."""
    if effect.penalty:
        return _PENALTY
    return _NONE if last else _TURN


def _settled(
    match: Match, played: CardPlayed, effect: Effect, command: PlayCard, context: Context
) -> tuple[Event, ...]:
    """The play with what follows at once: draws (D2-1), other hands, the count (END-2, END-5)."""
    draft = Draft(match)
    draft.add(played)
    if effect.draws:
        victim = draft.round.seat_after(played.seat, 1, played.direction)
        draw(draft, victim, effect.draws + stacked(running(match)), effect.reason)
    if effect.others_draw:
        for victim in others_from_the_next(draft.round, played.seat):
            draw(draft, victim, effect.others_draw, effect.reason)
    if effect.hands is not None:
        move_hands(draft, played.seat, effect.hands, command.swap_with)
    if played.last:
        end_round(draft, played.seat, context)
    return draft.events


def others_from_the_next(round: Round, seat: Seat) -> tuple[Seat, ...]:
    """Everybody else of the round, in the direction of play."""
    steps = range(1, len(round.order))
    return tuple(round.seat_after(seat, step, round.direction) for step in steps)


def may_be_laid(card: Card, round: Round, match: Match) -> bool:
    """A wild draw four may be bluffed, unless the match is strict about it (WD4-1, WD4-2)."""
    return (
        card is not _W4
        or match.options.wild_draw_four is _BLUFF
        or not holds_color(round.hands[round.turn], round.color)
    )


_W4: Final = Card.W4
_BLUFF: Final = WildDrawFour.BLUFF
_PENALTY: Final = Pending.PENALTY
_NONE: Final = Pending.NONE
_TURN: Final = Pending.TURN
