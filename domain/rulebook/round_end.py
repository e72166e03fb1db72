"""Chapter 7: the end of a round."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

ROUND_END: Final = chapter(
    7,
    Text("End of a round", "Fin de manche"),
    (
        "END-1",
        "The round ends when a player lays the last card of the hand.",
        "La manche se termine quand un joueur pose la dernière carte de sa main.",
        "all",
    ),
    (
        "END-2",
        "A last Draw Two or Wild Draw Four is settled first, challenge included: the penalty cards"
        " count.",
        "Un dernier +2 ou Joker +4 est d’abord réglé, contestation comprise : les cartes de"
        " pénalité comptent.",
        "S0 S1 S3 S4",
    ),
    (
        "END-3",
        "A challenge of a last Wild Draw Four cannot succeed: its author held nothing else, so it"
        " is always legal.",
        "Contester un dernier Joker +4 ne peut réussir : son auteur n’avait rien d’autre, il est"
        " donc toujours licite.",
        "S0",
    ),
    (
        "END-4",
        "Any kind of card may be the last one. A last wild names a color like any other; a last"
        " Skip, Reverse, Shuffle Hands, swap, 7, 0 or play-again has no effect.",
        "Toute carte peut être la dernière. Un dernier joker nomme une couleur comme un autre ; un"
        " dernier Passer, Inversion, mélange ou échange des mains, 7, 0 ou play-again est sans"
        " effet.",
        "S1 decision",
    ),
    (
        "END-5",
        "Scores are counted once, after the last penalty card.",
        "On compte une seule fois, après la dernière carte de pénalité.",
        "decision",
    ),
)
