"""Where the rule sheets disagree or are silent: their readings, and what the product does.

Most entries concern the classic game; X12 only rotating partners.
"""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Reading, Ruling, Text


def _ruling(
    id: str,
    point: Text,
    readings: tuple[tuple[str, str, str], ...],
    choice: Text,
    rules: str,
) -> Ruling:
    """An entry from readings of (English, French, sources separated by spaces)."""
    read = tuple(Reading(Text(en, fr), tuple(names.split())) for en, fr, names in readings)
    return Ruling(id, point, read, choice, tuple(rules.split()))


RULINGS: Final = (
    _ruling(
        "X1",
        Text("A drawn card that fits", "Une carte piochée qui convient"),
        (
            ("It may be played.", "Elle peut être jouée.", "S0 S1 S2 S4"),
            (
                "It may be played if nothing fitted before; after a voluntary draw it must be.",
                "Elle peut être jouée si rien ne convenait avant ; après une pioche volontaire,"
                " elle doit l’être.",
                "S3",
            ),
        ),
        Text(
            "It may be played; the option drawn_card = must makes it compulsory.",
            "Elle peut être jouée ; l’option drawn_card = must l’impose.",
        ),
        "DRAW-1 DRAW-4",
    ),
    _ruling(
        "X2",
        Text(
            "A Wild Draw Four while holding an action card of the color in force",
            "Un Joker +4 avec une carte action de la couleur en cours en main",
        ),
        (
            ("Forbidden.", "Interdit.", "S0 S1 S4"),
            ("Tolerated, read to the letter.", "Toléré, pris à la lettre.", "S2 S3"),
        ),
        Text(
            "Forbidden: an action card of the color is a card of that color.",
            "Interdit : une carte action de la couleur est une carte de cette couleur.",
        ),
        "WD4-1 WD4-8",
    ),
    _ruling(
        "X3",
        Text(
            "A last card that is a Draw Two or a Wild Draw Four",
            "Une dernière carte +2 ou Joker +4",
        ),
        (
            (
                "The penalty is drawn first, then the hands are counted.",
                "La pénalité d’abord, le décompte ensuite.",
                "S0 S1 S3 S4",
            ),
            (
                "The round stops at once (the same sheet, elsewhere).",
                "La manche s’arrête aussitôt (la même source, ailleurs).",
                "S1",
            ),
        ),
        Text("The penalty first.", "La pénalité d’abord."),
        "END-2 END-5",
    ),
    _ruling(
        "X4",
        Text("An empty draw pile", "Une pioche vide"),
        (
            (
                "The top discard stays, the rest is shuffled.",
                "Le sommet de la défausse reste, on mélange les autres cartes.",
                "S0 S1 S4",
            ),
            ("Everything is shuffled.", "On mélange tout.", "S2 S3"),
        ),
        Text("The top discard stays.", "Le sommet reste."),
        "PILE-1",
    ),
    _ruling(
        "X5",
        Text("Drawing although a card fits", "Piocher bien qu’une carte convienne"),
        (
            ("Allowed.", "Permis.", "S0 S2 S3 S4"),
            ("Only if nothing fits.", "Seulement si rien ne convient.", "S1"),
        ),
        Text(
            "Allowed; the option force_play forbids it.",
            "Permis ; l’option force_play l’interdit.",
        ),
        "TURN-3 HOUSE-5",
    ),
    _ruling(
        "X6",
        Text(
            "The turn after a challenge that succeeds",
            "Le tour après une contestation réussie",
        ),
        (
            ("The challenger plays.", "Le contestataire joue.", "S0 S4"),
            ("Not stated.", "Non précisé.", "S2 S3"),
            ("There is no challenge.", "Il n’y a pas de contestation.", "S1"),
        ),
        Text("The challenger plays.", "Le contestataire joue."),
        "WD4-5",
    ),
    _ruling(
        "X7",
        Text("A tie in the draw for the dealer", "Une égalité au tirage du donneur"),
        (
            ("Those who tie draw again.", "Les ex æquo retirent.", "S0"),
            ("Not stated.", "Non précisé.", "S1 S2 S3 S4"),
        ),
        Text("Those who tie draw again among themselves.", "Les ex æquo retirent entre eux."),
        "SETUP-3",
    ),
    _ruling(
        "X8",
        Text("Who may challenge a Wild Draw Four", "Qui peut contester un Joker +4"),
        (
            ("The player who is to draw.", "Le joueur qui doit piocher.", "S0 S3 S4"),
            ("Somebody.", "Quelqu’un.", "S2"),
        ),
        Text("Only the player who is to draw.", "Seulement le joueur qui doit piocher."),
        "WD4-3",
    ),
    _ruling(
        "X9",
        Text("When it is too late to catch", "Quand il est trop tard pour signaler"),
        (
            (
                "Once the next player draws or plays.",
                "Dès que le joueur suivant pioche ou joue.",
                "S0 S3 S4",
            ),
            ("Once the next player plays.", "Dès que le joueur suivant joue.", "S1 S2"),
        ),
        Text("Once the next player draws or plays.", "Dès que le joueur suivant pioche ou joue."),
        "UNO-2 UNO-4",
    ),
    _ruling(
        "X10",
        Text("Counting one's own hand", "Compter sa propre main"),
        (
            (
                "A variant: lowest total wins.",
                "Une variante : le plus petit total gagne.",
                "S1 S2 S3",
            ),
            ("Left out.", "Écarté.", "S0 S4"),
        ),
        Text(
            "The winner of the round scores the others' hands; scoring = lowest counts the other"
            " way.",
            "Le gagnant de la manche marque les mains des autres ; scoring = lowest compte dans"
            " l’autre sens.",
        ),
        "SCORE-1 SCORE-2",
    ),
    _ruling(
        "X11",
        Text("The deck", "Le paquet"),
        (
            ("108 cards.", "108 cartes.", "S0 S1 S3 S4"),
            ("Four more cards.", "Quatre cartes de plus.", "S2"),
        ),
        Text(
            "108 cards; the option edition = modern-112 adds the four.",
            "108 cartes ; l’option edition = modern-112 ajoute les quatre.",
        ),
        "DECK-1 DECK-2",
    ),
    _ruling(
        "X12",
        Text(
            "How many rounds four rotating partners play",
            "Combien de manches jouent quatre partenaires tournants",
        ),
        (
            ("Four in all, read to the letter.", "Quatre en tout, pris à la lettre.", "S3"),
            (
                "Four for each pairing, as eight players do.",
                "Quatre par paire d’équipes, comme à huit joueurs.",
                "S3",
            ),
        ),
        Text(
            "Four for each pairing; rounds_per_pairing and cycles set it otherwise.",
            "Quatre par paire d’équipes ; rounds_per_pairing et cycles en décident autrement.",
        ),
        "ROT-1",
    ),
    _ruling(
        "X13",
        Text("A card that does not fit", "Une carte qui ne convient pas"),
        (
            (
                "It is taken back, its author draws two, the turn passes.",
                "Elle est reprise, son auteur pioche deux cartes, le tour passe.",
                "S0 S3",
            ),
            ("Nothing is said.", "Rien n’en est dit.", "S1 S2 S4"),
        ),
        Text(
            "It is refused; with the option enforcement = table it may be laid and called out.",
            "Elle est refusée ; avec l’option enforcement = table, elle peut être posée et"
            " dénoncée.",
        ),
        "TABLE-1 TABLE-2",
    ),
)
