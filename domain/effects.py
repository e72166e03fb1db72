"""What a card does when it is laid: a table, one line a face.

Not here: whether it may be laid (``domain.moves.play``).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from functools import cache
from typing import Final

from msgspec import Struct

from domain.cards import Face
from domain.events import DrawReason
from domain.options import Customizable, Options, Stacking, WildDrawFour


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
_SKIP: Final = Effect(steps=2)  # SKIP-1; with two players its author plays again (SKIP-2)
_REVERSE: Final = Effect(turns_round=True)  # REV-1
_SHUFFLE: Final = Effect(hands=HandsMove.SHUFFLE, is_at_once=True)  # SHUF-1
_SWAP: Final = Effect(hands=HandsMove.SWAP, is_at_once=True)  # HOUSE-2, CUST-1
_PASS_ON: Final = Effect(hands=HandsMove.PASS_ON, is_at_once=True)  # HOUSE-2
_FOUR: Final = DrawReason.WILD_DRAW_FOUR
_CUSTOM: Final = DrawReason.CUSTOMIZABLE

_ALWAYS: Final[Mapping[Face, Effect]] = {
    **dict.fromkeys(Face, PLAIN),
    Face.SKIP: _SKIP,
    Face.REVERSE: _REVERSE,
    Face.WILD_SHUFFLE_HANDS: _SHUFFLE,
}
_DRAW_TWO: Final[Mapping[Stacking, Effect]] = {
    Stacking.OFF: Effect(steps=2, draws=2, is_at_once=True),  # D2-1
    Stacking.SAME: Effect(penalty=2),  # HOUSE-1
    Stacking.MIXED: Effect(penalty=2),
}
_ANSWERED: Final = Effect(penalty=4, judged=True, reason=_FOUR)  # WD4-3
_STACKED: Final = Effect(penalty=4, reason=_FOUR)  # HOUSE-1 where nothing is challenged
_WILD_DRAW_FOUR: Final[Mapping[tuple[WildDrawFour, Stacking], Effect]] = {
    **{(WildDrawFour.BLUFF, stacking): _ANSWERED for stacking in Stacking},
    **{(WildDrawFour.STRICT, stacking): _STACKED for stacking in Stacking},
    (WildDrawFour.STRICT, Stacking.OFF): Effect(
        steps=2, draws=4, reason=_FOUR, is_at_once=True
    ),  # WD4-2
}
_SEVEN_ZERO: Final[Mapping[bool, Mapping[Face, Effect]]] = {
    False: {},
    True: {Face.SEVEN: _SWAP, Face.ZERO: _PASS_ON},  # HOUSE-2
}
_CUSTOMIZABLE: Final[Mapping[Customizable, Effect]] = {  # CUST-1
    Customizable.NONE: PLAIN,
    Customizable.OTHERS_DRAW_ONE: Effect(others_draw=1, reason=_CUSTOM, is_at_once=True),
    Customizable.NEXT_DRAWS_THREE: Effect(steps=2, draws=3, reason=_CUSTOM, is_at_once=True),
    Customizable.SWAP_HANDS: _SWAP,
    Customizable.PLAY_AGAIN: Effect(steps=0),
}


def effect_of(face: Face, options: Options, *, players: int, last: bool) -> Effect:
    """What a face does, laid among so many players."""
    if last:
        return _last_effects(options.wild_draw_four, options.customizable)[face]
    effect = _effects(
        options.wild_draw_four, options.stacking, options.seven_zero, options.customizable
    )[face]
    return _SKIP if players == 2 and effect.turns_round else effect  # REV-2


def may_swap(options: Options) -> bool:
    """Whether any card of the match swaps hands with a chosen player."""
    return options.seven_zero or options.customizable is _SWAP_HANDS


_SWAP_HANDS: Final = Customizable.SWAP_HANDS


@cache
def _effects(
    wild_draw_four: WildDrawFour, stacking: Stacking, seven_zero: bool, customizable: Customizable
) -> Mapping[Face, Effect]:
    """What every face does under these options."""
    return {
        **_ALWAYS,
        **_SEVEN_ZERO[seven_zero],
        Face.DRAW_TWO: _DRAW_TWO[stacking],
        Face.WILD_DRAW_FOUR: _WILD_DRAW_FOUR[wild_draw_four, stacking],
        Face.WILD_CUSTOMIZABLE: _CUSTOMIZABLE[customizable],
    }


@cache
def _last_effects(
    wild_draw_four: WildDrawFour, customizable: Customizable
) -> Mapping[Face, Effect]:
    """What a last card does: it only makes others draw, and no card answers it (END-4, HOUSE-1)."""
    effects = _effects(wild_draw_four, Stacking.OFF, False, customizable)
    return {face: one if one.makes_draw else PLAIN for face, one in effects.items()}
