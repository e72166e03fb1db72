"""The service's bots: policies over what any client of the seat would get.

That is the view of the seat, and for who remembers the public events before it. Bots know nothing
else, and chance comes to them in bytes: the same view, events and bytes, the same move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from domain.bots import chance, sharp, steady
from domain.bots.dice import Dice
from domain.bots.memory import NOTHING, Memory
from domain.bots.reading import you
from domain.commands import PlayerCommand
from domain.events import BotLevel
from domain.views import SeatView

__all__ = ["POLICIES", "Dice", "Memory", "Policy", "choose", "remembers"]

Policy = Callable[[SeatView, Dice, Memory], PlayerCommand | None]
POLICIES: Final[Mapping[BotLevel, Policy]] = {
    BotLevel.RANDOM: lambda view, dice, _: chance.choose(view, dice),
    BotLevel.STEADY: lambda view, dice, _: steady.choose(view, dice),
    BotLevel.SHARP: lambda view, _, memory: sharp.choose(view, memory),
}


def choose(view: SeatView, dice: Dice, memory: Memory = NOTHING) -> PlayerCommand | None:
    """What the bot of the view's seat does now, at its level; None if it has nothing to do."""
    return POLICIES[_level(view)](view, dice, memory)


def remembers(view: SeatView) -> bool:
    """Whether the bot of the view's seat plays by what happened before, too."""
    return _level(view) is BotLevel.SHARP


def _level(view: SeatView) -> BotLevel:
    return view.seats[you(view).seat].bot or BotLevel.RANDOM
