"""The options of a match (rules.md 13): declared at creation, fixed for the match.

A new option is a field with a default here and, where it changes moves, a file of its own beside
``domain.moves``; no option is read in more than one place.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.editions import Edition
from domain.limits import (
    CLOCK_SECONDS_MAX,
    CLOCK_SECONDS_MIN,
    CYCLES_MAX,
    ROUNDS_MAX,
    ROUNDS_PER_PAIRING_MAX,
    STARTING_HAND_MAX,
    STARTING_HAND_MIN,
    TARGET_MAX,
    TARGET_MIN,
    UNO_GRACE_SECONDS_MAX,
)

RULESET: Final = "talon-rules"
RULESET_VERSION: Final = 1
ROUNDS_PER_PAIRING: Final = 4
CYCLES: Final = 1
"""ROT-1: unless the match sets them otherwise."""


class WildDrawFour(StrEnum):
    """WD4-2: whether a wild draw four may be bluffed and challenged."""

    BLUFF = "bluff"
    STRICT = "strict"


class DrawnCard(StrEnum):
    """DRAW-4: whether a drawn card that fits may or must be played."""

    MAY = "may"
    MUST = "must"


class Enforcement(StrEnum):
    """TABLE-1: whether a card that does not fit is refused, or may be laid and called out."""

    STRICT = "strict"
    TABLE = "table"


class Customizable(StrEnum):
    """CUST-1: what the wild customizable cards of the modern deck do."""

    NONE = "none"
    OTHERS_DRAW_ONE = "others_draw_one"
    NEXT_DRAWS_THREE = "next_draws_three"
    SWAP_HANDS = "swap_hands"
    PLAY_AGAIN = "play_again"


class Stacking(StrEnum):
    """HOUSE-1: which cards pass a penalty on: none, those of its kind, or both kinds."""

    OFF = "off"
    SAME = "same"
    MIXED = "mixed"


class OnLeave(StrEnum):
    """AWAY-2: what becomes of the seat of a player who leaves a running match."""

    OUT = "out"
    BOT = "bot"


class Reveal(StrEnum):
    """When a round's seed, and with it every hand of the round, is shown."""

    MATCH = "match"
    ROUND = "round"


class Form(StrEnum):
    """Who plays against whom."""

    FREE_FOR_ALL = "free_for_all"
    TEAMS = "teams"
    ROTATING_PARTNERS = "rotating_partners"
    ELIMINATION = "elimination"


class Scoring(StrEnum):
    """Who scores at the end of a round."""

    WINNER_TAKES = "winner_takes"
    LOWEST = "lowest"


_Seconds = Annotated[int, Meta(ge=CLOCK_SECONDS_MIN, le=CLOCK_SECONDS_MAX)]


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """AWAY-1: seconds for a turn or an opening color, and for the answer to a penalty."""

    turn: _Seconds
    answer: _Seconds


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a match; what is unset has its default."""

    edition: Edition = Edition.CLASSIC_108
    form: Form = Form.FREE_FOR_ALL
    scoring: Scoring = Scoring.WINNER_TAKES
    target: Annotated[int, Meta(ge=TARGET_MIN, le=TARGET_MAX)] = 500
    rounds: Annotated[int, Meta(ge=0, le=ROUNDS_MAX)] = 0
    """SCORE-5; 0: the match is played to its target."""
    rounds_per_pairing: Annotated[int, Meta(ge=1, le=ROUNDS_PER_PAIRING_MAX)] = ROUNDS_PER_PAIRING
    cycles: Annotated[int, Meta(ge=1, le=CYCLES_MAX)] = CYCLES
    wild_draw_four: WildDrawFour = WildDrawFour.BLUFF
    drawn_card: DrawnCard = DrawnCard.MAY
    on_leave: OnLeave = OnLeave.OUT
    clock: Clock | None = None
    uno_grace: Annotated[int, Meta(ge=0, le=UNO_GRACE_SECONDS_MAX)] = 0
    reveal: Reveal = Reveal.MATCH
    starting_hand: Annotated[int, Meta(ge=STARTING_HAND_MIN, le=STARTING_HAND_MAX)] = 7
    enforcement: Enforcement = Enforcement.STRICT
    customizable: Customizable = Customizable.NONE
    stacking: Stacking = Stacking.OFF
    seven_zero: bool = False
    """HOUSE-2."""
    jump_in: bool = False
    """HOUSE-3."""
    draw_until_playable: bool = False
    """HOUSE-4."""
    force_play: bool = False
    """HOUSE-5."""
