"""The service's bots: policies over the view that any client of the seat would get.

They know nothing else, and chance comes to them in bytes: the same view and bytes, the same move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from domain.bots import chance, steady
from domain.bots.dice import Dice
from domain.bots.reading import you
from domain.commands import PlayerCommand
from domain.events import BotLevel
from domain.views import SeatView

__all__ = ["POLICIES", "Dice", "Policy", "choose"]

Policy = Callable[[SeatView, Dice], PlayerCommand | None]
POLICIES: Final[Mapping[BotLevel, Policy]] = {
    BotLevel.RANDOM: chance.choose,
    BotLevel.STEADY: steady.choose,
}


def choose(view: SeatView, dice: Dice) -> PlayerCommand | None:
    """What the bot of the view's seat does now, at its level; None if it has nothing to do."""
    level = view.seats[you(view).seat].bot
    return POLICIES[level or BotLevel.RANDOM](view, dice)
