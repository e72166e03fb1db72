"""The rulebook: every rule the product implements, the points it had to settle, cards and options.

Data alone: what refusals cite and what is served for reading. The rules are carried out elsewhere.
"""

from __future__ import annotations

from typing import Final

from domain.rulebook.actions import ACTIONS
from domain.rulebook.deck import DECK
from domain.rulebook.entries import (
    SOURCES,
    CardEntry,
    Chapter,
    OptionEntry,
    Reading,
    Rule,
    Ruling,
    Text,
)
from domain.rulebook.faces import CARDS
from domain.rulebook.forms import FORMS
from domain.rulebook.house import HOUSE
from domain.rulebook.round_end import ROUND_END
from domain.rulebook.rulings import RULINGS
from domain.rulebook.scoring import SCORING
from domain.rulebook.settings import OPTIONS
from domain.rulebook.setup import SETUP
from domain.rulebook.table import PEOPLE, TABLE
from domain.rulebook.tournaments import TOURNAMENTS
from domain.rulebook.turn import TURN
from domain.rulebook.two_players import TWO_PLAYERS
from domain.rulebook.uno import UNO

__all__ = [
    "SOURCES",
    "CardEntry",
    "Chapter",
    "OptionEntry",
    "Reading",
    "Rule",
    "Ruling",
    "Text",
    "cards",
    "chapters",
    "options",
    "rule",
    "rules",
    "rulings",
]

_CHAPTERS: Final = (
    DECK,
    SETUP,
    TURN,
    ACTIONS,
    TWO_PLAYERS,
    UNO,
    ROUND_END,
    SCORING,
    FORMS,
    TABLE,
    PEOPLE,
    HOUSE,
    TOURNAMENTS,
)
_RULES: Final = {rule.id: rule for chapter in _CHAPTERS for rule in chapter.rules}


def chapters() -> tuple[Chapter, ...]:
    """All chapters with their titles and rules."""
    return _CHAPTERS


def rules() -> tuple[Rule, ...]:
    """All rules, in the order of their chapters."""
    return tuple(_RULES.values())


def rule(id: str) -> Rule | None:
    """The rule with this id, None if there is none."""
    return _RULES.get(id)


def rulings() -> tuple[Ruling, ...]:
    """The points on which the rule sheets disagree, and what the product does."""
    return RULINGS


def cards() -> tuple[CardEntry, ...]:
    """Every face of the deck, in canonical order."""
    return CARDS


def options() -> tuple[OptionEntry, ...]:
    """The options of a match."""
    return OPTIONS
