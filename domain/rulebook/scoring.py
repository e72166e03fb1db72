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
        "SCORE-2",
        "With scoring = lowest, everybody adds the value of their own hand; when someone reaches"
        " the target the match ends and the lowest total wins. A leaver's total is frozen: it"
        " neither ends the match nor wins nor ties.",
        "Avec scoring = lowest, chacun ajoute la valeur de sa propre main ; quand quelqu’un atteint"
        " l’objectif, la partie finit et le plus petit total gagne. Le total d’un partant est figé"
        " : il ne termine pas la partie, ne gagne pas et ne fait pas égalité.",
        "S1 S2 S3",
    ),
    (
        "SCORE-3",
        "With scoring = lowest, if several are tied for lowest, further rounds are played until one"
        " player alone is lowest.",
        "Avec scoring = lowest, si plusieurs sont à égalité au plus bas, on joue d’autres manches"
        " jusqu’à ce qu’un seul joueur soit le plus bas.",
        "decision",
    ),
    (
        "SCORE-4",
        "An example: a 7, a 3, a Reverse and a Wild left to the others make 80 points.",
        "Un exemple : un 7, un 3, une Inversion et un Joker restés aux autres font 80 points.",
        "S4",
    ),
    (
        "SCORE-5",
        "With rounds, a match of free_for_all or teams ends after so many rounds, blocked ones"
        " included, and not at a target. The highest total wins, ties shared.",
        "Avec rounds, une partie en free_for_all ou teams finit après ce nombre de manches, manches"
        " bloquées comprises, et non à un objectif. Le plus haut total gagne, égalités partagées.",
        "decision",
    ),
)
