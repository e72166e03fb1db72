"""Sevens and zeros that make hands change owners (HOUSE-2, UNO-6)."""

from __future__ import annotations

from domain.commands import CallUno, CatchUno
from domain.events import HandsSwapped, RoundEnded
from domain.options import Options
from domain.refusals import Refusal
from domain.sight import mine, view_of
from domain.views import Mine
from tests.spec import (
    ANN,
    BOB,
    CAT,
    DAN,
    Story,
    deal,
    given,
    hand_of,
    play,
    played,
    started_where,
)

SEVEN_ZERO = Options(seven_zero=True)


def table(**more: str) -> Story:
    """Three players with hands that tell them apart."""
    hands = {"ANN": "R7 R0 G1", "BOB": "B1 B2", "CAT": "Y1 Y2 Y3"} | more
    return given(deal(top="R5", options=SEVEN_ZERO, **hands))


def test_a_seven_swaps_hands_with_a_chosen_player() -> None:
    """HOUSE-2."""
    story = (
        table()
        .when(ANN, play("R7", swap_with=CAT))
        .then(played(ANN, "R7", turn=BOB), HandsSwapped(ANN, givers=(ANN, CAT), takers=(CAT, ANN)))
    )
    story.then_table(ANN="Y1 Y2 Y3", BOB="B1 B2", CAT="R0 G1")


def test_the_swap_is_compulsory_and_with_another() -> None:
    """HOUSE-2."""
    table().when(ANN, play("R7")).then_refused(Refusal.SWAP_MUST_NAME_A_SEAT)
    for seat in (ANN, DAN):
        story = table().when(ANN, play("R7", swap_with=seat))
        story.then_refused(Refusal.SWAP_MUST_BE_WITH_ANOTHER)


def test_other_cards_name_no_partner() -> None:
    """HOUSE-2."""
    table().when(ANN, play("R0", swap_with=BOB)).then_refused(Refusal.SWAP_MUST_BE_DUE)
    story = given(deal(ANN="R7 R1", BOB="B1", top="R5"))
    story.when(ANN, play("R7", swap_with=BOB)).then_refused(Refusal.SWAP_MUST_BE_DUE)


def test_a_zero_passes_all_hands_on_in_the_direction_of_play() -> None:
    """HOUSE-2."""
    story = (
        table()
        .when(ANN, play("R0"))
        .then(
            played(ANN, "R0", turn=BOB),
            HandsSwapped(ANN, givers=(ANN, BOB, CAT), takers=(BOB, CAT, ANN)),
        )
    )
    story.then_table(ANN="Y1 Y2 Y3", BOB="R7 G1", CAT="B1 B2")


def test_counter_clockwise_it_passes_them_the_other_way() -> None:
    """HOUSE-2."""
    hands = {"ANN": "R0 G1", "BOB": "B1 B2", "CAT": "Y1 Y2 Y3"}
    story = given(deal(top="R5", direction=-1, options=SEVEN_ZERO, **hands))
    story.when(ANN, play("R0")).then_table(ANN="B1 B2", BOB="Y1 Y2 Y3", CAT="G1")


def test_with_two_players_both_swap() -> None:
    """HOUSE-2."""
    for command in (play("R0"), play("R7", swap_with=BOB)):
        story = given(deal(ANN="R7 R0 G1", BOB="B1", top="R5", options=SEVEN_ZERO))
        story.when(ANN, command)
        rest = "R7 G1" if command == play("R0") else "R0 G1"
        story.then_table(ANN="B1", BOB=rest, turn=BOB)


def test_a_last_seven_or_zero_has_no_effect() -> None:
    """HOUSE-2, END-4."""
    for card in ("R7", "R0"):
        story = given(deal(ANN=card, BOB="B1", CAT="Y2", top="R5", options=SEVEN_ZERO))
        story.when(ANN, play(card))
        ended = story.the(RoundEnded)
        assert isinstance(ended, RoundEnded) and (ended.winner, ended.gains) == (ANN, (3, 0, 0))
    story = given(deal(ANN="R7", BOB="B1", top="R5", options=SEVEN_ZERO))
    story.when(ANN, play("R7", swap_with=BOB)).then_refused(Refusal.SWAP_MUST_BE_DUE)


def test_an_opening_seven_or_zero_has_no_effect() -> None:
    """HOUSE-2."""
    for face in "70":
        match = started_where(
            lambda match, face=face: match.round is not None and match.round.top[1:] == face,  # type: ignore[misc]
            3,
            options=SEVEN_ZERO,
        )
        assert all(len(hand_of(match, seat)) == 7 for seat in (ANN, BOB, CAT))


def test_nobody_owes_uno_for_a_play_that_moves_hands() -> None:
    """HOUSE-2, UNO-6, case 98: neither its author nor who gets a hand of one card."""
    hands = {"ANN": "R7 G1", "BOB": "B1 B2", "CAT": "Y1 Y2 Y3"}
    story = given(deal(top="R5", options=SEVEN_ZERO, **hands)).when(ANN, play("R7", swap_with=BOB))
    story.then_table(BOB="G1", uno_owed=None)
    story.when(CAT, CatchUno(BOB)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)
    story.when(ANN, CallUno()).then_refused(Refusal.UNO_MUST_BE_OWED)


def test_earlier_announcements_are_void() -> None:
    """HOUSE-2, UNO-6."""
    story = given(
        deal(top="R5", options=SEVEN_ZERO, said=(BOB,), ANN="R0 G1 G2", BOB="B1", CAT="Y1 Y2")
    )
    story.when(ANN, play("R0")).then_table(uno_said=frozenset(), CAT="B1")


def test_each_sees_the_hand_that_came_and_the_others_only_counts() -> None:
    """HOUSE-2."""
    before = table().match
    story = given(before).when(ANN, play("R7", swap_with=CAT))
    swapped = story.events[1]
    assert mine(before, swapped, story.match, ANN) == Mine(hand=hand_of(story.match, ANN))
    assert mine(before, swapped, story.match, CAT) == Mine(hand=hand_of(story.match, CAT))
    assert mine(before, swapped, story.match, BOB) is None
    assert [seat.cards for seat in view_of(story.match, BOB).seats] == [3, 2, 2]


def test_a_view_lists_a_seven_once_for_each_partner() -> None:
    """HOUSE-2."""
    view = view_of(table().match, ANN)
    assert view.legal is not None and not isinstance(view.legal, type(None))
    assert [one for one in view.legal if one == play("R7", swap_with=BOB)]  # type: ignore[union-attr]
    assert [one for one in view.legal if one == play("R7", swap_with=CAT)]  # type: ignore[union-attr]
    assert play("R7") not in view.legal and play("R0") in view.legal  # type: ignore[operator]


def test_without_the_option_nothing_moves() -> None:
    """HOUSE-2."""
    story = given(deal(ANN="R7 R0 G1", BOB="B1", top="R5"))
    story.when(ANN, play("R7")).then(played(ANN, "R7", turn=BOB))
