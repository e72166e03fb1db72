"""Chapter 4: action cards, and the challenge of a wild draw four."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

ACTIONS: Final = chapter(
    4,
    Text("Action cards", "Cartes action"),
    (
        "SKIP-1",
        "Skip: the next player loses the turn.",
        "Passer : le joueur suivant perd son tour.",
        "all",
    ),
    (
        "SKIP-2",
        "With two players, who plays a Skip plays again.",
        "À deux, qui pose un Passer rejoue.",
        "S0 S3 S4",
    ),
    (
        "REV-1",
        "Reverse: the direction of play turns round.",
        "Inversion : le sens du jeu s’inverse.",
        "all",
    ),
    (
        "REV-2",
        "With two players a Reverse acts as a Skip: who plays it plays again.",
        "À deux, l’Inversion agit comme un Passer : qui la pose rejoue.",
        "S0 S3 S4",
    ),
    (
        "D2-1",
        "Draw Two: the next player draws two and loses the turn. It cannot be answered; penalties"
        " do not stack (but see HOUSE-1).",
        "+2 : le joueur suivant pioche deux cartes et perd son tour. On ne peut y répondre ; les"
        " pénalités ne se cumulent pas (mais voir HOUSE-1).",
        "all",
    ),
    (
        "D2-2",
        "A Draw Two goes on its own color or on another Draw Two, on a normal turn.",
        "Un +2 se pose sur sa couleur ou sur un autre +2, à un tour normal.",
        "all",
    ),
    (
        "WILD-1",
        "A Wild may be played on anything, even with other playable cards in hand. Who plays it"
        " names any color in the same move, the present one included.",
        "Un Joker se pose sur tout, même avec d’autres cartes jouables en main. Qui le pose nomme"
        " une couleur dans le même coup, y compris celle en cours.",
        "all",
    ),
    (
        "WD4-1",
        "A Wild Draw Four is legal only if the hand, before the play, holds no card of the color in"
        " force. Equal numbers or symbols in other colors do not matter, nor do wilds.",
        "Un Joker +4 n’est licite que si la main, avant la pose, n’a aucune carte de la couleur en"
        " cours. Un même chiffre ou symbole d’une autre couleur n’y change rien, un joker non"
        " plus.",
        "all decision",
    ),
    (
        "WD4-2",
        "By default it may be bluffed: played illegally, at the risk of a challenge. With the"
        " option wild_draw_four = strict an illegal one is refused, and its target draws four at"
        " once and loses the turn, without a challenge.",
        "Par défaut on peut bluffer : le poser de façon illicite, au risque d’être contesté. Avec"
        " l’option wild_draw_four = strict, un +4 illicite est refusé, et la cible pioche aussitôt"
        " quatre cartes et passe, sans contestation.",
        "S3 decision",
    ),
    (
        "WD4-3",
        "Who plays it names the color. The next player then either accepts, draws four and loses"
        " the turn, or challenges before drawing anything; nobody else may challenge.",
        "Qui le pose nomme la couleur. Le joueur suivant accepte alors, pioche quatre cartes et"
        " passe, ou conteste avant de piocher ; nul autre ne peut contester.",
        "S0 S3 S4",
    ),
    (
        "WD4-4",
        "On a challenge the author's hand, as it was at the play and without the card itself, is"
        " shown to the challenger alone.",
        "En cas de contestation, la main de l’auteur, telle qu’elle était à la pose et sans la"
        " carte elle-même, est montrée au seul contestataire.",
        "S0 S3 S4",
    ),
    (
        "WD4-5",
        "If the author held the color, the author draws four and the challenger keeps the turn.",
        "Si l’auteur avait la couleur, il pioche quatre cartes et le contestataire garde son tour.",
        "S0 S3 S4",
    ),
    (
        "WD4-6",
        "If the play was legal, the challenger draws six in all and loses the turn.",
        "Si la pose était licite, le contestataire pioche six cartes en tout et passe.",
        "S0 S3 S4",
    ),
    (
        "WD4-7",
        "The color named stands in both cases.",
        "La couleur nommée reste dans les deux cas.",
        "S0 S4",
    ),
    (
        "WD4-8",
        "An action card of the color in force is a card of that color.",
        "Une carte action de la couleur en cours est une carte de cette couleur.",
        "S0 S1 S4",
    ),
    (
        "WD4-9",
        "The color to judge by is stored with the play; it is never looked up in the discards.",
        "La couleur qui sert à juger est notée avec la pose ; on ne la cherche jamais dans la"
        " défausse.",
        "decision",
    ),
    (
        "WD4-10",
        "What is judged is the hand at the moment of the play: cards drawn since do not count."
        " Nothing tells whether it was legal before a challenge.",
        "On juge la main au moment de la pose : les cartes piochées depuis ne comptent pas. Rien"
        " n’indique si la pose était licite avant une contestation.",
        "decision",
    ),
    (
        "SHUF-1",
        "Wild Shuffle Hands: who plays it names the color; all hands are gathered, shuffled and"
        " dealt round one card at a time, clockwise from the author's left.",
        "Joker mélange des mains : qui le pose nomme la couleur ; toutes les mains sont réunies,"
        " mélangées et redistribuées une carte à la fois, dans le sens horaire depuis la gauche de"
        " l’auteur.",
        "S2 decision",
    ),
    (
        "CUST-1",
        "Wild Customizable: a wild with one extra effect, the same for all three, which the option"
        " customizable fixes. With others_draw_one each other player draws one and no turn is lost;"
        " with next_draws_three the next draws three at once and loses the turn. With swap_hands"
        " the author swaps with a player named with the card; with play_again the author moves"
        " again.",
        "Joker à personnaliser : un joker avec un effet de plus, le même pour les trois, fixé par"
        " l’option customizable. Avec others_draw_one, chacun des autres pioche une carte et nul ne"
        " perd son tour ; avec next_draws_three, le suivant en pioche trois aussitôt et passe. Avec"
        " swap_hands, l’auteur échange sa main avec un joueur nommé avec la carte ; avec"
        " play_again, il rejoue.",
        "S2 decision",
    ),
)
