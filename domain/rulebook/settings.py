"""The options of a match, as data: what may be set, to what, and what it means.

Names, values, limits and defaults are read off ``domain.options``; only the texts stand here.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from domain.options import Options
from domain.rulebook.entries import OptionEntry, Text
from domain.rulebook.form_settings import FORM_TEXTS, PEOPLE_TEXTS
from domain.rulebook.house_settings import HOUSE_TEXTS

_TEXTS: Final = {
    "edition": (
        Text("Which cards the deck holds.", "Les cartes que contient le paquet."),
        "DECK-1 DECK-2",
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
    "reveal": (
        Text(
            "When a round's seed, and with it every hand of the round, is shown: with the end of"
            " the match, or of the round. Open rounds also show old bluffs.",
            "Quand la graine d’une manche, et avec elle toutes ses mains, est révélée : à la fin"
            " de la partie, ou de la manche. Une manche ouverte montre aussi les bluffs passés.",
        ),
        "",
    ),
    **FORM_TEXTS,
    **PEOPLE_TEXTS,
    **HOUSE_TEXTS,
}


def _entry(field: msgspec.structs.FieldInfo) -> OptionEntry:
    """The entry of one option."""
    text, rules = _TEXTS[field.name]
    kind: Any = msgspec.inspect.type_info(field.type)
    parts = _parts(kind)
    number = parts[0].type if parts else kind
    is_number = isinstance(number, msgspec.inspect.IntType)
    return OptionEntry(
        name=field.name,
        values=() if is_number else _values(kind),
        minimum=number.ge if is_number else None,
        maximum=number.le if is_number else None,
        parts=tuple(part.name for part in parts),
        default=field.default,
        text=text,
        rules=tuple(rules.split()),
    )


def _parts(kind: Any) -> tuple[Any, ...]:
    """The numbers of an option that is an object of them, or null; none of any other."""
    kinds = kind.types if isinstance(kind, msgspec.inspect.UnionType) else ()
    found = [one for one in kinds if isinstance(one, msgspec.inspect.StructType)]
    return found[0].fields if found else ()


def _values(kind: Any) -> tuple[str | bool, ...]:
    """What an option that is no number may be set to."""
    if isinstance(kind, msgspec.inspect.BoolType):
        return (False, True)
    return tuple(kind.cls)


OPTIONS: Final = tuple(_entry(field) for field in msgspec.structs.fields(Options))
