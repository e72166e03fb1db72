"""What ``sharp`` cares about and how much: numbers found by playing duplicate deals.

All are in the same unit, of which one own card less is worth about one. Those that end in
``_danger`` count as far as somebody is about to go out (``Weights.danger``).
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class Weights(Struct, frozen=True, gc=False):
    """How much each consideration counts for a play, or against it."""

    two_left: float
    """The danger that a player with two cards is; one with one card is a danger of 1."""
    three_left: float
    more_left: float
    keep_wild: float
    """Against spending a wild; likewise the next ones."""
    keep_wild_danger: float
    keep_four: float
    keep_four_danger: float
    keep_action: float
    keep_action_danger: float
    draws: float
    """For each card that the next player draws."""
    draws_danger: float
    skips: float
    """For a turn lost by one of several players."""
    skips_danger: float
    again: float
    """For another turn of one's own with a card that will fit."""
    again_with_wild: float
    again_without: float
    stuck: float
    """For the chance that who is next can play nothing."""
    stuck_danger: float
    next_danger: float
    """Against leaving the turn to somebody who is about to go out."""
    fits_share: float
    """For the share of the cards left that will fit on the play."""
    fits_any: float
    same_color: float
    """For each card left of the color in force, up to four."""
    points: float
    """For each ten points laid, wilds apart."""
    points_danger: float
    changes_color: float
    """Against leaving the color in force."""
    held: float
    """For each card held of the play's color, up to five."""
    single: float
    """Against each color with a single card left."""
    colors: float
    """Against each color left."""
    last_is_wild: float
    """For one card left that surely fits: a wild."""
    last_fits: float
    """For one card left that fits on the play."""
    wild_of_two: float
    """For two cards left with a wild among them."""
    bluff: float
    """Against a wild draw four that may be challenged with success (WD4-5)."""
    draw: float
    """What drawing is worth, where it is not compulsory."""
    keep: float
    """What keeping a drawn card is worth."""


HEADS_UP: Final = Weights(
    two_left=0.51,
    three_left=0.52,
    more_left=0.1,
    keep_wild=4.12,
    keep_wild_danger=-1.0,
    keep_four=5.33,
    keep_four_danger=-1.53,
    keep_action=0.33,
    keep_action_danger=-0.25,
    draws=-0.06,
    draws_danger=0.6,
    skips=0.36,
    skips_danger=1.19,
    again=1,
    again_with_wild=1.34,
    again_without=0.2,
    stuck=0.48,
    stuck_danger=2,
    next_danger=-0.02,
    fits_share=0.5,
    fits_any=0.57,
    same_color=-0.15,
    points=0.45,
    points_danger=0.83,
    changes_color=0.56,
    held=0.03,
    single=0.1,
    colors=0.07,
    last_is_wild=1.02,
    last_fits=1.64,
    wild_of_two=0.19,
    bluff=0.39,
    draw=-10.88,
    keep=-2.88,
)
"""Among two players, where who makes the other lose a turn plays again (TWO-1)."""
AT_A_TABLE: Final = Weights(
    two_left=0.59,
    three_left=0.28,
    more_left=-0.06,
    keep_wild=4.05,
    keep_wild_danger=-0.2,
    keep_four=4,
    keep_four_danger=-2,
    keep_action=0.2,
    keep_action_danger=-0.15,
    draws=-0.06,
    draws_danger=0.6,
    skips=0.24,
    skips_danger=0.97,
    again=2.28,
    again_with_wild=0.34,
    again_without=0.29,
    stuck=0.49,
    stuck_danger=-0.16,
    next_danger=0.37,
    fits_share=0.5,
    fits_any=0.21,
    same_color=0.08,
    points=-0.0,
    points_danger=0.02,
    changes_color=0.43,
    held=0.38,
    single=-0.08,
    colors=0.14,
    last_is_wild=0.81,
    last_fits=0.88,
    wild_of_two=0.49,
    bluff=0.3,
    draw=-6,
    keep=-3,
)
"""Among more."""
