"""What a card does when it is laid: a table, one line a face.

Not here: whether it may be laid (``domain.moves.play``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from domain.cards import Face
from domain.events import DrawReason
from domain.options import Options, WildDrawFour


class Effect(Struct, frozen=True, gc=False):
    """What comes of a card.

    ``steps``: how many seats further the next turn is. ``draws``: cards the next seat draws at
    once. ``penalty``: cards the next seat faces and may answer. ``reason``: why it draws.
    """

    steps: int = 1
    turns_round: bool = False
    draws: int = 0
    penalty: int = 0
    reason: DrawReason = DrawReason.DRAW_TWO

    @property
    def makes_draw(self) -> bool:
        """Whether the next seat draws, and so whether a last card of this kind is settled."""
        return self.draws > 0 or self.penalty > 0


PLAIN: Final = Effect()
_SKIP: Final = Effect(steps=2)  # SKIP-1; with two players its author plays again (SKIP-2)
_REVERSE: Final = Effect(turns_round=True)  # REV-1
_DRAW_TWO: Final = Effect(steps=2, draws=2)  # D2-1
_ANSWERED: Final = Effect(penalty=4, reason=DrawReason.WILD_DRAW_FOUR)  # WD4-3
_AT_ONCE: Final = Effect(steps=2, draws=4, reason=DrawReason.WILD_DRAW_FOUR)  # WD4-2, strict

_ALWAYS: Final[Mapping[Face, Effect]] = {
    **dict.fromkeys(Face, PLAIN),
    Face.SKIP: _SKIP,
    Face.REVERSE: _REVERSE,
    Face.DRAW_TWO: _DRAW_TWO,
}
_EFFECTS: Final[Mapping[WildDrawFour, Mapping[Face, Effect]]] = {
    WildDrawFour.BLUFF: {**_ALWAYS, Face.WILD_DRAW_FOUR: _ANSWERED},
    WildDrawFour.STRICT: {**_ALWAYS, Face.WILD_DRAW_FOUR: _AT_ONCE},
}


def effect_of(face: Face, options: Options, *, players: int, last: bool) -> Effect:
    """What a face does, laid among so many players; a last card only makes others draw (END-4)."""
    effect = _EFFECTS[options.wild_draw_four][face]
    if last:
        return effect if effect.makes_draw else PLAIN
    if players == 2 and effect.turns_round:
        return _SKIP  # REV-2
    return effect
