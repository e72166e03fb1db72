"""The policy ``random``: it plays what it may, forgets UNO now and then, and doubts at times."""

from __future__ import annotations

from domain.bots.dice import Dice
from domain.bots.reading import completed, legal, of_kind, owes_uno
from domain.cards import Color
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
from domain.views import SeatView


def choose(view: SeatView, dice: Dice) -> PlayerCommand | None:
    """What to do now; None if there is nothing, or nothing the bot cares to do."""
    said = _about_uno(view, dice)
    if said is not None:
        return said
    if of_kind(view, Challenge) and dice.happens(1, of=4):
        return Challenge()
    if of_kind(view, AcceptPenalty):
        return AcceptPenalty()
    if colors := of_kind(view, ChooseColor):
        return dice.pick(colors)
    return _turn(view, dice)


def _about_uno(view: SeatView, dice: Dice) -> PlayerCommand | None:
    """A late call nine times in ten, a catch every other time; else UNO is said with the play."""
    if of_kind(view, CallUno) and not owes_uno(view) and dice.happens(9, of=10):
        return CallUno()
    if (catches := of_kind(view, CatchUno)) and dice.happens(1, of=2):
        return dice.pick(catches)
    return None


def _turn(view: SeatView, dice: Dice) -> PlayerCommand | None:
    """A card nine times in ten if one can be played; else draw, or pass."""
    plays = of_kind(view, PlayCard)
    others = [one for one in legal(view) if isinstance(one, DrawCard | PassTurn)]
    if plays and (not others or dice.happens(9, of=10)):
        uno = owes_uno(view) and dice.happens(9, of=10)
        return completed(dice.pick(plays), dice.pick(tuple(Color)), uno)
    return dice.pick(others) if others else None
