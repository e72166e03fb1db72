"""The shapes of the rulebook's entries, as they are served.

Every text stands in English and in French, in words of our own. ``sources`` names rule sheets
(``S0`` to ``S4``, see SOURCES) or says ``decision`` where they leave a point open.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from domain.cards import Card, Color, Face
from domain.editions import Edition


class Text(Struct, frozen=True, gc=False):
    """The same sentences in both languages."""

    en: str
    fr: str


class Rule(Struct, frozen=True, gc=False):
    """A rule that the product implements; ``id`` is what refusals cite."""

    id: str
    chapter: int
    text: Text
    sources: tuple[str, ...]


class Chapter(Struct, frozen=True, gc=False):
    """A chapter's rules, in the order in which they are read."""

    number: int
    title: Text
    rules: tuple[Rule, ...]


class Reading(Struct, frozen=True, gc=False):
    """One way to read a point, and the sheets that read it so."""

    text: Text
    sources: tuple[str, ...]


class Ruling(Struct, frozen=True, gc=False):
    """A point on which the sheets disagree or are silent: their readings, and our choice."""

    id: str
    point: Text
    readings: tuple[Reading, ...]
    choice: Text
    rules: tuple[str, ...]


class CardEntry(Struct, frozen=True, gc=False):
    """A face; ``copies`` is how many of it a deck of ``editions`` holds."""

    code: Card
    color: Color | None
    face: Face
    points: int
    copies: int
    names: Text
    editions: tuple[Edition, ...]


class OptionEntry(Struct, frozen=True, gc=False):
    """An option of a match. ``values`` is empty for a number from ``minimum`` to ``maximum``.

    ``parts`` are the fields, each such a number, of an option that is an object, or null.
    """

    name: str
    values: tuple[str | bool, ...]
    minimum: int | None
    maximum: int | None
    default: str | int | bool | None
    text: Text
    rules: tuple[str, ...]
    parts: tuple[str, ...] = ()


SOURCES: Final = {
    "S0": Text(
        "A commented French code of the classic game, with conventions of its own marked as such.",
        "Un code français commenté du jeu classique, qui signale ses propres conventions.",
    ),
    "S1": Text(
        "A French page that explains the game to families, with a summary table.",
        "Une page française qui explique le jeu aux familles, avec un tableau récapitulatif.",
    ),
    "S2": Text(
        "A short French page on the modern box, with four more cards.",
        "Une courte page française sur la boîte moderne, avec quatre cartes de plus.",
    ),
    "S3": Text(
        "A Canadian French rendering of the publisher's older leaflet, penalties and variants too.",
        "Une version franco-canadienne de l’ancienne notice, pénalités et variantes comprises.",
    ),
    "S4": Text(
        "A French tutorial for the classic 108 cards, after the publisher's leaflets.",
        "Un tutoriel français pour les 108 cartes classiques, d’après les notices de l’éditeur.",
    ),
}


def chapter(number: int, title: Text, *rules: tuple[str, str, str, str]) -> Chapter:
    """A chapter from rows of (id, English, French, sources separated by spaces or ``all``)."""
    return Chapter(
        number,
        title,
        tuple(Rule(id, number, Text(en, fr), _sources(names)) for id, en, fr, names in rules),
    )


def _sources(names: str) -> tuple[str, ...]:
    """The sources named in a row."""
    listed = names.replace("all", " ".join(SOURCES))
    return tuple(listed.split())
