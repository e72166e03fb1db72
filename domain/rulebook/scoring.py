"""Chapter 8: scoring and winning."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

SCORING: Final = chapter(
    8,
    Text("Scoring and winning", "Points et victoire"),
    (
        "SCORE-1",
        "The winner of a round scores the value of all cards left in the other hands; the others"
        " score nothing. The first to reach the target, 500 unless set otherwise, wins the match.",
        "Le gagnant d’une manche marque la valeur de toutes les cartes restées aux autres ; les"
        " autres ne marquent rien. Le premier à atteindre l’objectif, 500 sauf réglage, gagne la"
        " partie.",
        "all",
    ),
    (
        "SCORE-4",
        "An example: a 7, a 3, a Reverse and a Wild left to the others make 80 points.",
        "Un exemple : un 7, un 3, une Inversion et un Joker restés aux autres font 80 points.",
        "S4",
    ),
)
