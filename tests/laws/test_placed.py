"""Whole matches that begin in a position at random, in every form and under every house rule."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from domain.cards import Hand
from domain.codec import encode
from domain.commands import SERVICE, PlaceMatch
from domain.editions import DECKS
from domain.events import PositionPlaced, RoundCommitted, Seat
from domain.match import Match
from domain.options import Options
from domain.sight import mine, view_of
from domain.views import Mine
from tests.laws import laws, test_forms, test_house
from tests.laws.audit import Auditor
from tests.laws.every import ends_as_it_should
from tests.laws.placed import placed, played_from
from tests.laws.table import Step, Table
from tests.spec import cards_of

MATCHES = int(os.environ.get("TALON_LAWS_MATCHES", "60"))


def rules(seed: int) -> tuple[Options, int]:
    """Forms and clocks for every other match, house rules and the modern deck for the rest."""
    return test_forms.rules(seed // 2) if seed % 2 else test_house.rules(seed // 2)


@pytest.mark.parametrize("seed", range(MATCHES))
def test_every_law_holds_from_any_position(seed: int) -> None:
    for number, table in enumerate(played_from(seed, *rules(seed))):
        laws.the_seat_to_move_may_do_what_is_listed(table.match)
        if number % 50 == 0:
            laws.what_is_legal_is_accepted_and_no_more(table.match)
        if number % 10 == 0 or table.match.is_over:
            laws.views_hold_no_foreign_card(table.match)
            laws.a_view_lists_what_may_be_done(table.match)
    first = next(step.after for step in table.steps if isinstance(step.event, PositionPlaced))
    for step in table.steps:
        no_card_comes_or_goes(step, first)
        laws.stored_and_read_again_it_is_the_same(step)
        laws.only_plays_and_draws_change_hands(step)
    laws.the_log_alone_tells_it_all(table)
    laws.folding_is_evolving_again_and_again(table)
    ends_as_it_should(table)
    checks = Auditor(table.match.id, [encode(event) for event in table.events]).audit()
    assert checks["position_placed"] == 1


def no_card_comes_or_goes(step: Step, first: Match) -> None:
    """DECK-3: a placed round keeps the cards that were placed, any other one has the deck."""
    if step.after.round is not None:
        is_placed = step.after.round.number == 1
        deck = Counter(DECKS[step.after.options.edition])
        assert cards_of(step.after) == (cards_of(first) if is_placed else deck)


@pytest.mark.parametrize("seed", range(MATCHES))
def test_nobody_can_tell_positions_apart_by_what_they_hide(seed: int) -> None:
    """The same table and the same own hand: the same view, and the same events but for the seal."""
    chosen, seats = rules(seed)
    one = placed(seed, chosen, seats)
    assert isinstance(one.steps[0].command, PlaceMatch)
    other = Table(seed)
    other.tell(SERVICE, hidden_otherwise(one.steps[0].command, one.match))
    assert one.match.secrets[1] != other.match.secrets[1]
    for viewer in (None, Seat(0)):
        assert view_of(one.match, viewer) == view_of(other.match, viewer)
    assert seen_by(Seat(0), one) == seen_by(Seat(0), other)


def hidden_otherwise(command: PlaceMatch, match: Match) -> PlaceMatch:
    """The same position with what seat 0 cannot see mixed up: the others' hands and the pile."""
    assert match.round is not None
    first, *others = match.round.hands
    hidden = [card for hand in others for card in hand] + list(match.round.pile)
    Random(1).shuffle(hidden)
    hands: list[Hand] = [first]
    for hand in others:
        hands.append(tuple(hidden[: len(hand)]))
        del hidden[: len(hand)]
    placement = replace(command.placement, hands=tuple(hands), pile=tuple(hidden), exact=True)
    return replace(command, placement=placement)


def seen_by(viewer: Seat, table: Table) -> list[tuple[bytes, Mine | None]]:
    """What a seat is sent of the events, less the one commitment that seals the difference."""
    return [
        (encode(step.event), mine(step.before, step.event, step.after, viewer))
        for step in table.steps
        if not (isinstance(step.event, RoundCommitted) and step.event.round == 1)
    ]
