"""The texts of the options that choose a form of play, and of those about time and leaving."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text

FORM_TEXTS: Final = {
    "form": (
        Text(
            "Who plays against whom: free_for_all, everybody for themselves; teams, two and two;"
            " rotating_partners, with each of the others in turn; elimination, until one is left.",
            "Qui joue contre qui : free_for_all, chacun pour soi ; teams, deux contre deux ;"
            " rotating_partners, avec chacun des autres tour à tour ; elimination, jusqu’à ce qu’il"
            " n’en reste qu’un.",
        ),
        "TEAM-1 ROT-1 ELIM-1",
    ),
    "scoring": (
        Text(
            "Who scores at the end of a round: winner_takes, the one who went out; lowest,"
            " everybody their own hand, and the lowest total wins (only free_for_all).",
            "Qui marque en fin de manche : winner_takes, celui qui n’a plus de cartes ; lowest,"
            " chacun sa propre main, et le plus petit total gagne (seulement free_for_all).",
        ),
        "SCORE-1 SCORE-2 SCORE-3",
    ),
    "rounds": (
        Text(
            "After how many rounds the match ends, instead of at a target; 0: at the target.",
            "Après combien de manches la partie finit, au lieu d’un objectif ; 0 : à l’objectif.",
        ),
        "SCORE-5",
    ),
    "rounds_per_pairing": (
        Text(
            "How many rounds each pairing of rotating_partners plays in a row.",
            "Combien de manches de suite joue chaque paire d’équipes de rotating_partners.",
        ),
        "ROT-1",
    ),
    "cycles": (
        Text(
            "How often the three pairings of rotating_partners come round.",
            "Combien de fois reviennent les trois paires d’équipes de rotating_partners.",
        ),
        "ROT-1",
    ),
    "starting_hand": (
        Text("How many cards are dealt to each.", "Combien de cartes chacun reçoit."),
        "SETUP-5 HOUSE-6",
    ),
}

PEOPLE_TEXTS: Final = {
    "clock": (
        Text(
            "How many seconds a turn or an opening color has, and the answer to a penalty; null: no"
            " clock.",
            "Combien de secondes ont un tour ou une couleur d’ouverture, et la réponse à une"
            " pénalité ; null : pas de limite.",
        ),
        "AWAY-1 AWAY-2",
    ),
    "on_leave": (
        Text(
            "What becomes of the seat of a player who is away: out, it is passed over from then on;"
            " bot, a bot plays it until its person returns.",
            "Ce que devient la place de qui est absent : out, on la saute dès lors ; bot, un robot"
            " la joue jusqu’au retour de la personne.",
        ),
        "AWAY-2",
    ),
    "uno_grace": (
        Text(
            "Seconds after a silent second-to-last card in which no turn begins, so that UNO can"
            " still be said, or its omission be pointed out.",
            "Secondes après une avant-dernière carte posée sans un mot pendant lesquelles aucun"
            " tour ne commence : on peut encore dire UNO, ou signaler l’oubli.",
        ),
        "UNO-7",
    ),
}
