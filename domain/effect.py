"""What there is that a card may do to those who come next.

Not here: which card does what (``domain.effects``).
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from msgspec import Struct

from domain.events import DrawReason


class HandsMove(Enum):
    """How a card makes hands change owners."""

    SWAP = auto()
    """The author's with a chosen player's."""
    PASS_ON = auto()
    """Everybody's to the next, in the direction of play."""
    SHUFFLE = auto()
    """All are gathered, shuffled and dealt again."""


class Effect(Struct, frozen=True, gc=False):
    """What comes of a card.

    ``steps``: how many seats further the next turn is. ``draws``: cards the next seat draws at
    once; ``others_draw``: cards each other seat does. ``penalty``: cards the next seat faces and
    may answer. ``judged``: whether it may be challenged. ``reason``: why others draw.
    """

    steps: int = 1
    turns_round: bool = False
    draws: int = 0
    others_draw: int = 0
    penalty: int = 0
    judged: bool = False
    reason: DrawReason = DrawReason.DRAW_TWO
    hands: HandsMove | None = None
    is_at_once: bool = False
    """Whether draws or other hands follow the play in the same command."""

    @property
    def makes_draw(self) -> bool:
        """Whether others draw, and so whether a last card of this kind is settled."""
        return self.draws > 0 or self.penalty > 0 or self.others_draw > 0


PLAIN: Final = Effect()
