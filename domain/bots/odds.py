"""What others may hold, reckoned from the cards that a seat has not seen.

Each hidden card is taken to be any of the unseen ones, unless what its holder did speaks against
a color (``domain.bots.memory``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from domain.bots.memory import SUITS, UNLIMITED, Memory, Suit
from domain.bots.reading import you
from domain.cards import Color, Face
from domain.editions import DECKS, Edition
from domain.events import Seat
from domain.views import SeatView

_Kind = tuple[Suit, Face]
_SUITS: Final[Mapping[Edition, Mapping[Suit, int]]] = {
    edition: Counter([card.color for card in deck]) for edition, deck in DECKS.items()
}
_KINDS: Final[Mapping[Edition, Mapping[_Kind, int]]] = {
    edition: Counter([(card.color, card.face) for card in deck]) for edition, deck in DECKS.items()
}


class Odds:
    """The chances, from 0 to 1, as the seat of a view can know them."""

    def __init__(self, view: SeatView, memory: Memory) -> None:
        edition, seen = view.options.edition, memory.laid + you(view).hand
        suits = Counter([card.color for card in seen])
        self._unseen = {suit: max(_SUITS[edition][suit] - suits[suit], 0) for suit in SUITS}
        self._all = max(sum(self._unseen.values()), 1)
        self._deck = _KINDS[edition]
        self._seen = Counter([(card.color, card.face) for card in seen])
        self._cards = {entry.seat: entry.cards for entry in view.seats}
        self._may_hold = memory.may_hold

    def holds(self, seat: Seat, suit: Suit) -> float:
        """That a seat has a card of a suit."""
        return 1 - self._lacks(seat, suit)

    def is_stuck(self, seat: Seat, color: Color, face: Face) -> float:
        """That a seat can play nothing on this color and face."""
        chance = self._lacks(seat, color) * self._lacks(seat, None)
        others = sum(self._left(other, face) for other in Color if other is not color)
        return float(chance * (1 - min(others / self._all, 1)) ** self._cards[seat])

    def _left(self, color: Color, face: Face) -> int:
        """How many cards of a kind have not been seen."""
        kind = color, face
        return max(self._deck.get(kind, 0) - self._seen[kind], 0)

    def _lacks(self, seat: Seat, suit: Suit) -> float:
        """That none of the cards of a seat that may be of a suit is."""
        most = self._may_hold[seat][suit] if seat in self._may_hold else UNLIMITED
        share = min(self._unseen[suit] / self._all, 1)
        return float((1 - share) ** min(most, self._cards[seat]))
