"""The policy ``sharp``: it counts cards, plays for what opponents lack, and weighs challenges."""

from __future__ import annotations

from typing import Final

from domain.bots.memory import Memory
from domain.bots.odds import Odds
from domain.bots.reading import legal, of_kind, owes_uno, plays, seat_before, you
from domain.bots.worth import Worth
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
    PlayCard,
    PlayerCommand,
)
from domain.events import BotLevel
from domain.views import SeatView

BLUFFS: Final = {BotLevel.RANDOM: 0.6, BotLevel.STEADY: 0.0, BotLevel.SHARP: 0.4, None: 0.15}
"""By who plays a seat: how readily it lays a wild draw four while it holds the color, against how
readily it does otherwise. The service's bots are known for it; a person may or may not."""
_EXTRA: Final = 2
"""Cards that a wrong challenge costs beyond the penalty (WD4-6)."""
_TURN_KEPT: Final = 3
"""What the turn that a right challenge keeps is worth, in cards (WD4-5)."""


def choose(view: SeatView, memory: Memory) -> PlayerCommand | None:
    """What to do now; None if there is nothing."""
    if calls := of_kind(view, CallOut):
        return calls[0]
    if of_kind(view, CallUno) and not owes_uno(view):
        return CallUno()
    if catches := of_kind(view, CatchUno):
        return catches[0]
    if of_kind(view, ChooseColor):
        return ChooseColor(_best_color(view))
    others = [one for one in legal(view) if isinstance(one, DrawCard | PassTurn | AcceptPenalty)]
    choices = plays(view)
    if not choices and not others:
        return None
    odds = Odds(view, memory)
    if choices:
        worth = Worth(view, odds)
        value, best = worth.best(choices)
        if not others or value > _otherwise(worth, others[0]):
            return PlayCard(best.card, best.color, owes_uno(view), best.swap_with)
    if of_kind(view, Challenge) and _is_doubtful(view, odds, memory):
        return Challenge()
    return others[0]


def _otherwise(worth: Worth, other: PlayerCommand) -> float:
    """What it is worth to play no card; a penalty that can be passed on always is."""
    if isinstance(other, AcceptPenalty):
        return float("-inf")
    return worth.weights.draw if isinstance(other, DrawCard) else worth.weights.keep


def _best_color(view: SeatView) -> Color:
    """The color with most cards of the hand, by number and then by points."""
    hand = you(view).hand

    def strength(color: Color) -> tuple[int, int]:
        held = [card.points for card in hand if card.color is color]
        return len(held), sum(held)

    return max(Color, key=strength)


def _is_doubtful(view: SeatView, odds: Odds, memory: Memory) -> bool:
    """Whether a challenge saves more cards than it costs, on average (WD4-5, WD4-6)."""
    author = view.seats[seat_before(view, you(view).seat)]
    if memory.judged is None or author.cards == 0:
        return False
    held = odds.holds(author.seat, memory.judged)
    bluffed = held * BLUFFS[author.bot]
    honest = 1 - held
    saved = (view.pending.amount or 0) + _TURN_KEPT
    return bluffed * saved > honest * _EXTRA
