"""Chapter 2: setting up."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

SETUP: Final = chapter(
    2,
    Text("Setting up", "Mise en place"),
    (
        "SETUP-1",
        "Two to ten players take part.",
        "On joue de deux à dix.",
        "S0 S1",
    ),
    (
        "SETUP-2",
        "For the first round each player draws a card from the shuffled deck, and the highest"
        " number deals. Action cards and wilds count 0.",
        "Pour la première manche, chacun tire une carte du paquet mélangé ; le plus grand chiffre"
        " donne. Les cartes action et les jokers comptent 0.",
        "all",
    ),
    (
        "SETUP-3",
        "Players who tie for the highest card draw again among themselves, until one is highest."
        " All drawn cards go back before the deal.",
        "Les joueurs à égalité pour la plus haute carte retirent entre eux jusqu’à ce qu’un seul"
        " l’emporte. Toutes les cartes tirées retournent au paquet avant la donne.",
        "S0 decision",
    ),
    (
        "SETUP-4",
        "In later rounds the deal passes to the left.",
        "Aux manches suivantes, la donne passe à gauche.",
        "S0",
    ),
    (
        "SETUP-5",
        "Everybody is dealt seven cards, one at a time, from the dealer's left. The rest is the"
        " draw pile, and its top card opens the discard pile.",
        "Chacun reçoit sept cartes, une par une, à partir de la gauche du donneur. Le reste forme"
        " la pioche, dont la première carte ouvre la défausse.",
        "all decision",
    ),
    (
        "SETUP-6",
        "The player on the dealer's left starts, and play goes clockwise.",
        "Le voisin de gauche du donneur commence, dans le sens horaire.",
        "all",
    ),
    (
        "FIRST-1",
        "If the first card is a Draw Two, the player on the dealer's left draws two and is"
        " skipped.",
        "Si la première carte est un +2, le voisin de gauche du donneur pioche deux cartes et"
        " passe.",
        "S0 S1 S3 S4",
    ),
    (
        "FIRST-2",
        "If the first card is a Skip, the player on the dealer's left is skipped.",
        "Si la première carte est un Passer, le voisin de gauche du donneur est sauté.",
        "S0 S1 S3 S4",
    ),
    (
        "FIRST-3",
        "If the first card is a Reverse, the dealer plays first and play goes counter-clockwise."
        " With two players the dealer plays first.",
        "Si la première carte est une Inversion, le donneur commence et l’on tourne dans le sens"
        " antihoraire. À deux, le donneur commence.",
        "S0 S1 S3 S4",
    ),
    (
        "FIRST-4",
        "If the first card is a Wild, the player on the dealer's left names the color and then"
        " takes a normal turn. It is the only time a color is named apart from a play. The same for"
        " an opening Wild Shuffle Hands or Wild Customizable, which do nothing else.",
        "Si la première carte est un Joker, le voisin de gauche du donneur nomme la couleur, puis"
        " joue un tour normal. C’est la seule fois où la couleur est nommée à part. De même pour un"
        " Joker mélange des mains ou à personnaliser en ouverture, sans autre effet.",
        "S0 S1 S3 S4",
    ),
    (
        "FIRST-5",
        "If the first card is a Wild Draw Four, it is put back, the draw pile is shuffled, and"
        " another card is turned; this is repeated as often as needed.",
        "Si la première carte est un Joker +4, on le remet, on mélange la pioche et l’on retourne"
        " une autre carte, autant de fois qu’il le faut.",
        "S0 S1 S3 S4",
    ),
)
