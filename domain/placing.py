"""What is wrong with a position that somebody wants on the table: every fault, and where.

A legal position is one that play could go on from; not here: whether play could have led to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from domain.cards import Card
from domain.editions import DECKS
from domain.match import Match, Occupant
from domain.options import Form, Options
from domain.placement import Placement
from domain.scoring import counting_of, ending_of
from domain.terms import Seat

Place = tuple[str | int, ...]
"""Where in a placement: a field, then a seat or an index, then an index."""


class Fault(Struct, frozen=True):
    """What is wrong in one place, in a sentence."""

    place: Place
    says: str


def faults(placement: Placement, options: Options) -> tuple[Fault, ...]:
    """Everything that keeps a position from the table, in the order in which it is written."""
    return (
        *_of_cards(placement, options),
        *_of_hands(placement),
        *_of_the_color(placement),
        *_of_seats(placement),
        *_of_announcements(placement),
        *_of_totals(placement, options),
    )


def _of_cards(placement: Placement, options: Options) -> Iterator[Fault]:
    """Each card beyond what the deck has of it."""
    deck, seen = Counter(DECKS[options.edition]), Counter[Card]()
    for place, card in _cards(placement):
        seen[card] += 1
        if seen[card] > deck[card]:
            yield Fault(place, f"The deck {options.edition} has {_so_many(deck[card])} {card}.")


def _cards(placement: Placement) -> Iterator[tuple[Place, Card]]:
    for seat, hand in enumerate(placement.hands):
        for index, card in enumerate(hand):
            yield ("hands", seat, index), card
    yield ("top",), placement.top
    for index, card in enumerate(placement.discard):
        yield ("discard", index), card
    for index, card in enumerate(placement.pile):
        yield ("pile", index), card


def _so_many(count: int) -> str:
    return f"only {count}" if count else "no"


def _of_hands(placement: Placement) -> Iterator[Fault]:
    for seat, hand in enumerate(placement.hands):
        if not hand:
            yield Fault(("hands", seat), "A hand has a card at least: without one it has gone out.")


def _of_the_color(placement: Placement) -> Iterator[Fault]:
    """A wild on top has the color that was named; any other card its own."""
    own = placement.top.color
    if own is None and placement.color is None:
        yield Fault(("color",), "A wild is on top: say which color was named with it.")
    if own is not None and placement.color not in (None, own):
        yield Fault(("color",), f"The top card is {own}; only a wild on top is given a color.")


def _of_seats(placement: Placement) -> Iterator[Fault]:
    last = len(placement.hands) - 1
    for field, seat in (("dealer", placement.dealer), ("turn", placement.turn)):
        if not 0 <= seat <= last:
            yield Fault((field,), f"There is no such seat: they are 0 to {last}.")


def _of_announcements(placement: Placement) -> Iterator[Fault]:
    """UNO is said with one card left, or with two just before one is laid (UNO-1)."""
    for seat in sorted(placement.said_uno):
        most = 2 if seat == placement.turn else 1
        if len(placement.hands[seat]) > most:
            yield Fault(
                ("said_uno", seat),
                "UNO is said with one card in hand, or with two on one's own turn (UNO-1).",
            )


def _of_totals(placement: Placement, options: Options) -> Iterator[Fault]:
    """Totals with which the match goes on, and everybody in it."""
    scores = placement.scores or (0,) * len(placement.hands)
    if options.form is Form.TEAMS:
        for seat in range(2, len(scores)):
            if scores[seat] != scores[seat - 2]:
                yield Fault(("scores", seat), f"Partners have one total: {scores[seat - 2]}.")
    before = Match(
        id=b"",
        options=options,
        seats=(Occupant(),) * len(scores),
        scores=scores,
        rounds=placement.round - 1,
    )
    counting = counting_of(before)
    for eliminated in counting.out(before):
        yield Fault(
            ("scores", eliminated.seat),
            f"Who has {options.target} is out of the match (ELIM-1).",
        )
    if ending_of(before) is not None:
        highest = Seat(scores.index(max(scores)))
        yield Fault(("scores", highest), "With these totals the match would be over.")
