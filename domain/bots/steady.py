"""The policy ``steady``: it keeps to the color, saves its wilds, and never forgets UNO."""

from __future__ import annotations

from domain.bots.dice import Dice
from domain.bots.reading import (
    color_counts,
    completed,
    favorite_color,
    legal,
    of_kind,
    owes_uno,
    plays,
    seat_before,
    you,
)
from domain.cards import Card
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
from domain.views import SeatView

_MANY_CARDS = 5
"""An author with so many cards may well have held the color."""


def choose(view: SeatView, dice: Dice) -> PlayerCommand | None:
    """What to do now; None if there is nothing."""
    if calls := of_kind(view, CallOut):
        return calls[0]
    if of_kind(view, CallUno) and not owes_uno(view):
        return CallUno()
    if catches := of_kind(view, CatchUno):
        return catches[0]
    if of_kind(view, AcceptPenalty):
        return _answer(view, dice)
    if of_kind(view, ChooseColor):
        return ChooseColor(favorite_color(you(view).hand))
    return _turn(view)


def _answer(view: SeatView, dice: Dice) -> PlayerCommand:
    """Pass it on; else doubt one wild draw four in six, where its author holds many cards."""
    if honest := _honest(view):
        return _best(view, honest)
    author = view.seats[seat_before(view, you(view).seat)]
    doubts = author.cards >= _MANY_CARDS and dice.happens(1, of=6)
    return Challenge() if doubts and of_kind(view, Challenge) else AcceptPenalty()


def _turn(view: SeatView) -> PlayerCommand | None:
    """The best card, if one is worth playing; else draw, or pass."""
    others = [one for one in legal(view) if isinstance(one, DrawCard | PassTurn)]
    honest = _honest(view)
    if honest or (plays(view) and not others):
        return _best(view, honest or plays(view))
    return others[0] if others else None


def _honest(view: SeatView) -> list[PlayCard]:
    """The plays that are no bluff."""
    return [play for play in plays(view) if not _is_bluff(view, play.card)]


def _best(view: SeatView, choices: list[PlayCard]) -> PlayCard:
    """The play that gives least away; hands are swapped with who holds the fewest cards."""
    best = min(choices, key=lambda play: (_cost(view, play.card), _swapped(view, play)))
    rest = tuple(card for card in you(view).hand if card is not best.card)
    return completed(best, favorite_color(rest), owes_uno(view))


def _swapped(view: SeatView, play: PlayCard) -> int:
    """How many cards a swap brings; none without one."""
    return 0 if play.swap_with is None else view.seats[play.swap_with].cards


def _is_bluff(view: SeatView, card: Card) -> bool:
    """A wild draw four while holding the color in force (WD4-1)."""
    return card is Card.W4 and any(held.color is view.color for held in you(view).hand)


def _cost(view: SeatView, card: Card) -> tuple[bool, int, bool, int, int]:
    """What a play gives away, least first: wilds, the color, colors held little of, low cards."""
    held = 0 if card.color is None else color_counts(you(view).hand)[card.color]
    return card.is_wild, card is Card.W4, card.color is not view.color, -held, -card.points
