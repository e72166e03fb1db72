"""What a seat may do now: every command that ``domain.decide`` would accept from it.

Not here: ``add_seed`` and ``leave``, which are open to every seat in play all the time, nor
``penalize_advice``, which is the host's.
"""

from __future__ import annotations

from typing import Final

from domain.cards import Card, Color
from domain.commands import (
    AcceptPenalty,
    CallOut,
    CallUno,
    CatchUno,
    Challenge,
    ChooseColor,
    DrawCard,
    PassTurn,
    PlayCard,
    PlayerCommand,
)
from domain.effects import may_swap
from domain.events import Pending, Seat
from domain.facts.turns import running
from domain.limits import SEATS_MAX
from domain.match import Match, Round
from domain.matching import fitting
from domain.moves.answer import is_judged
from domain.moves.draw import any_fits, may_keep
from domain.moves.enforcement import may_be_tried, stood
from domain.moves.force_play import has_to_play
from domain.moves.hands import swaps_named
from domain.moves.jump_in import may_jump_in
from domain.moves.play import may_be_laid
from domain.moves.stacking import answers
from domain.moves.uno import may_call, may_say_with_play
from domain.options import Enforcement

Commands = tuple[PlayerCommand, ...]


def legal_commands(match: Match, seat: Seat) -> Commands:
    """All game commands open to a seat: a wild once a color, UNO said with it or not."""
    round = match.round
    if round is None or seat not in round.order:
        return ()
    if seat == round.turn:
        legal = _WHEN[round.pending](match, round)
    else:
        legal = _out_of_turn(match, round, seat)
    if may_call(round, seat, match):
        legal += _CALL
    if round.unfit is not None and round.unfit.author != seat:
        legal += _CALL_OUTS[round.unfit.author]
    owed = round.uno_owed
    if owed is not None and owed != seat:
        legal += _CATCHES[owed]
    return legal


def _out_of_turn(match: Match, round: Round, seat: Seat) -> Commands:
    """Jump in with the twin of the top card (HOUSE-3)."""
    if may_jump_in(round, seat, match) and round.top in round.hands[seat]:
        return _plays(match, round, seat, (round.top,))
    return ()


def _turn(match: Match, round: Round) -> Commands:
    """Play, draw or pass; after drawing, the drawn card or pass."""
    seat = round.turn
    if round.unfit is not None:
        match = stood(match)[0]
        round = running(match)
    if not round.has_drawn:
        if round.drawable:
            plays = _plays(match, round, seat, round.hands[seat])
            return plays if match.options.force_play and has_to_play(round) else plays + _DRAW
        return _plays(match, round, seat, round.hands[seat]) + (() if any_fits(round) else _PASS)
    assert round.drawn_card is not None, "who has drawn holds the card"
    plays = _plays(match, round, seat, (round.drawn_card,))
    return plays + _PASS if may_keep(round, match) else plays


def _plays(match: Match, round: Round, seat: Seat, cards: tuple[Card, ...]) -> Commands:
    """The plays of these cards of a seat, each face once."""
    fits = may_be_tried(round, seat) if match.options.enforcement is _TABLE else fitting(round)
    plays = _PLAYS_WITH_UNO if may_say_with_play(round, seat) else _PLAYS
    legal: Commands = ()
    for card in dict.fromkeys(cards):
        if card in fits and (card is not _W4 or may_be_laid(card, round, match)):
            legal += plays[card]
    return swaps_named(legal, match, round, seat) if legal and may_swap(match.options) else legal


def _color(match: Match, round: Round) -> Commands:
    return _COLORS


def _penalty(match: Match, round: Round) -> Commands:
    """Accept, challenge where the last card can be, or pass the penalty on (HOUSE-1)."""
    assert round.penalty is not None, "a penalty is pending"
    legal = _ANSWERS if is_judged(round.penalty) else _ACCEPT
    may_answer = answers(round, match)
    if may_answer:
        seat = round.turn
        held = tuple(card for card in round.hands[seat] if card in may_answer)
        return _plays(match, round, seat, held) + legal
    return legal


def _nothing(match: Match, round: Round) -> Commands:
    return ()


_WHEN: Final = {
    Pending.TURN: _turn,
    Pending.COLOR: _color,
    Pending.PENALTY: _penalty,
    Pending.NONE: _nothing,
}

_W4: Final = Card.W4
_TABLE: Final = Enforcement.TABLE
_DRAW: Final[Commands] = (DrawCard(),)
_PASS: Final[Commands] = (PassTurn(),)
_CALL: Final[Commands] = (CallUno(),)
_COLORS: Final[Commands] = tuple(ChooseColor(color) for color in Color)
_ACCEPT: Final[Commands] = (AcceptPenalty(),)
_ANSWERS: Final[Commands] = (AcceptPenalty(), Challenge())
_CALL_OUTS: Final[tuple[Commands, ...]] = tuple((CallOut(Seat(at)),) for at in range(SEATS_MAX))
_CATCHES: Final[tuple[Commands, ...]] = tuple((CatchUno(Seat(at)),) for at in range(SEATS_MAX))


def _plays_of(card: Card, uno: bool) -> Commands:
    if card.is_wild:
        return tuple(PlayCard(card, color, uno) for color in Color)
    return (PlayCard(card, uno=uno),)


_PLAYS: Final = {card: _plays_of(card, False) for card in Card}
_PLAYS_WITH_UNO: Final = {card: _PLAYS[card] + _plays_of(card, True) for card in Card}
