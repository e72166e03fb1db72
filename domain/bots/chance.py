"""The policy ``random``: it plays what it may, forgets UNO now and then, and doubts at times."""

from __future__ import annotations

from domain.bots.dice import Dice
from domain.bots.reading import completed, legal, of_kind, owes_uno, plays
from domain.cards import Color
from domain.commands import (
    AcceptPenalty,
    CallOut,
    CallUno,
    CatchUno,
    Challenge,
    ChooseColor,
    DrawCard,
    PassTurn,
    PlayerCommand,
)
from domain.views import SeatView


def choose(view: SeatView, dice: Dice) -> PlayerCommand | None:
    """What to do now; None if there is nothing, or nothing the bot cares to do."""
    if (calls := of_kind(view, CallOut)) and dice.happens(1, of=2):
        return dice.pick(calls)
    said = _about_uno(view, dice)
    if said is not None:
        return said
    if of_kind(view, Challenge) and dice.happens(1, of=4):
        return Challenge()
    if of_kind(view, AcceptPenalty):
        return _accept_or_pass_on(view, dice)
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


def _accept_or_pass_on(view: SeatView, dice: Dice) -> PlayerCommand:
    """A penalty that can be passed on is so two times in three."""
    if plays(view) and dice.happens(2, of=3):
        return _play(view, dice)
    return AcceptPenalty()


def _turn(view: SeatView, dice: Dice) -> PlayerCommand | None:
    """A card nine times in ten if one can be played; else draw, or pass."""
    others = [one for one in legal(view) if isinstance(one, DrawCard | PassTurn)]
    if plays(view) and (not others or dice.happens(9, of=10)):
        return _play(view, dice)
    return dice.pick(others) if others else None


def _play(view: SeatView, dice: Dice) -> PlayerCommand:
    """Any card that can be played, and mostly UNO with it where it is owed."""
    uno = owes_uno(view) and dice.happens(9, of=10)
    return completed(dice.pick(plays(view)), dice.pick(tuple(Color)), uno)
