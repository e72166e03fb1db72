"""A match of the load: four seats played from one connection, each knowing only its own answers.

The cheapest player there is: it reads of an answer what it needs for the next command and
nothing else. A seat that was dealt cards since its last answer draws, which is always allowed
(TURN-3), and so learns its hand without another request.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from domain.cards import Card, Color

DRAW: Final = b'{"type":"draw_card"}'
PASS: Final = b'{"type":"pass_turn"}'
_ACCEPT: Final = b'{"type":"accept_penalty"}'
_CHALLENGE: Final = b'{"type":"challenge"}'
_CHALLENGE_EVERY: Final = 4
"""One wild draw four in four is doubted."""


class _Pending(Struct, frozen=True, gc=False):
    kind: str
    seat: int | None = None


class _You(Struct, frozen=True, gc=False):
    seat: int
    hand: tuple[Card, ...]
    drawn: Card | None = None


class _Seat(Struct, frozen=True, gc=False):
    cards: int


class _View(Struct, frozen=True, gc=False):
    version: int
    status: str
    round: int
    color: Color | None
    top: Card | None
    seats: tuple[_Seat, ...]
    pending: _Pending
    you: _You


class _Answer(Struct, frozen=True, gc=False):
    view: _View


_answers: Final = msgspec.json.Decoder(_Answer)
_views: Final = msgspec.json.Decoder(_View)


def _body(card: Card, color: Color | None, uno: bool) -> bytes:
    named = f',"color":"{color}"' if color else ""
    said = ',"uno":true' if uno else ""
    return f'{{"type":"play_card","card":"{card}"{named}{said}}}'.encode()


_PLAYS: Final = {
    (card, color, uno): _body(card, color, uno)
    for card in Card
    for color in (Color if card.is_wild else (None,))
    for uno in (False, True)
}
_COLORS: Final = {
    color: b'{"type":"choose_color","color":"%s"}' % color.encode() for color in Color
}


class Knowledge:
    """What the seats of one match know, and what the seat to act does next."""

    def __init__(self, seats: int) -> None:
        self._hands: list[tuple[Card, ...] | None] = [None] * seats
        self._round = 0
        self._doubts = 0
        self.is_over = False

    def after_answer(self, body: bytes) -> tuple[int, bytes] | None:
        """Learn from a command's answer; the next seat and its command, None at the end."""
        return self._learn(_answers.decode(body).view)

    def after_view(self, body: bytes) -> tuple[int, bytes] | None:
        """Learn from a view that was read; the next seat and its command, None at the end."""
        return self._learn(_views.decode(body))

    def _learn(self, view: _View) -> tuple[int, bytes] | None:
        hands = self._hands
        if view.round != self._round:
            self._round = view.round
            hands[:] = [None] * len(hands)
        for index, entry in enumerate(view.seats):
            hand = hands[index]
            if hand is not None and len(hand) != entry.cards:
                hands[index] = None
        hands[view.you.seat] = view.you.hand
        seat = view.pending.seat
        if seat is None:
            self.is_over = True
            return None
        return seat, self._command(view, seat)

    def _command(self, view: _View, seat: int) -> bytes:
        hand = self._hands[seat]
        if view.pending.kind == "penalty":
            self._doubts += 1
            return _ACCEPT if self._doubts % _CHALLENGE_EVERY else _CHALLENGE
        if view.pending.kind == "color":
            return _COLORS[_favorite(hand or ())]
        if hand is None:
            return DRAW
        if view.you.seat == seat and view.you.drawn is not None:
            return _play(view.you.drawn, hand) if _fits(view.you.drawn, view) else PASS
        for card in hand:
            if not card.is_wild and _fits(card, view):
                return _play(card, hand)
        return _play(hand[-1], hand) if hand[-1].is_wild else DRAW


def _fits(card: Card, view: _View) -> bool:
    top = view.top
    return card.is_wild or card.color is view.color or (top is not None and card.face is top.face)


def _play(card: Card, hand: tuple[Card, ...]) -> bytes:
    color = _favorite(hand) if card.is_wild else None
    return _PLAYS[card, color, len(hand) == 2]


def _favorite(hand: tuple[Card, ...]) -> Color:
    """The color of the first card that has one."""
    return next((card.color for card in hand if card.color), Color.RED)
