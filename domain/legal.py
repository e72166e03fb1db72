"""What a seat may do now: every command that ``domain.decide`` would accept from it.

Not here: ``add_seed`` and ``leave``, which are open to every seat in play all the time.
"""

from __future__ import annotations

from typing import Final

from domain.cards import Card, Color
from domain.commands import (
    AcceptPenalty,
    CallUno,
    CatchUno,
    Challenge,
    ChooseColor,
    DrawCard,
    PassTurn,
    PlayCard,
    PlayerCommand,
)
from domain.events import Pending, Seat
from domain.limits import SEATS_MAX
from domain.match import Match, Round
from domain.matching import fitting
from domain.moves.draw import any_fits, may_keep
from domain.moves.play import may_be_laid
from domain.moves.uno import may_call, may_say_with_play

Commands = tuple[PlayerCommand, ...]


def legal_commands(match: Match, seat: Seat) -> Commands:
    """All game commands open to a seat: a wild once a color, UNO said with it or not."""
    round = match.round
    if round is None or seat not in round.order:
        return ()
    legal = _WHEN[round.pending](match, round) if seat == round.turn else ()
    if may_call(round, seat):
        legal += _CALL
    owed = round.uno_owed
    if owed is not None and owed != seat:
        legal += _CATCHES[owed]
    return legal


def _turn(match: Match, round: Round) -> Commands:
    """Play, draw or pass; after drawing, the drawn card or pass."""
    if not round.has_drawn:
        if round.drawable:
            return _plays(match, round, round.hands[round.turn]) + _DRAW
        return _plays(match, round, round.hands[round.turn]) + (() if any_fits(round) else _PASS)
    assert round.drawn_card is not None, "who has drawn holds the card"
    plays = _plays(match, round, (round.drawn_card,))
    return plays + _PASS if may_keep(round, match) else plays


def _plays(match: Match, round: Round, cards: tuple[Card, ...]) -> Commands:
    """The plays of these cards of the seat to move, each face once."""
    fits = fitting(round)
    plays = _PLAYS_WITH_UNO if may_say_with_play(round, round.turn) else _PLAYS
    legal: Commands = ()
    for card in dict.fromkeys(cards):
        if card in fits and may_be_laid(card, round, match):
            legal += plays[card]
    return legal


def _color(match: Match, round: Round) -> Commands:
    return _COLORS


def _penalty(match: Match, round: Round) -> Commands:
    return _ANSWERS


def _nothing(match: Match, round: Round) -> Commands:
    return ()


_WHEN: Final = {
    Pending.TURN: _turn,
    Pending.COLOR: _color,
    Pending.PENALTY: _penalty,
    Pending.NONE: _nothing,
}

_DRAW: Final[Commands] = (DrawCard(),)
_PASS: Final[Commands] = (PassTurn(),)
_CALL: Final[Commands] = (CallUno(),)
_COLORS: Final[Commands] = tuple(ChooseColor(color) for color in Color)
_ANSWERS: Final[Commands] = (AcceptPenalty(), Challenge())
_CATCHES: Final[tuple[Commands, ...]] = tuple((CatchUno(Seat(at)),) for at in range(SEATS_MAX))


def _plays_of(card: Card, uno: bool) -> Commands:
    if card.is_wild:
        return tuple(PlayCard(card, color, uno) for color in Color)
    return (PlayCard(card, uno=uno),)


_PLAYS: Final = {card: _plays_of(card, False) for card in Card}
_PLAYS_WITH_UNO: Final = {card: _PLAYS[card] + _plays_of(card, True) for card in Card}
