"""Hypothesis asks tables for anything, by anybody, at any time: no state breaks a law."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain.cards import Card, Color
from domain.commands import (
    SERVICE,
    AcceptPenalty,
    Actor,
    ActorKind,
    AddSeed,
    CallOut,
    CallUno,
    CatchUno,
    Challenge,
    ChooseColor,
    Command,
    CreateMatch,
    DrawCard,
    JoinMatch,
    Leave,
    LeaveSeat,
    PassTurn,
    PenalizeAdvice,
    PlayCard,
    Return,
    SeatBot,
    StartMatch,
)
from domain.deal import shuffled
from domain.editions import DECKS, Edition
from domain.events import AdviceReason, BotLevel, Seat, Visibility
from domain.legal import legal_commands
from domain.limits import SEATS_MAX, SEATS_MIN
from domain.options import (
    Customizable,
    DrawnCard,
    Enforcement,
    Form,
    OnLeave,
    Options,
    Reveal,
    Stacking,
    WildDrawFour,
)
from domain.refusals import RuleViolation
from tests.laws import laws
from tests.laws.table import Table, player
from tests.spec import person, seed_of

seats = st.integers(0, SEATS_MAX - 1).map(Seat)
cards = st.sampled_from(Card)
colors = st.sampled_from(Color)
plain = st.builds(
    Options,
    target=st.sampled_from((50, 100)),
    wild_draw_four=st.sampled_from(WildDrawFour),
    drawn_card=st.sampled_from(DrawnCard),
    reveal=st.sampled_from(Reveal),
    form=st.sampled_from((Form.FREE_FOR_ALL, Form.ELIMINATION)),
    on_leave=st.sampled_from(OnLeave),
    starting_hand=st.sampled_from((5, 7, 10)),
)
house = st.builds(
    Options,
    edition=st.just(Edition.MODERN_112),
    wild_draw_four=st.sampled_from(WildDrawFour),
    customizable=st.sampled_from(Customizable),
    stacking=st.sampled_from(Stacking),
    seven_zero=st.booleans(),
    jump_in=st.booleans(),
    draw_until_playable=st.booleans(),
    force_play=st.booleans(),
)
called_out = st.builds(
    Options,
    edition=st.just(Edition.MODERN_112),
    enforcement=st.just(Enforcement.TABLE),
    uno_grace=st.just(1),
    customizable=st.sampled_from(Customizable),
)
options = plain | house | called_out
actors = st.one_of(
    seats.map(person),
    st.sampled_from((SERVICE, Actor(ActorKind.APP), Actor(ActorKind.OPERATOR))),
    seats.map(lambda seat: Actor(ActorKind.BOT, seat)),
)
before_play = st.one_of(
    st.builds(JoinMatch, player=st.integers(0, 11).map(lambda who: seed_of(who).hex())),
    st.builds(SeatBot, level=st.sampled_from(BotLevel)),
    st.just(LeaveSeat()),
    st.just(StartMatch()),
)
in_play = st.one_of(
    st.builds(PlayCard, card=cards, color=st.none() | colors, uno=st.booleans()),
    st.builds(PlayCard, card=cards, color=st.none() | colors, swap_with=seats),
    st.builds(CallOut, seat=seats),
    st.builds(PenalizeAdvice, seat=seats, reason=st.sampled_from(AdviceReason)),
    st.sampled_from((DrawCard(), PassTurn(), AcceptPenalty(), Challenge(), CallUno())),
    st.sampled_from((Leave(), Return())),
    st.builds(ChooseColor, color=colors),
    st.builds(CatchUno, seat=seats),
    st.builds(AddSeed, round=st.integers(1, 3), client_seed=st.sampled_from(("", "AA", "_" * 43))),
)


class Tables(RuleBasedStateMachine):
    """A table of strangers who know no rules."""

    @initialize(seats=st.integers(SEATS_MIN, SEATS_MAX), options=options, seed=st.integers(0, 99))
    def create(self, seats: int, options: Options, seed: int) -> None:
        self.table = Table(seed)
        self.table.tell(SERVICE, CreateMatch(options, seats, Visibility.PUBLIC, player="ANN"))
        self.checked = 0

    @rule(actor=actors, command=before_play | in_play)
    def anything(self, actor: Actor, command: Command) -> None:
        """A refusal changes nothing; the state is not even another object."""
        match, known = self.table.match, len(self.table.steps)
        try:
            self.table.tell(actor, command)
        except RuleViolation as violation:
            assert violation.refusal.detail
            assert self.table.match is match and len(self.table.steps) == known

    @precondition(lambda self: self.table.match.status == "open")
    @rule()
    def fill_and_start(self) -> None:
        """So that most tables come to play."""
        for number in range(100, 110):
            if len(self.table.match.seats) < self.table.match.seats_total:
                self.table.tell(SERVICE, JoinMatch(seed_of(number).hex()))
        self.table.tell(SERVICE, StartMatch())

    @precondition(lambda self: self.table.match.round is not None)
    @rule(choice=st.integers(0, 1_000), times=st.integers(1, 20))
    def something_legal(self, choice: int, times: int) -> None:
        """So that play goes on."""
        for number in range(times):
            round = self.table.match.round
            if round is not None:
                self.table.now = max(self.table.now, round.not_before or 0)
                legal = legal_commands(self.table.match, round.turn)
                actor = player(self.table.match, round.turn)
                self.table.tell(actor, legal[(choice + number) % len(legal)])

    @invariant()
    def laws_hold(self) -> None:
        for step in self.table.steps[self.checked :]:
            laws.no_card_comes_or_goes(step)
            laws.stored_and_read_again_it_is_the_same(step)
            laws.only_plays_and_draws_change_hands(step)
        if len(self.table.steps) > self.checked:
            laws.the_seat_to_move_may_do_what_is_listed(self.table.match)
            laws.views_hold_no_foreign_card(self.table.match)
            laws.a_view_lists_what_may_be_done(self.table.match)
            laws.folding_is_evolving_again_and_again(self.table)
        self.checked = len(self.table.steps)


TestTables = Tables.TestCase
TestTables.settings = settings(
    max_examples=200, stateful_step_count=30, deadline=None, derandomize=True
)


@settings(deadline=None, derandomize=True)
@given(
    cards=st.lists(cards, max_size=108).map(tuple),
    key=st.binary(min_size=32, max_size=32),
    number=st.integers(0, 2**32 - 1),
)
def test_a_shuffle_moves_cards_and_nothing_else(
    cards: tuple[Card, ...], key: bytes, number: int
) -> None:
    once = shuffled(cards, key, number)
    assert sorted(once) == sorted(cards)
    assert shuffled.__wrapped__(cards, key, number) == once


@settings(deadline=None, derandomize=True)
@given(key=st.binary(min_size=32, max_size=32), number=st.integers(0, 2**31))
def test_another_number_is_another_order(key: bytes, number: int) -> None:
    deck = DECKS[Edition.CLASSIC_108]
    assert shuffled(deck, key, number) != shuffled(deck, key, number + 1)
