"""The cards: a card is its face, and its code is the same token in Python, JSON, SQL and docs.

Not here: which cards a deck holds (``domain.editions``), nor where a card lies.
"""

from __future__ import annotations

from enum import StrEnum


class Color(StrEnum):
    """A color to follow. Declaration order is the canonical deck's (docs/deal.md)."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"


class Face(StrEnum):
    """What a card shows beside its color: a number or a symbol."""

    ZERO = "0"
    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    SKIP = "skip"
    REVERSE = "reverse"
    DRAW_TWO = "draw_two"
    WILD = "wild"
    WILD_DRAW_FOUR = "wild_draw_four"
    WILD_SHUFFLE_HANDS = "wild_shuffle_hands"
    WILD_CUSTOMIZABLE = "wild_customizable"


_LETTERS = {
    "R": Color.RED,
    "Y": Color.YELLOW,
    "G": Color.GREEN,
    "B": Color.BLUE,
}
_SYMBOLS = {"S": Face.SKIP, "R": Face.REVERSE, "D": Face.DRAW_TWO}
_WILDS = {
    "W": (Face.WILD, 50),
    "W4": (Face.WILD_DRAW_FOUR, 50),
    "WS": (Face.WILD_SHUFFLE_HANDS, 40),
    "WC": (Face.WILD_CUSTOMIZABLE, 40),
}
"""Faces and points (VAL-1, VAL-2)."""


class Card(StrEnum):
    """One of the faces of a deck (DECK-1, DECK-2), with its color, face and points (VAL-1, VAL-2).

    Codes: color letter ``R Y G B`` + ``0``-``9``, ``S`` skip, ``R`` reverse, ``D`` draw two;
    ``W`` wild, ``W4`` wild draw four, ``WS`` wild shuffle hands, ``WC`` wild customizable.
    ``color`` is None for a wild.
    """

    color: Color | None
    face: Face
    points: int
    is_wild: bool

    def __new__(cls, code: str) -> Card:
        """Read color, face and points off the code."""
        card = str.__new__(cls, code)
        card._value_ = code
        if code in _WILDS:
            card.color, (card.face, card.points) = None, _WILDS[code]
        elif code[1].isdigit():
            card.color, card.face, card.points = _LETTERS[code[0]], Face(code[1]), int(code[1])
        else:
            card.color, card.face, card.points = _LETTERS[code[0]], _SYMBOLS[code[1]], 20
        card.is_wild = card.color is None
        return card

    R0 = "R0"
    R1 = "R1"
    R2 = "R2"
    R3 = "R3"
    R4 = "R4"
    R5 = "R5"
    R6 = "R6"
    R7 = "R7"
    R8 = "R8"
    R9 = "R9"
    RS = "RS"
    RR = "RR"
    RD = "RD"
    Y0 = "Y0"
    Y1 = "Y1"
    Y2 = "Y2"
    Y3 = "Y3"
    Y4 = "Y4"
    Y5 = "Y5"
    Y6 = "Y6"
    Y7 = "Y7"
    Y8 = "Y8"
    Y9 = "Y9"
    YS = "YS"
    YR = "YR"
    YD = "YD"
    G0 = "G0"
    G1 = "G1"
    G2 = "G2"
    G3 = "G3"
    G4 = "G4"
    G5 = "G5"
    G6 = "G6"
    G7 = "G7"
    G8 = "G8"
    G9 = "G9"
    GS = "GS"
    GR = "GR"
    GD = "GD"
    B0 = "B0"
    B1 = "B1"
    B2 = "B2"
    B3 = "B3"
    B4 = "B4"
    B5 = "B5"
    B6 = "B6"
    B7 = "B7"
    B8 = "B8"
    B9 = "B9"
    BS = "BS"
    BR = "BR"
    BD = "BD"
    W = "W"
    W4 = "W4"
    WS = "WS"
    WC = "WC"


Hand = tuple[Card, ...]


def points_of(hand: Hand) -> int:
    """The value of a hand (VAL-1)."""
    return sum(card.points for card in hand)
