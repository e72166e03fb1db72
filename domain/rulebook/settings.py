"""The options of a match, as data: what may be set, to what, and what it means.

Names, values, limits and defaults are read off ``domain.options``; only the texts stand here.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from domain.options import Options
from domain.rulebook.entries import OptionEntry, Text

_TEXTS: Final = {
    "edition": (
        Text("Which cards the deck holds.", "Les cartes que contient le paquet."),
        "DECK-1",
    ),
    "form": (
        Text(
            "Who plays against whom: free_for_all, everybody for themselves.",
            "Qui joue contre qui : free_for_all, chacun pour soi.",
        ),
        "",
    ),
    "scoring": (
        Text(
            "Who scores at the end of a round: winner_takes, the one who went out.",
            "Qui marque en fin de manche : winner_takes, celui qui n’a plus de cartes.",
        ),
        "SCORE-1",
    ),
    "target": (
        Text("The total that wins the match.", "Le total qui gagne la partie."),
        "SCORE-1",
    ),
    "wild_draw_four": (
        Text(
            "bluff: it may be played illegally and be challenged. strict: an illegal one is"
            " refused, and there is no challenge.",
            "bluff : il peut être posé de façon illicite et contesté. strict : un +4 illicite est"
            " refusé, et il n’y a pas de contestation.",
        ),
        "WD4-2",
    ),
    "drawn_card": (
        Text(
            "Whether a drawn card that fits may or must be played.",
            "Si une carte piochée qui convient peut ou doit être jouée.",
        ),
        "DRAW-4",
    ),
    "on_leave": (
        Text(
            "What becomes of the seat of a player who leaves a running match: out, it is passed"
            " over from then on.",
            "Ce que devient la place de qui quitte une partie en cours : out, on la saute dès"
            " lors.",
        ),
        "AWAY-2",
    ),
    "reveal": (
        Text(
            "When a round's seed, and with it every hand of the round, is shown: with the end of"
            " the match, or of the round. Open rounds also show old bluffs.",
            "Quand la graine d’une manche, et avec elle toutes ses mains, est révélée : à la fin"
            " de la partie, ou de la manche. Une manche ouverte montre aussi les bluffs passés.",
        ),
        "",
    ),
}


def _entry(field: msgspec.structs.FieldInfo) -> OptionEntry:
    """The entry of one option."""
    text, rules = _TEXTS[field.name]
    kind: Any = msgspec.inspect.type_info(field.type)
    is_number = isinstance(kind, msgspec.inspect.IntType)
    return OptionEntry(
        name=field.name,
        values=() if is_number else tuple(kind.cls),
        minimum=kind.ge if is_number else None,
        maximum=kind.le if is_number else None,
        default=field.default,
        text=text,
        rules=tuple(rules.split()),
    )


OPTIONS: Final = tuple(_entry(field) for field in msgspec.structs.fields(Options))
