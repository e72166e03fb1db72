"""Chapter 3: a turn, drawing, the piles, and the limit that ends every match."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

TURN: Final = chapter(
    3,
    Text("A turn", "Un tour"),
    (
        "TURN-1",
        "Play one card of your hand that matches the color in force, or the number or symbol of"
        " the top card; or play a wild.",
        "Posez une carte de votre main qui suit la couleur en cours, ou le chiffre ou le symbole"
        " de la carte du dessus ; ou posez un joker.",
        "all",
    ),
    (
        "TURN-2",
        "One card a turn, and never out of turn.",
        "Une seule carte par tour, et jamais hors de son tour.",
        "S0 S2 S4",
    ),
    (
        "TURN-3",
        "You may decline to play even with a playable card; you then draw.",
        "On peut renoncer à jouer même avec une carte jouable ; on pioche alors.",
        "S0 S2 S3 S4",
    ),
    (
        "DRAW-1",
        "Draw exactly one card. Only that card may then be played, at once, if it fits; otherwise"
        " keep it and pass, which ends the turn.",
        "Piochez exactement une carte. Elle seule peut alors être jouée, tout de suite, si elle"
        " convient ; sinon gardez-la et passez, ce qui termine le tour.",
        "all",
    ),
    (
        "DRAW-2",
        "After drawing, no older card of the hand may be played this turn.",
        "Après avoir pioché, aucune autre carte de la main ne peut être jouée à ce tour.",
        "S0 S2 S3 S4",
    ),
    (
        "DRAW-3",
        "Passing without having drawn is refused, unless nothing can be drawn (PILE-4).",
        "Passer sans avoir pioché est refusé, sauf si plus rien ne peut être pioché (PILE-4).",
        "decision",
    ),
    (
        "DRAW-4",
        "A drawn card that fits may be played or kept. With the option drawn_card = must it has to"
        " be played, wilds too; only a Wild Draw Four is never forced.",
        "Une carte piochée qui convient peut être jouée ou gardée. Avec l’option drawn_card = must"
        " il faut la jouer, jokers compris ; seul le Joker +4 n’est jamais imposé.",
        "all decision",
    ),
    (
        "PILE-1",
        "When a card must be drawn and the draw pile is empty, the top discard stays and the others"
        " are shuffled into a new draw pile. It is done when needed, not before, and a draw may"
        " straddle it.",
        "Quand il faut piocher et que la pioche est vide, le sommet de la défausse reste et les"
        " autres cartes sont mélangées en nouvelle pioche. On le fait au besoin, pas avant, même au"
        " milieu d’une pioche.",
        "S0 S1 S4 decision",
    ),
    (
        "PILE-2",
        "A wild that is reshuffled has no color any more. The top discard keeps the color named"
        " with it.",
        "Un joker remélangé n’a plus de couleur. Le sommet de la défausse garde la couleur nommée.",
        "decision",
    ),
    (
        "PILE-3",
        "If nothing is left but the top discard, a draw or penalty takes what there is; the rest is"
        " waived, without a debt.",
        "S’il ne reste que le sommet de la défausse, on pioche ce qu’il y a ; le reste est"
        " abandonné, sans dette.",
        "decision",
    ),
    (
        "PILE-4",
        "A player to move when nothing can be drawn must play if a card fits, a legal Wild Draw"
        " Four included; otherwise the player may pass without drawing.",
        "Qui doit jouer quand plus rien ne peut être pioché doit poser une carte si l’une convient,"
        " Joker +4 licite compris ; sinon, il peut passer sans piocher.",
        "decision",
    ),
    (
        "PILE-5",
        "When all players in a row have passed in this way, the round is blocked: no winner, no"
        " points, the deal passes left, and a new round is dealt.",
        "Quand tous les joueurs ont passé ainsi l’un après l’autre, la manche est bloquée : ni"
        " gagnant ni points, la donne passe à gauche et l’on redistribue.",
        "decision",
    ),
    (
        "PILE-6",
        "How many cards hands and piles hold is public; their faces are not.",
        "Le nombre de cartes des mains et des piles est public ; leurs faces ne le sont pas.",
        "S0",
    ),
    (
        "LIMIT-1",
        "A match has at most 5,000 events. Where the next command could pass that number, the"
        " running round is void and the match ends on the totals so far, ties shared.",
        "Une partie compte au plus 5 000 événements. Là où la commande suivante pourrait dépasser"
        " ce nombre, la manche en cours est annulée et la partie s’arrête sur les totaux acquis,"
        " les égalités étant partagées.",
        "decision",
    ),
)
