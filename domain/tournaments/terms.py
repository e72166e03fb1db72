"""The words of tournaments: entrants, and the closed sets of formats and reasons.

Values are a storage format (``docs/events.md``): add, never rename.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

Entrant = NewType("Entrant", int)
"""Who takes part, from 0 in the order of entering; a number is never given to another."""


class Format(StrEnum):
    """How a tournament is played."""

    ROTATING_PARTNERS_4 = "rotating_partners_4"
    PAIRS_8 = "pairs_8"
    KNOCKOUT = "knockout"
    SWISS = "swiss"


class Seeding(StrEnum):
    """What orders the entrants at the start: their ratings, or a draw by lot."""

    RATING = "rating"
    LOT = "lot"


class NoShow(StrEnum):
    """What becomes of the place of who does not come to the table in time."""

    FORFEIT = "forfeit"
    BOT = "bot"


class ExitReason(StrEnum):
    """Why an entrant is gone."""

    LEFT = "left"
    REMOVED = "removed"


class TableEnd(StrEnum):
    """Why a table's match ended: as ``match_ended`` says, or it was abandoned."""

    TARGET = "target"
    ROUNDS = "rounds"
    FORFEIT = "forfeit"
    EVENT_LIMIT = "event_limit"
    ABANDONED = "abandoned"


class TableVoid(StrEnum):
    """Why a table's result does not count."""

    OPERATOR = "operator"
    MATCH_VOIDED = "match_voided"
    WRONG_PLAYER = "wrong_player"
    UNFAIR_PLAY = "unfair_play"
    FAULT = "fault"


class CancelReason(StrEnum):
    """Why a tournament was canceled."""

    ORGANIZER = "organizer"
    TOO_FEW = "too_few"
    OPERATOR = "operator"
    IDLE = "idle"
