"""Whole random matches in which people also leave: cards, folds, ends and an outsider's audit."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from domain.codec import encode
from domain.commands import SERVICE, Command, CreateMatch, JoinMatch, Leave, StartMatch
from domain.editions import DECKS
from domain.events import Event, Pending, RoundBlocked, RoundEnded, RoundStarted, RoundVoided, Seat
from domain.evolve import fold
from domain.legal import legal_commands
from domain.limits import EVENTS_PER_MATCH
from domain.match import Match, new_match
from domain.options import DrawnCard, Options, Reveal, WildDrawFour
from tests.laws.audit import Auditor
from tests.spec import ANN, NAMES, Actor, Visibility, after, cards_of, person, seed_of

VARIANTS = [
    Options(target=150),
    Options(target=150, wild_draw_four=WildDrawFour.STRICT, drawn_card=DrawnCard.MUST),
    Options(target=150, reveal=Reveal.ROUND),
]


class Table:
    """A match and all its events, played by chance alone."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.players = self.chance.randint(2, 10)
        self.options = VARIANTS[seed % len(VARIANTS)]
        self.match = new_match(seed_of("random", seed)[:16])
        self.log: list[Event] = []
        self.do(SERVICE, CreateMatch(self.options, self.players, Visibility.PUBLIC, "ANN"))
        for name in NAMES[1 : self.players]:
            self.do(SERVICE, JoinMatch(name))
        self.do(person(ANN), StartMatch())

    def do(self, who: Actor, command: Command) -> None:
        seed = seed_of(self.match.id, self.match.version)
        self.match, events = after(self.match, who, command, seed)
        self.log += events

    def step(self, leaving: float) -> None:
        """Somebody leaves, speaks out of turn, or the seat to act does something."""
        round = self.match.round
        assert round is not None
        seat = round.turn
        if self.chance.random() < leaving:
            seat = self.chance.choice(round.order)
            self.do(person(seat), Leave())
            return
        others = [seat for seat in round.order if legal_commands(self.match, seat)]
        if self.chance.random() < 0.2:
            seat = self.chance.choice(others)
        self.do(person(seat), self.chance.choice(legal_commands(self.match, seat)))


@pytest.mark.parametrize("seed", range(30))
def test_a_random_match(seed: int) -> None:
    """DECK-3, LIMIT-1, AWAY-2, AWAY-3: with leavers in every second match."""
    table = Table(seed)
    whole = Counter(DECKS[table.options.edition])
    while not table.match.is_over:
        table.step(leaving=0.004 if seed % 2 else 0)
        assert table.match.is_over or cards_of(table.match) == whole
        assert is_sound(table.match)
    assert len(table.log) == table.match.version <= EVENTS_PER_MATCH
    assert fold(table.log, new_match(table.match.id)) == table.match
    ends = (RoundEnded, RoundBlocked, RoundVoided)
    started = [event.round for event in table.log if isinstance(event, RoundStarted)]
    ended = [event.round for event in table.log if isinstance(event, ends)]
    assert started == ended == list(range(1, table.match.rounds + 1))
    checks = Auditor(table.match.id, [encode(event) for event in table.log]).audit()
    assert checks["round_started"] == table.match.rounds


def is_sound(match: Match) -> bool:
    """Nobody is waited for who cannot act, and nothing is owed by who does not owe it."""
    round = match.round
    if round is None:
        return match.is_over
    assert round.turn in round.order
    assert legal_commands(match, round.turn)
    assert (round.pending is Pending.PENALTY) == (round.penalty is not None)
    assert round.drawn <= len(round.pile)
    assert set(round.order) == set(match.still_in)
    owed = round.uno_owed
    assert owed is None or (owed in round.order and len(round.hands[owed]) == 1)
    for seat in round.uno_said:
        own_turn = seat == round.turn
        assert len(round.hands[seat]) == 1 or (own_turn and len(round.hands[seat]) == 2)
    assert all(round.hands[Seat(seat)] == () for seat in match.left)
    return True
