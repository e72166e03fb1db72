"""The house rule of playing out of turn the twin of the top card (HOUSE-3)."""

from __future__ import annotations

import pytest

from domain.commands import AcceptPenalty, CallUno, CatchUno, DrawCard, PassTurn
from domain.events import DrawReason
from domain.options import Options, Stacking
from domain.refusals import Refusal
from domain.sight import view_of
from tests.spec import (
    ANN,
    BOB,
    CAT,
    DAN,
    GREEN,
    Story,
    deal,
    drew,
    given,
    play,
    played,
)

JUMP = Options(jump_in=True)


def table(card: str = "R7", options: Options = JUMP, **more: str) -> Story:
    """ANN is to lay a card whose twin DAN holds."""
    hands = {
        "ANN": f"{card} G1 G2",
        "BOB": "B1 B2 R1",
        "CAT": "Y1 Y2",
        "DAN": f"{card} B9 B8",
    } | more
    return given(deal(top="R5", options=options, **hands))


def test_the_twin_of_the_top_card_may_be_played_out_of_turn() -> None:
    """HOUSE-3, case 147: the next turn counts from who jumped in."""
    story = table().when(ANN, play("R7"))
    story.when(DAN, play("R7")).then(played(DAN, "R7", turn=ANN))


def test_without_the_option_it_is_refused() -> None:
    """HOUSE-3, TURN-2."""
    story = table(options=Options()).when(ANN, play("R7"))
    story.when(DAN, play("R7")).then_refused(Refusal.TURN_MUST_BE_YOURS)


@pytest.mark.parametrize("card", ["R9", "B7"])
def test_only_an_identical_card(card: str) -> None:
    """HOUSE-3: neither the color nor the number alone."""
    story = table(DAN=f"{card} B9 B8").when(ANN, play("R7"))
    story.when(DAN, play(card)).then_refused(Refusal.TURN_MUST_BE_YOURS)


def test_only_a_colored_card() -> None:
    """HOUSE-3."""
    story = table("W").when(ANN, play("W", GREEN))
    story.when(DAN, play("W", GREEN)).then_refused(Refusal.TURN_MUST_BE_YOURS)


def test_not_the_author_of_the_top_card() -> None:
    """HOUSE-3."""
    story = table(ANN="R7 R7 G1", DAN="B9").when(ANN, play("R7"))
    story.when(ANN, play("R7")).then_refused(Refusal.TURN_MUST_BE_YOURS)


def test_not_on_the_opening_card() -> None:
    """HOUSE-3."""
    story = table(DAN="R5 B9")
    story.when(DAN, play("R5")).then_refused(Refusal.TURN_MUST_BE_YOURS)


def test_not_once_the_next_turn_has_begun() -> None:
    """HOUSE-3: nor while a drawn card is pending, nor after a pass."""
    story = table().when(ANN, play("R7")).when(BOB, DrawCard())
    story.when(DAN, play("R7")).then_refused(Refusal.TURN_MUST_BE_YOURS)
    story.when(BOB, PassTurn()).when(DAN, play("R7")).then_refused(Refusal.TURN_MUST_BE_YOURS)


def test_a_card_not_held_is_refused() -> None:
    """HOUSE-3, case 146."""
    story = table(DAN="B9 B8").when(ANN, play("R7"))
    story.when(DAN, play("R7")).then_refused(Refusal.CARD_MUST_BE_IN_HAND)


def test_not_while_a_stack_is_pending() -> None:
    """HOUSE-3, HOUSE-1."""
    options = Options(jump_in=True, stacking=Stacking.SAME)
    story = table("RD", options).when(ANN, play("RD"))
    story.when(DAN, play("RD")).then_refused(Refusal.TURN_MUST_BE_YOURS)
    story.when(BOB, AcceptPenalty()).when(DAN, play("RD"))
    story.then_refused(Refusal.TURN_MUST_BE_YOURS)


def test_not_while_a_grace_is_pending() -> None:
    """HOUSE-3, UNO-7."""
    options = Options(jump_in=True, uno_grace=5)
    story = table(options=options, ANN="R7 G1").at(10).when(ANN, play("R7"))
    story.at(12).when(DAN, play("R7")).then_refused(Refusal.GRACE_MUST_HAVE_PASSED)
    story.at(15).when(DAN, play("R7")).then(played(DAN, "R7", turn=ANN))


def test_cards_already_dealt_stay_and_the_effect_counts_from_the_jumper() -> None:
    """HOUSE-3, D2-1."""
    story = table("RD").when(ANN, play("RD"))
    assert story.events[1] == drew(BOB, 2, DrawReason.DRAW_TWO, turn=CAT)
    story.when(DAN, play("RD")).then(
        played(DAN, "RD", turn=BOB), drew(ANN, 2, DrawReason.DRAW_TWO, turn=BOB)
    )


def test_a_reverse_turns_round_again() -> None:
    """HOUSE-3, REV-1."""
    story = table("RR").when(ANN, play("RR")).then_table(turn=DAN, direction=-1)
    story = table("RR", DAN="B9 B8", CAT="RR Y1 Y2").when(ANN, play("RR"))
    story.when(CAT, play("RR")).then(played(CAT, "RR", turn=DAN, direction=1))


def test_who_is_next_plays_the_twin_as_on_any_turn() -> None:
    """HOUSE-3, TURN-1."""
    story = table(BOB="R7 B1 B2", DAN="B9").when(ANN, play("R7"))
    story.when(BOB, play("R7")).then(played(BOB, "R7", turn=CAT))


def test_a_jump_in_begins_a_turn() -> None:
    """HOUSE-3, UNO-4: it is then too late to catch."""
    story = table(ANN="R7 G1").when(ANN, play("R7")).when(DAN, play("R7"))
    story.when(CAT, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)


def test_calls_and_catches_leave_the_window_open() -> None:
    """HOUSE-3, UNO-9."""
    story = table(ANN="R7 G1").when(ANN, play("R7")).when(CAT, CatchUno(ANN))
    story.when(DAN, play("R7")).then(played(DAN, "R7", turn=ANN))


def test_the_first_jump_counts() -> None:
    """HOUSE-3: the second finds another author, but the same card on top."""
    hands = {"ANN": "R7 G1 G2", "BOB": "B1 B2", "CAT": "R7 Y1 Y2"}
    story = given(deal(top="R5", options=JUMP, **hands)).when(ANN, play("R7"))
    story.when(CAT, play("R7")).then(played(CAT, "R7", turn=ANN))
    story.when(CAT, play("R7")).then_refused(Refusal.TURN_MUST_BE_YOURS)


def test_whose_turn_is_taken_has_announced_nothing() -> None:
    """HOUSE-3, UNO-1: an announcement before a play that did not come is void."""
    story = table(BOB="B1 R1").when(ANN, play("R7")).when(BOB, CallUno())
    story.when(DAN, play("R7")).then_table(uno_said=frozenset())


def test_jumping_in_with_the_second_to_last_card_owes_uno() -> None:
    """HOUSE-3, UNO-1."""
    story = table(DAN="R7 B9").when(ANN, play("R7"))
    story.when(DAN, play("R7", uno=True)).then(played(DAN, "R7", turn=ANN, uno=True))
    story = table(DAN="R7 B9").when(ANN, play("R7")).when(DAN, play("R7"))
    story.then_table(uno_owed=DAN)


def test_a_view_lists_the_jump() -> None:
    """HOUSE-3."""
    story = table().when(ANN, play("R7"))
    assert view_of(story.match, DAN).legal == (play("R7"),)
    assert view_of(story.match, CAT).legal == ()
