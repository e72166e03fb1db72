"""Passing a penalty on with a card of one's own (HOUSE-1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.cards import Card, Face
from domain.match import Match, Round
from domain.options import Stacking

_TWOS: Final = frozenset(card for card in Card if card.face is Face.DRAW_TWO)
_FOURS: Final = frozenset({Card.W4})
_NONE: Final[frozenset[Card]] = frozenset()
_ANSWERS: Final[Mapping[Stacking, Mapping[Face, frozenset[Card]]]] = {
    Stacking.OFF: {},
    Stacking.SAME: {Face.DRAW_TWO: _TWOS, Face.WILD_DRAW_FOUR: _FOURS},
    Stacking.MIXED: dict.fromkeys((Face.DRAW_TWO, Face.WILD_DRAW_FOUR), _TWOS | _FOURS),
}


def answers(round: Round, match: Match) -> frozenset[Card]:
    """The cards that pass the open penalty on, if they also fit; none answers a last card."""
    if round.penalty is None or round.penalty.last:
        return _NONE
    return _ANSWERS[match.options.stacking].get(round.top.face, _NONE)


def stacked(round: Round) -> int:
    """How many cards a penalty that is passed on amounts to already."""
    return 0 if round.penalty is None else round.penalty.amount
