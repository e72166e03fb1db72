"""The texts of the options that are house rules, and of those that go with the modern deck."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text

HOUSE_TEXTS: Final = {
    "enforcement": (
        Text(
            "strict: a card that does not fit is refused. table: it may be laid, and others may"
            " call it out; this needs uno_grace, and goes with no stacking, jump_in, seven_zero or"
            " force_play.",
            "strict : une carte qui ne convient pas est refusée. table : elle peut être posée, et"
            " les autres peuvent la dénoncer ; il faut alors uno_grace, sans stacking, jump_in,"
            " seven_zero ni force_play.",
        ),
        "TABLE-1 TABLE-2 TABLE-6",
    ),
    "customizable": (
        Text(
            "What the three Wild Customizables do beyond naming a color; only with modern-112.",
            "Ce que font les trois Jokers à personnaliser en plus de nommer une couleur ;"
            " seulement avec modern-112.",
        ),
        "CUST-1",
    ),
    "stacking": (
        Text(
            "Whether a penalty may be passed on with a card: off, same kind only, or mixed.",
            "Si une pénalité peut être transmise avec une carte : off, non ; same, la même ;"
            " mixed, l’une ou l’autre.",
        ),
        "HOUSE-1",
    ),
    "seven_zero": (
        Text(
            "Whether a 7 swaps hands and a 0 passes them on.",
            "Si un 7 échange les mains et un 0 les fait passer.",
        ),
        "HOUSE-2",
    ),
    "jump_in": (
        Text(
            "Whether the twin of the top card may be laid out of turn.",
            "Si la jumelle de la carte du dessus peut être posée hors de son tour.",
        ),
        "HOUSE-3",
    ),
    "draw_until_playable": (
        Text(
            "Whether one draws until a card fits, instead of one card.",
            "Si l’on pioche jusqu’à une carte qui convient, au lieu d’une seule.",
        ),
        "HOUSE-4",
    ),
    "force_play": (
        Text(
            "Whether who can play must. It makes drawn_card must; given as may, it is refused.",
            "Si qui peut jouer le doit. L’option drawn_card devient must ; donnée comme may, elle"
            " est refusée.",
        ),
        "HOUSE-5",
    ),
}
