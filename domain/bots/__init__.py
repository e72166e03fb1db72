"""The service's bots: policies over the view that any client of the seat would get.

They know nothing else, and chance comes to them in bytes: the same view and bytes, the same move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from domain.bots import chance, steady
from domain.bots.dice import Dice
from domain.bots.reading import completed, favorite_color, legal, owes_uno, you
from domain.commands import CatchUno, PlayCard, PlayerCommand
from domain.events import BotLevel
from domain.views import SeatView

__all__ = ["POLICIES", "Dice", "Policy", "choose", "plain"]

Policy = Callable[[SeatView, Dice], PlayerCommand | None]
POLICIES: Final[Mapping[BotLevel, Policy]] = {
    BotLevel.RANDOM: chance.choose,
    BotLevel.STEADY: steady.choose,
}


def choose(level: BotLevel, view: SeatView, dice: Dice) -> PlayerCommand | None:
    """What a bot of this level does now; None if it has nothing to do."""
    return POLICIES[level](view, dice)


def plain(view: SeatView) -> PlayerCommand | None:
    """A legal command without any thought: the way on where a policy was refused or failed."""
    for command in legal(view):
        if isinstance(command, PlayCard):
            return completed(command, favorite_color(you(view).hand), owes_uno(view))
        if not isinstance(command, CatchUno):
            return command
    return None
