"""Which card comes to whom: the draw for the dealer, the deal and the opening card.

Not here: the shuffle itself (``domain.deal``), nor what an opening card does
(``domain.moves.opening``). ``docs/deal.md`` is normative.
"""

from __future__ import annotations

from msgspec import Struct

from domain.cards import Card, Face, Hand
from domain.deal import order_digest, shuffled
from domain.events import DealerDraw, DealerDrawn, Seat


class Dealt(Struct, frozen=True, gc=False):
    """A dealt table. ``pile`` is what is left, top first; ``shuffles`` counts the round's."""

    hands: tuple[Hand, ...]
    opening: Card
    pile: tuple[Card, ...]
    put_back: int
    shuffles: int
    digest: str


def draw_for_dealer(deck: tuple[Card, ...], key: bytes, seats: int) -> DealerDrawn:
    """Each seat draws one card, the highest number deals (SETUP-2); ties draw on (SETUP-3)."""
    draws: list[tuple[DealerDraw, ...]] = []
    order, shuffles = shuffled(deck, key, 0), 1
    tied = [Seat(seat) for seat in range(seats)]
    while len(tied) > 1:
        if len(order) < len(tied):
            order, shuffles = shuffled(deck, key, shuffles), shuffles + 1
        drawn = tuple(map(DealerDraw, tied, order))
        order = order[len(tied) :]
        highest = max(_rank(draw.card) for draw in drawn)
        tied = [draw.seat for draw in drawn if _rank(draw.card) == highest]
        draws.append(drawn)
    return DealerDrawn(draws=tuple(draws), dealer=tied[0], shuffles=shuffles)


def _rank(card: Card) -> int:
    """Numbers count their value; action and wild cards count 0 (SETUP-2)."""
    return int(card.face) if card.face.isdigit() else 0


def deal(
    deck: tuple[Card, ...],
    key: bytes,
    *,
    number: int,
    seats: int,
    order: tuple[Seat, ...],
    dealer: Seat,
    hand_size: int,
) -> Dealt:
    """Deal one card at a time from the dealer's left (SETUP-5); ``number`` is the shuffle's."""
    cards = shuffled(deck, key, number)
    hands: list[Hand] = [()] * seats
    left = order.index(dealer) + 1
    dealt = hand_size * len(order)
    for place, seat in enumerate(order[left:] + order[:left]):
        hands[seat] = cards[place : dealt : len(order)]
    pile, put_back = cards[dealt:], 0
    while pile[0].face is Face.WILD_DRAW_FOUR:  # FIRST-5
        put_back += 1
        pile = shuffled((*pile[1:], pile[0]), key, number + put_back)
    last = number + put_back
    return Dealt(
        hands=tuple(hands),
        opening=pile[0],
        pile=pile[1:],
        put_back=put_back,
        shuffles=last + 1,
        digest=order_digest(key, last, [card for hand in hands for card in hand] + list(pile)),
    )
