"""What bots remember is what everybody saw, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from domain.bots.memory import NOTHING, UNLIMITED, Memory, recall, remember
from domain.cards import Card, Color
from domain.commands import CallOut, Command, DrawCard, PassTurn
from domain.events import HandsShuffled, HandsSwapped, PileReshuffled, Seat
from domain.match import Match
from domain.options import Enforcement, Options
from tests.laws.placed import played_from
from tests.laws.table import Table, played
from tests.laws.test_forms import rules as of_a_form
from tests.laws.test_house import rules as of_the_house
from tests.spec import ANN, BOB, CAT, GREEN, RED, deal, given, play


def remembered(match: Match, *commands: tuple[Seat, Command]) -> Memory:
    """What is remembered after these commands, of a round whose beginning was not seen."""
    assert match.round is not None
    memory = Memory(match.round.discard, match.round.color, None, {})
    for seat, command in commands:
        story = given(match).when(seat, command)
        match, memory = story.match, recall(story.events, memory)
    return memory


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rules", [of_a_form, of_the_house])
@pytest.mark.parametrize("play_whole", [played, played_from])
def test_the_cards_remembered_are_those_on_the_discard_pile(
    seed: int,
    rules: Callable[[int], tuple[Options, int]],
    play_whole: Callable[[int, Options, int], Iterator[Table]],
) -> None:
    for table in play_whole(seed, *rules(seed)):
        round = table.match.round
        if round is not None:
            assert table.memory.laid == round.discard
            assert table.memory.color is round.color
    assert recall(table.events) == table.memory


def test_who_draws_and_passes_has_none_of_the_color() -> None:
    match = deal(ANN="G1 G2", BOB="B1", top="R5", pile="G4")
    held = remembered(match, (ANN, DrawCard()), (ANN, PassTurn())).may_hold[ANN]
    assert held == {**dict.fromkeys(Color, UNLIMITED), RED: 0, None: 0}


def test_what_is_drawn_later_may_be_of_the_color() -> None:
    match = deal(ANN="G1 G2", BOB="RD R1", CAT="B1", top="R5", pile="G4 R7 R8")
    drew = (ANN, DrawCard()), (ANN, PassTurn())
    nobody_reversed = remembered(match, *drew, (BOB, play("RD")))
    assert nobody_reversed.may_hold[ANN][RED] == 0
    back = deal(ANN="G1 G2", BOB="RD R1", top="R5", pile="G4 R7 R8")
    assert remembered(back, *drew, (BOB, play("RD"))).may_hold[ANN][RED] == 2


def test_who_leaves_a_color_by_a_wild_has_none_of_it_but_a_bluff_tells_nothing() -> None:
    match = deal(ANN="W W4 G2 G3", BOB="B1", top="R5")
    assert remembered(match, (ANN, play("W", GREEN))).may_hold[ANN][RED] == 0
    assert remembered(match, (ANN, play("W4", GREEN))).may_hold[ANN][RED] == UNLIMITED


def test_the_color_that_a_wild_draw_four_is_judged_on_is_remembered() -> None:
    match = deal(ANN="W4 G2 G3", BOB="B1", top="R5")
    assert remembered(match, (ANN, play("W4", GREEN))).judged is RED


def test_a_hand_is_known_by_what_its_last_owner_did() -> None:
    """HOUSE-2."""
    match = deal(ANN="G1 G2", BOB="B1", top="R5", pile="G4")
    memory = remembered(match, (ANN, DrawCard()), (ANN, PassTurn()))
    swapped = remember(memory, HandsSwapped(BOB, (ANN, BOB), (BOB, ANN)))
    assert (swapped.may_hold[BOB][RED], swapped.may_hold[ANN][RED]) == (0, UNLIMITED)


def test_nothing_is_known_of_hands_that_were_shuffled() -> None:
    """SHUF-1."""
    match = deal(ANN="G1 G2", BOB="B1", top="R5", pile="G4")
    memory = remembered(match, (ANN, DrawCard()), (ANN, PassTurn()))
    shuffled = remember(memory, HandsShuffled(BOB, 1, 4, ""))
    assert shuffled.may_hold[ANN][RED] == UNLIMITED


def test_a_reshuffle_hides_all_cards_but_the_top_one() -> None:
    """PILE-1."""
    memory = Memory((Card.R1, Card.R2, Card.R3), RED)
    assert remember(memory, PileReshuffled(1, 2, "")).laid == (Card.R3,)


def test_a_card_that_was_called_out_is_not_on_the_pile() -> None:
    """TABLE-2."""
    options = Options(enforcement=Enforcement.TABLE, uno_grace=1)
    match = deal(ANN="B1 B2 B3", BOB="Y1 Y2", CAT="Y3 Y4", top="R5", options=options)
    laid = (ANN, play("B1"))
    assert remembered(match, laid).laid == (Card.R5, Card.B1)
    assert remembered(match, laid, (CAT, CallOut(ANN))).laid == (Card.R5,)


def test_nothing_is_remembered_before_a_deal() -> None:
    assert recall((), NOTHING) == NOTHING
