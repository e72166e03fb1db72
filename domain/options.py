"""The options of a match (rules.md 13): declared at creation, fixed for the match.

A new option is a field with a default here and, where it changes moves, a file of its own beside
``domain.moves``; no option is read in more than one place.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.editions import Edition
from domain.limits import TARGET_MAX, TARGET_MIN

RULESET: Final = "talon-rules"
RULESET_VERSION: Final = 1


class WildDrawFour(StrEnum):
    """WD4-2: whether a wild draw four may be bluffed and challenged."""

    BLUFF = "bluff"
    STRICT = "strict"


class DrawnCard(StrEnum):
    """DRAW-4: whether a drawn card that fits may or must be played."""

    MAY = "may"
    MUST = "must"


class OnLeave(StrEnum):
    """AWAY-2: what becomes of the seat of a player who leaves a running match."""

    OUT = "out"


class Reveal(StrEnum):
    """When a round's seed, and with it every hand of the round, is shown."""

    MATCH = "match"
    ROUND = "round"


class Form(StrEnum):
    """Who plays against whom."""

    FREE_FOR_ALL = "free_for_all"


class Scoring(StrEnum):
    """Who scores at the end of a round."""

    WINNER_TAKES = "winner_takes"


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a match; what is unset has its default."""

    edition: Edition = Edition.CLASSIC_108
    form: Form = Form.FREE_FOR_ALL
    scoring: Scoring = Scoring.WINNER_TAKES
    target: Annotated[int, Meta(ge=TARGET_MIN, le=TARGET_MAX)] = 500
    wild_draw_four: WildDrawFour = WildDrawFour.BLUFF
    drawn_card: DrawnCard = DrawnCard.MAY
    on_leave: OnLeave = OnLeave.OUT
    reveal: Reveal = Reveal.MATCH
