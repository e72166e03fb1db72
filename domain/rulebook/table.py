"""Chapters 10 and 11: what is refused at the table, and people who come and go."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

TABLE: Final = chapter(
    10,
    Text("Order at the table", "Ordre à la table"),
    (
        "TABLE-1",
        "A play that the rules do not allow is refused, with the id of the rule. A bluffed Wild"
        " Draw Four is judged by WD4-2 to WD4-10 alone.",
        "Une pose que les règles n’autorisent pas est refusée, avec l’identifiant de la règle. Un"
        " Joker +4 bluffé est jugé par WD4-2 à WD4-10 seulement.",
        "decision",
    ),
)

PEOPLE: Final = chapter(
    11,
    Text("People who come and go", "Ceux qui vont et viennent"),
    (
        "AWAY-6",
        "Seats are fixed when the match starts; who comes later may watch.",
        "Les places sont fixées au début de la partie ; qui vient plus tard peut regarder.",
        "decision",
    ),
    (
        "AWAY-7",
        "When the host leaves before the start, the host's role passes to the person who has been"
        " there longest.",
        "Quand l’hôte part avant le début, son rôle passe à la personne présente depuis le plus"
        " longtemps.",
        "decision",
    ),
    (
        "AWAY-9",
        "Losing the connection is not leaving, and nobody is removed for it. A match that nobody"
        " has touched for 30 days is abandoned: no winner, no points.",
        "Perdre la connexion n’est pas partir, et nul n’est exclu pour cela. Une partie à laquelle"
        " personne n’a touché pendant 30 jours est abandonnée : ni gagnant ni points.",
        "decision",
    ),
)
