"""Which cards a deck holds, in the canonical order that every shuffle starts from."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from domain.cards import Card, Color


class Edition(StrEnum):
    """A named deck (DECK-1, DECK-2)."""

    CLASSIC_108 = "classic-108"
    MODERN_112 = "modern-112"


def _classic_108() -> tuple[Card, ...]:
    """By color in order of ``Color``: one 0, two each of 1-9, S, R, D; then the wilds (DECK-1)."""
    deck: list[Card] = []
    for color in Color:
        letter = color[0].upper()
        deck.append(Card(letter + "0"))
        for face in "123456789SRD":
            deck += [Card(letter + face)] * 2
    return (*deck, *[Card.W] * 4, *[Card.W4] * 4)


def _modern_112() -> tuple[Card, ...]:
    """The classic deck with four more wilds (DECK-2)."""
    return (*_classic_108(), Card.WS, *[Card.WC] * 3)


DECKS: Final = {Edition.CLASSIC_108: _classic_108(), Edition.MODERN_112: _modern_112()}
