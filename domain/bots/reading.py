"""What the policies read off a view: the hand, and what may be done with it.

A policy gets the view that a client of that seat gets, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from typing import TypeVar

from msgspec import UnsetType

from domain.cards import Card, Color, Hand
from domain.commands import PlayCard, PlayerCommand
from domain.events import Seat
from domain.views import SeatView, You

C = TypeVar("C", bound=PlayerCommand)


def you(view: SeatView) -> You:
    """The seat's own part of the view."""
    assert not isinstance(view.you, UnsetType), "a policy plays a seat's view"
    return view.you


def legal(view: SeatView) -> tuple[PlayerCommand, ...]:
    """What the seat may do; a wild stands there once, without its color."""
    return () if isinstance(view.legal, UnsetType) else view.legal


def of_kind(view: SeatView, kind: type[C]) -> list[C]:
    """The legal commands of one kind."""
    return [command for command in legal(view) if isinstance(command, kind)]


def plays(view: SeatView) -> list[PlayCard]:
    """The plays of the own turn whose cards fit: bots neither jump in nor try their luck."""
    if view.turn != you(view).seat:
        return []
    return [play for play in of_kind(view, PlayCard) if _fits(view, play.card)]


def _fits(view: SeatView, card: Card) -> bool:
    """Whether a card matches the color in force or the top card (TURN-1)."""
    return (
        card.is_wild
        or card.color is view.color
        or (view.top is not None and card.face is view.top.face)
    )


def owes_uno(view: SeatView) -> bool:
    """Whether the next play is the second-to-last card and UNO has not been said yet (UNO-1)."""
    mine = you(view)
    return len(mine.hand) == 2 and not view.seats[mine.seat].uno


def color_counts(hand: Hand) -> Counter[Color]:
    """How many cards of each color a hand holds; wilds have none."""
    return Counter(card.color for card in hand if card.color is not None)


def favorite_color(hand: Hand) -> Color:
    """The color a hand holds most of; the first in order of ``Color`` where several do."""
    counts = color_counts(hand)
    return max(Color, key=lambda color: counts[color])


def completed(play: PlayCard, color: Color, uno: bool) -> PlayCard:
    """A play ready to send: a wild names its color, and UNO is said where it should be."""
    return PlayCard(play.card, color if play.card.is_wild else None, uno, play.swap_with)


def seat_before(view: SeatView, seat: Seat) -> Seat:
    """Who moved before ``seat`` in the present direction."""
    order = view.order
    return order[(order.index(seat) - (view.direction or 1)) % len(order)]
