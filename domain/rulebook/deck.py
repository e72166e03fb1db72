"""Chapter 1: cards and values."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

DECK: Final = chapter(
    1,
    Text("Cards and values", "Cartes et valeurs"),
    (
        "DECK-1",
        "The classic deck has 108 cards. Each color, red, yellow, green and blue, has one 0 and"
        " two each of 1 to 9, Draw Two, Skip and Reverse; four Wilds and four Wild Draw Fours are"
        " added.",
        "Le paquet classique compte 108 cartes. Chaque couleur, rouge, jaune, vert et bleu, a un 0"
        " et deux exemplaires de 1 à 9, de +2, de Passer et d’Inversion ; s’y ajoutent quatre"
        " Jokers et quatre Jokers +4.",
        "S0 S1 S3 S4",
    ),
    (
        "DECK-2",
        "The modern deck, modern-112, adds one Wild Shuffle Hands and three Wild Customizables.",
        "Le paquet moderne, modern-112, ajoute un Joker mélange des mains et trois Jokers à"
        " personnaliser.",
        "S2 S4 decision",
    ),
    (
        "DECK-3",
        "Cards have no identity beyond their face: equal faces are interchangeable. Hands, draw"
        " pile and discard pile together are the whole deck at every moment.",
        "Une carte n’a d’autre identité que sa face : deux faces égales sont interchangeables."
        " Mains, pioche et défausse forment à tout moment le paquet entier.",
        "decision",
    ),
    (
        "VAL-1",
        "A number is worth its value; Draw Two, Skip and Reverse are worth 20; Wild and Wild Draw"
        " Four are worth 50.",
        "Un chiffre vaut sa valeur ; +2, Passer et Inversion valent 20 ; Joker et Joker +4 valent"
        " 50.",
        "all",
    ),
    (
        "VAL-2",
        "Wild Shuffle Hands and Wild Customizable are worth 40.",
        "Joker mélange des mains et Joker à personnaliser valent 40.",
        "S2",
    ),
)
