"""The faces of the decks with their names in both languages."""

from __future__ import annotations

from collections import Counter
from typing import Final

from domain.cards import Card, Color, Face
from domain.editions import DECKS, Edition
from domain.rulebook.entries import CardEntry, Text

_ENGLISH: Final = {
    Face.SKIP: "Skip",
    Face.REVERSE: "Reverse",
    Face.DRAW_TWO: "Draw Two",
    Face.WILD: "Wild",
    Face.WILD_DRAW_FOUR: "Wild Draw Four",
    Face.WILD_SHUFFLE_HANDS: "Wild Shuffle Hands",
    Face.WILD_CUSTOMIZABLE: "Wild Customizable",
}
_FRENCH: Final = {
    Face.SKIP: "Passer",
    Face.REVERSE: "Inversion",
    Face.DRAW_TWO: "+2",
    Face.WILD: "Joker",
    Face.WILD_DRAW_FOUR: "Joker +4",
    Face.WILD_SHUFFLE_HANDS: "Joker mélange des mains",
    Face.WILD_CUSTOMIZABLE: "Joker à personnaliser",
}
_FRENCH_COLORS: Final = {
    Color.RED: ("rouge", "rouge"),
    Color.YELLOW: ("jaune", "jaune"),
    Color.GREEN: ("vert", "verte"),
    Color.BLUE: ("bleu", "bleue"),
}
"""Masculine and feminine: an Inversion is feminine."""


def _names(card: Card) -> Text:
    """What a card is called."""
    english, french = _ENGLISH.get(card.face, card.face), _FRENCH.get(card.face, card.face)
    if card.color is None:
        return Text(english, french)
    masculine, feminine = _FRENCH_COLORS[card.color]
    color = feminine if card.face is Face.REVERSE else masculine
    return Text(f"{card.color.capitalize()} {english}", f"{french} {color}")


def _editions(card: Card) -> tuple[Edition, ...]:
    """The decks that hold a card."""
    return tuple(edition for edition, deck in DECKS.items() if card in deck)


_COPIES: Final = Counter(DECKS[Edition.MODERN_112])
CARDS: Final = tuple(
    CardEntry(
        card, card.color, card.face, card.points, _COPIES[card], _names(card), _editions(card)
    )
    for card in Card
)
