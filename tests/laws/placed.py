"""Positions at random: any hands, piles and totals from which a match could go on."""

from __future__ import annotations

import random
from collections.abc import Iterator

from domain.cards import Card, Color
from domain.commands import SERVICE, PlaceMatch
from domain.editions import DECKS
from domain.events import Seat
from domain.options import Form, Options
from domain.placement import Placement
from domain.placing import faults
from tests.laws.table import Table, played_on
from tests.spec import seed_of

HAND_MAX = 9


def position(chance: random.Random, options: Options, seats: int) -> Placement:
    """A legal position for these options."""
    deck = list(DECKS[options.edition])
    chance.shuffle(deck)
    hands = tuple(tuple(_taken(deck, chance.randint(1, HAND_MAX))) for _ in range(seats))
    top = deck.pop()
    turn = Seat(chance.randrange(seats))
    placement = Placement(
        hands=hands,
        top=top,
        turn=turn,
        color=chance.choice(list(Color)) if top.is_wild else None,
        discard=tuple(_taken(deck, chance.randint(0, 12))),
        pile=tuple(_taken(deck, chance.randint(0, 12))),
        exact=chance.random() < 0.5,
        dealer=Seat(chance.randrange(seats)),
        direction=chance.choice((1, -1)),
        scores=_totals(chance, options, seats),
        said_uno=frozenset(_who_said_uno(chance, hands, turn)),
    )
    assert faults(placement, options) == ()
    return placement


def _taken(deck: list[Card], count: int) -> list[Card]:
    taken, deck[:] = deck[:count], deck[count:]
    return taken


def _totals(chance: random.Random, options: Options, seats: int) -> tuple[int, ...]:
    totals = [chance.randrange(options.target) for _ in range(seats)]
    if options.form is Form.TEAMS:
        totals = totals[:2] * 2
    return tuple(totals)


def _who_said_uno(
    chance: random.Random, hands: tuple[tuple[Card, ...], ...], turn: Seat
) -> Iterator[Seat]:
    for seat, hand in enumerate(hands):
        if len(hand) <= (2 if seat == turn else 1) and chance.random() < 0.5:
            yield Seat(seat)


def placed(seed: int, options: Options, seats: int) -> Table:
    """A match that begins in a position made of a number."""
    table = Table(seed)
    placement = position(random.Random(f"position {seed}"), options, seats)
    players = tuple(seed_of("player", seat).hex() for seat in range(seats))
    table.tell(SERVICE, PlaceMatch(options, players, placement, seed_of("salt", seed)))
    return table


def played_from(seed: int, options: Options, seats: int) -> Iterator[Table]:
    """The same, and then played to its end."""
    table = placed(seed, options, seats)
    yield table
    yield from played_on(table)
