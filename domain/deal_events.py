"""How a round comes onto the table: drawn for, dealt, or placed. Part of ``domain.events``."""

from __future__ import annotations

from msgspec import Struct

from domain.cards import Card, Color
from domain.event import Event
from domain.terms import Pending, Seat


class DealerDraw(Struct, frozen=True, gc=False):
    """One card drawn for the deal, shown to all."""

    seat: Seat
    card: Card


class DealerDrawn(Event, frozen=True, tag="dealer_drawn"):
    """Who deals first (SETUP-2): one list of draws, then one for each tie (SETUP-3)."""

    draws: tuple[tuple[DealerDraw, ...], ...]
    dealer: Seat
    shuffles: int


class RoundStarted(Event, frozen=True, tag="round_started"):
    """Cards were dealt and one was turned up (SETUP-5, FIRST-1..5).

    ``turn`` and ``pending`` are what holds after the opening card's effect; a draw it imposes
    follows as ``cards_drawn``. ``put_back`` counts opening wild draw fours (FIRST-5), ``shuffles``
    every shuffle of the round so far, ``digest`` is the keyed digest of the whole order.
    ``color`` is None until an opening wild's color is named.
    """

    round: int
    dealer: Seat
    order: tuple[Seat, ...]
    hand_size: int
    opening: Card
    put_back: int
    draw_pile: int
    color: Color | None
    direction: int
    turn: Seat
    pending: Pending
    shuffles: int
    digest: str


class PositionPlaced(Event, frozen=True, tag="position_placed"):
    """A position was put on the table in place of a deal: a sandbox, or a fork of a match.

    What it hides, hands and the order of the pile, is in the secret that the round was committed
    to (docs/deal.md). ``hands`` are counts by seat. ``discard`` is in the order of play: the last
    one is on top. The announcements of the seats in ``uno`` stand.
    """

    round: int
    dealer: Seat
    order: tuple[Seat, ...]
    hands: tuple[int, ...]
    discard: tuple[Card, ...]
    draw_pile: int
    color: Color
    direction: int
    turn: Seat
    pending: Pending
    scores: tuple[int, ...]
    uno: tuple[Seat, ...] = ()
