"""What a card does when it is laid: a table, one line a face.

Not here: what there is that a card may do (``domain.effect``), and whether it may be laid
(``domain.moves.play``). A house rule about what a card does is a file and a line of ``BY_OPTION``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Final

from msgspec import Struct

from domain.cards import Face
from domain.effect import PLAIN, Effect, HandsMove
from domain.events import DrawReason
from domain.options import Customizable, Options, Stacking, WildDrawFour

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


class ByOption(Struct, frozen=True):
    """What faces do by the values of some options, which are named."""

    options: tuple[str, ...]
    effects: Callable[..., Mapping[Face, Effect]]


BY_OPTION: Final[tuple[ByOption, ...]] = (
    ByOption(("stacking",), lambda stacking: {Face.DRAW_TWO: _DRAW_TWO[stacking]}),
    ByOption(
        ("wild_draw_four", "stacking"), lambda *both: {Face.WILD_DRAW_FOUR: _WILD_DRAW_FOUR[both]}
    ),
    ByOption(("seven_zero",), _SEVEN_ZERO.__getitem__),
    ByOption(("customizable",), lambda chosen: {Face.WILD_CUSTOMIZABLE: _CUSTOMIZABLE[chosen]}),
)
"""One line for each rule of what a card does that a match may choose."""


def effect_of(face: Face, options: Options, *, players: int, last: bool) -> Effect:
    """What a face does, laid among so many players."""
    effect = _effects(_choice(options), last)[face]
    return _SKIP if players == 2 and effect.turns_round else effect  # REV-2


def may_swap(options: Options) -> bool:
    """Whether any card of the match swaps hands with a chosen player: asked often, so in short."""
    return options.seven_zero or options.customizable is _SWAP_HANDS


_SWAP_HANDS: Final = Customizable.SWAP_HANDS
_NAMES: Final = tuple(dict.fromkeys(name for line in BY_OPTION for name in line.options))
_choice: Final = attrgetter(*_NAMES)
"""The values of the options that ``BY_OPTION`` names."""


@cache
def _effects(values: tuple[object, ...], last: bool) -> Mapping[Face, Effect]:
    """What every face does under these values of the options."""
    chosen = dict(zip(_NAMES, values, strict=True))
    if last:
        chosen["stacking"] = Stacking.OFF
    effects = dict(_ALWAYS)
    for line in BY_OPTION:
        effects.update(line.effects(*(chosen[name] for name in line.options)))
    return _of_a_last_card(effects) if last else effects


def _of_a_last_card(effects: Mapping[Face, Effect]) -> Mapping[Face, Effect]:
    """It only makes others draw, and no card answers it (END-4, HOUSE-1)."""
    return {face: one if one.makes_draw else PLAIN for face, one in effects.items()}
