"""The words of events and commands: seats, and the closed sets of kinds and reasons.

Values are a storage format (``docs/events.md``): add, never rename.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

Seat = NewType("Seat", int)
"""A player's place, from 0, numbered clockwise."""


class Pending(StrEnum):
    """What the match waits for, and so what the seat to act may answer."""

    TURN = "turn"
    COLOR = "color"
    PENALTY = "penalty"
    NONE = "none"


class BotLevel(StrEnum):
    """How a bot plays."""

    RANDOM = "random"
    STEADY = "steady"
    SHARP = "sharp"


class DrawReason(StrEnum):
    """Why cards were drawn."""

    TURN = "turn"
    OPENING = "opening"
    DRAW_TWO = "draw_two"
    WILD_DRAW_FOUR = "wild_draw_four"
    CHALLENGE = "challenge"
    UNO = "uno"
    CLOCK = "clock"
    CUSTOMIZABLE = "customizable"
    CALLED_OUT = "called_out"
    ADVICE = "advice"


class AdviceReason(StrEnum):
    """How a player advised another (TABLE-4)."""

    NAMED_A_CARD = "named_a_card"
    NAMED_A_COLOR = "named_a_color"
    TOLD_A_HAND = "told_a_hand"
    OTHER = "other"


class LeaveReason(StrEnum):
    """Why a player is gone."""

    LEFT = "left"
    CLOCK = "clock"


class EndReason(StrEnum):
    """Why a match ended."""

    TARGET = "target"
    ROUNDS = "rounds"
    FORFEIT = "forfeit"
    EVENT_LIMIT = "event_limit"


class AbandonReason(StrEnum):
    """Why a match was abandoned."""

    IDLE = "idle"
    EMPTY = "empty"
    EVENT_LIMIT = "event_limit"


class VoidReason(StrEnum):
    """Why a round or a match was voided."""

    EVENT_LIMIT = "event_limit"
    OPERATOR = "operator"
    RESTORE = "restore"
    ABANDONED = "abandoned"
    FORFEIT = "forfeit"
    CHEATING = "cheating"
    FAULT = "fault"


class Visibility(StrEnum):
    """Whether strangers may find and watch a match."""

    PUBLIC = "public"
    PRIVATE = "private"
