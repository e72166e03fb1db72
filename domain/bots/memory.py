"""What a player remembers of a round: the cards laid, and what every seat may still hold.

All of it follows from the public events, which any client of any seat gets. Not here: what a
seat alone was shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card, Color
from domain.events import (
    CardPlayed,
    CardsDrawn,
    ColorChosen,
    DrawReason,
    Event,
    HandsShuffled,
    HandsSwapped,
    PileReshuffled,
    PlayCalledOut,
    PositionPlaced,
    RoundStarted,
    Seat,
    TurnPassed,
)

UNLIMITED: Final = 108
"""So many cards of a hand may be of a kind: as many as it holds, nothing speaks against it."""

Suit = Color | None
"""A color, or None for the wilds."""
SUITS: Final[tuple[Suit, ...]] = (*Color, None)


class Memory(Struct, frozen=True, gc=False):
    """What is remembered. ``laid``: the discard pile, the last card on top.

    ``may_hold``: by seat and suit, how many cards of the hand may be of it: none right after the
    seat had to draw with that color in force, one more with every card that came since.
    """

    laid: tuple[Card, ...] = ()
    color: Color | None = None
    judged: Color | None = None
    may_hold: Mapping[Seat, Mapping[Suit, int]] = {}


NOTHING: Final = Memory()
_ANY: Final[Mapping[Suit, int]] = dict.fromkeys(SUITS, UNLIMITED)


def remember(memory: Memory, event: Event) -> Memory:
    """What is remembered after one more event of the match."""
    change = _CHANGES.get(type(event))
    return memory if change is None else change(memory, event)


def recall(events: Iterable[Event], memory: Memory = NOTHING) -> Memory:
    """What is remembered after all these events."""
    return reduce(remember, events, memory)


def _round_started(memory: Memory, e: RoundStarted) -> Memory:
    return Memory((e.opening,), e.color, None, dict.fromkeys(e.order, _ANY))


def _position_placed(memory: Memory, e: PositionPlaced) -> Memory:
    return Memory(e.discard, e.color, None, dict.fromkeys(e.order, _ANY))


def _color_chosen(memory: Memory, e: ColorChosen) -> Memory:
    return replace(memory, color=e.color)


def _card_played(memory: Memory, e: CardPlayed) -> Memory:
    """Who leaves a color for a wild or for the same face elsewhere has none left of it, mostly."""
    held = memory.may_hold.get(e.seat, _ANY)
    left = memory.color
    lacks = left is not None and e.card.color is not left and e.card is not Card.W4
    played = {suit: _less(most) if suit is e.card.color else most for suit, most in held.items()}
    if lacks:
        played[left] = 0
    return Memory(
        (*memory.laid, e.card), e.color, e.judged_color, {**memory.may_hold, e.seat: played}
    )


def _less(most: int) -> int:
    return most if most in (0, UNLIMITED) else most - 1


def _cards_drawn(memory: Memory, e: CardsDrawn) -> Memory:
    """Any card may have come; who drew on a turn of their own had none that fitted."""
    held = memory.may_hold.get(e.seat, _ANY)
    more = {suit: min(most + e.drawn, UNLIMITED) for suit, most in held.items()}
    if e.reason is DrawReason.TURN:
        more[memory.color] = more[None] = 1
    return replace(memory, may_hold={**memory.may_hold, e.seat: more})


def _turn_passed(memory: Memory, e: TurnPassed) -> Memory:
    """What was drawn did not fit either."""
    if e.by_clock:
        return memory
    held = memory.may_hold.get(e.seat, _ANY)
    none = {**held, memory.color: 0, None: 0}
    return replace(memory, may_hold={**memory.may_hold, e.seat: none})


def _pile_reshuffled(memory: Memory, e: PileReshuffled) -> Memory:
    return replace(memory, laid=memory.laid[e.count :])


def _play_called_out(memory: Memory, e: PlayCalledOut) -> Memory:
    return replace(memory, laid=memory.laid[:-1], color=e.color)


def _hands_swapped(memory: Memory, e: HandsSwapped) -> Memory:
    moved = {
        taker: memory.may_hold.get(giver, _ANY)
        for giver, taker in zip(e.givers, e.takers, strict=True)
    }
    return replace(memory, may_hold={**memory.may_hold, **moved})


def _hands_shuffled(memory: Memory, e: HandsShuffled) -> Memory:
    return replace(memory, may_hold=dict.fromkeys(memory.may_hold, _ANY))


_CHANGES: Final[Mapping[type[Event], Callable[[Memory, Any], Memory]]] = {
    RoundStarted: _round_started,
    PositionPlaced: _position_placed,
    ColorChosen: _color_chosen,
    CardPlayed: _card_played,
    CardsDrawn: _cards_drawn,
    TurnPassed: _turn_passed,
    PileReshuffled: _pile_reshuffled,
    PlayCalledOut: _play_called_out,
    HandsSwapped: _hands_swapped,
    HandsShuffled: _hands_shuffled,
}
