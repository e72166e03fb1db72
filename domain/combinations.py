"""Which options go together: every refused combination of a match, and its reason, in one table.

Not here: what a single option may be set to (``domain.options``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from domain.cards import Card
from domain.editions import DECKS
from domain.limits import PARTNERS_SEATS
from domain.options import (
    CYCLES,
    ROUNDS_PER_PAIRING,
    Customizable,
    DrawnCard,
    Enforcement,
    Form,
    Options,
    Scoring,
    Stacking,
)
from domain.refusals import Refusal, require

GoesTogether = Callable[[Options, int], bool]
"""Whether these options and this number of seats can be played; else the line's reason holds."""

_WON_BY_A_TARGET: Final = (
    (Form.FREE_FOR_ALL, Scoring.WINNER_TAKES),
    (Form.TEAMS, Scoring.WINNER_TAKES),
)
"""Forms and scorings in which the highest total wins, whenever the match ends (SCORE-5)."""
COMBINATIONS: Final[tuple[tuple[Refusal, GoesTogether], ...]] = (
    (
        Refusal.LOWEST_MUST_BE_FREE_FOR_ALL,
        lambda options, _: (
            options.scoring is Scoring.WINNER_TAKES or options.form is Form.FREE_FOR_ALL
        ),
    ),
    (
        Refusal.TEAMS_MUST_HAVE_FOUR_SEATS,
        lambda options, seats: options.form is not Form.TEAMS or seats == PARTNERS_SEATS,
    ),
    (
        Refusal.PAIRINGS_MUST_HAVE_FOUR_SEATS,
        lambda options, seats: (
            options.form is not Form.ROTATING_PARTNERS or seats == PARTNERS_SEATS
        ),
    ),
    (
        Refusal.PAIRINGS_MUST_ROTATE,
        lambda options, _: (
            options.form is Form.ROTATING_PARTNERS
            or (options.rounds_per_pairing, options.cycles) == (ROUNDS_PER_PAIRING, CYCLES)
        ),
    ),
    (
        Refusal.ROUNDS_MUST_STAND_FOR_A_TARGET,
        lambda options, _: (
            options.rounds == 0 or (options.form, options.scoring) in _WON_BY_A_TARGET
        ),
    ),
    (
        Refusal.CUSTOMIZABLE_MUST_BE_IN_THE_DECK,
        lambda options, _: (
            options.customizable is Customizable.NONE or Card.WC in DECKS[options.edition]
        ),
    ),
    (
        Refusal.TABLE_MUST_HAVE_GRACE,
        lambda options, _: options.enforcement is Enforcement.STRICT or options.uno_grace > 0,
    ),
    (
        Refusal.TABLE_MUST_BE_PLAYED_PLAINLY,
        lambda options, _: options.enforcement is Enforcement.STRICT or _is_plain(options),
    ),
)


def _is_plain(options: Options) -> bool:
    """Whether no house rule is on that cannot wait for a call (TABLE-2)."""
    return options.stacking is Stacking.OFF and not (
        options.jump_in or options.seven_zero or options.force_play
    )


def require_that_they_go_together(options: Options, seats: int) -> None:
    """Refuse a match whose options contradict each other, or its number of seats."""
    for refusal, go_together in COMBINATIONS:
        require(go_together(options, seats), refusal)


def require_no_contradiction(given: Mapping[str, object]) -> None:
    """Refuse what only the options as they were written tell: force_play with may (HOUSE-5)."""
    contradicts = given.get("force_play") is True and given.get("drawn_card") == DrawnCard.MAY
    require(not contradicts, Refusal.FORCE_PLAY_MUST_NOT_LEAVE_A_CHOICE)
