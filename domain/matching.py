"""Which cards fit on which: the one place where TURN-1 is stated.

Not here: whether a wild draw four that fits is also legal to the letter (WD4-1), which the
moves ask of ``holds_color``.
"""

from __future__ import annotations

from typing import Final

from domain.cards import Card, Color, Face, Hand
from domain.match import Round


def matches(card: Card, color: Color, face: Face) -> bool:
    """A wild fits on everything; any other card shares the color in force or the top's face."""
    return card.is_wild or card.color is color or card.face is face


FITTING: Final = {
    color: {face: frozenset(card for card in Card if matches(card, color, face)) for face in Face}
    for color in Color
}
"""By color in force and face on top: the cards that fit."""


def fitting(round: Round) -> frozenset[Card]:
    """The cards that fit now; asked only while a color is in force."""
    color = round.color
    assert color is not None, "an opening wild's color is named before any play (FIRST-4)"
    return FITTING[color][round.discard[-1].face]


def holds_color(hand: Hand, color: Color | None) -> bool:
    """Whether a hand holds a card of the color: then a wild draw four is illegal (WD4-1, WD4-8)."""
    return any(card.color is color for card in hand)
