"""Chapters 4 and 5: Skip, Reverse, Draw Two and Wild; two players."""

from __future__ import annotations

import pytest

from domain.commands import AcceptPenalty, Challenge, DrawCard, PassTurn
from domain.events import DrawReason
from domain.refusals import Refusal
from tests.spec import (
    ANN,
    BLUE,
    BOB,
    CAT,
    DAN,
    GREEN,
    YELLOW,
    deal,
    drew,
    given,
    play,
    played,
)


def test_skip_passes_over_the_next_player() -> None:
    """SKIP-1."""
    table = deal(ANN="RS B5 B6", BOB="B5", CAT="Y1", top="R5")
    given(table).when(ANN, play("RS")).then(played(ANN, "RS", turn=CAT))


def test_reverse_turns_the_direction_round() -> None:
    """REV-1."""
    table = deal(ANN="RR B5 B6", BOB="B5", CAT="Y1", DAN="Y2", top="R5")
    story = given(table).when(ANN, play("RR"))
    story.then(played(ANN, "RR", turn=DAN, direction=-1)).then_table(direction=-1)


def test_a_second_reverse_turns_it_back() -> None:
    """REV-1."""
    table = deal(ANN="RR B5 B6", BOB="B5", CAT="BR B7 B8", top="BR", turn=CAT, direction=-1)
    given(table).when(CAT, play("BR")).then(played(CAT, "BR", turn=ANN, direction=1))


def test_reverse_then_skip_among_three() -> None:
    """REV-1, SKIP-1, case 44: the turn goes A to C, whose Skip jumps B: A plays."""
    story = given(deal(ANN="RR B5 B6", BOB="B1 B2 B3", CAT="RS Y1 Y2", top="R5"))
    story.when(ANN, play("RR")).then_table(turn=CAT)
    story.when(CAT, play("RS")).then(played(CAT, "RS", turn=ANN, direction=-1))


def test_draw_two_makes_the_next_player_draw_and_skips_them() -> None:
    """D2-1, case 39: five cards become seven."""
    table = deal(ANN="RD B5 B6", BOB="B1 B2 B3 B4 B7", CAT="Y1", top="R5", pile="G1 G2")
    story = given(table).when(ANN, play("RD"))
    story.then(played(ANN, "RD", turn=CAT), drew(BOB, 2, DrawReason.DRAW_TWO, turn=CAT))
    story.then_table(BOB="B1 B2 B3 B4 B7 G1 G2", turn=CAT)


def test_a_draw_two_cannot_be_answered() -> None:
    """D2-1, case 36: its victim has drawn already, and is not to move."""
    story = given(deal(ANN="RD B5 B6", BOB="BD B1", CAT="Y1", top="R5")).when(ANN, play("RD"))
    story.when(BOB, play("BD")).then_refused(Refusal.TURN_MUST_BE_YOURS)


@pytest.mark.parametrize(("card", "fits"), [("B7", True), ("RD", True), ("G1", False)])
def test_after_a_served_draw_two_play_goes_on_as_usual(card: str, fits: bool) -> None:
    """D2-2, case 35: its color or its symbol."""
    table = deal(ANN="BD B5 B6", BOB="Y1", CAT="B7 RD G1", top="B9")
    story = given(table).when(ANN, play("BD")).when(CAT, play(card))
    if fits:
        story.then_table(top=card)
    else:
        story.then_refused(Refusal.CARD_MUST_MATCH)


def test_counter_clockwise_effects_go_the_other_way() -> None:
    """D2-1, REV-1: the victim is the next in direction."""
    table = deal(ANN="RD B5 B6", BOB="B1", CAT="Y1", DAN="Y2", top="R5", direction=-1)
    story = given(table).when(ANN, play("RD"))
    story.then(
        played(ANN, "RD", turn=CAT, direction=-1), drew(DAN, 2, DrawReason.DRAW_TWO, turn=CAT)
    )


def test_a_wild_names_a_color_and_nothing_else_happens() -> None:
    """WILD-1."""
    table = deal(ANN="W R1 R2", BOB="B1", CAT="Y1", top="R5")
    given(table).when(ANN, play("W", BLUE)).then(played(ANN, "W", BLUE, turn=BOB))


# Two players.


def test_two_players_reverse_acts_as_skip() -> None:
    """REV-2, TWO-1, case 42: its author plays again at once."""
    story = given(deal(ANN="RR R1 R2", BOB="B1", top="R5")).when(ANN, play("RR"))
    story.then(played(ANN, "RR", turn=ANN)).when(ANN, play("R1")).then_table(turn=BOB)


def test_two_players_skip_lets_its_author_play_again() -> None:
    """SKIP-2, TWO-1, case 45."""
    story = given(deal(ANN="GS GS G3 G4", BOB="B1", top="G5"))
    story.when(ANN, play("GS")).then_table(turn=ANN)
    story.when(ANN, play("GS")).then_table(turn=ANN)
    story.when(ANN, play("G3")).then_table(turn=BOB)


def test_two_players_draw_two_lets_its_author_play_again() -> None:
    """TWO-1, D2-1."""
    table = deal(ANN="RD R1 R2", BOB="B1", top="R5")
    story = given(table).when(ANN, play("RD"))
    story.then(played(ANN, "RD", turn=ANN), drew(BOB, 2, DrawReason.DRAW_TWO, turn=ANN))


def test_two_players_an_accepted_wild_draw_four() -> None:
    """TWO-1, case 38: the other draws exactly four and is skipped; a draw besides is refused."""
    story = given(deal(ANN="W4 B1 B2", BOB="Y1", top="R5")).when(ANN, play("W4", GREEN))
    story.when(BOB, AcceptPenalty())
    assert story.match.round is not None
    assert len(story.match.round.hands[BOB]) == 5
    story.when(BOB, DrawCard()).then_refused(Refusal.TURN_MUST_BE_YOURS)
    story.then_table(turn=ANN)


def test_two_players_a_wrong_challenge() -> None:
    """TWO-1, WD4-6: the challenger draws six and is skipped."""
    story = given(deal(ANN="W4 B1 B2", BOB="Y1", top="R5")).when(ANN, play("W4", GREEN))
    story.when(BOB, Challenge()).then_table(turn=ANN)
    assert story.match.round is not None
    assert len(story.match.round.hands[BOB]) == 7


def test_two_players_twice_a_wild_draw_four() -> None:
    """TWO-1, WD4-9, case 74: the second is measured against the color the first one named."""
    story = given(deal(ANN="W4 W4 R1", BOB="Y1", top="W", color=BLUE))
    story.when(ANN, play("W4", GREEN)).when(BOB, AcceptPenalty()).then_table(turn=ANN)
    story.when(ANN, play("W4", YELLOW, uno=True))
    assert story.match.round is not None
    assert story.match.round.penalty is not None
    assert story.match.round.penalty.judged_color is GREEN
    story.when(BOB, Challenge()).then_table(turn=ANN)


def test_two_players_all_else_as_usual() -> None:
    """TWO-2."""
    story = given(deal(ANN="R1 R2 R3", BOB="R4 Y1", top="R5")).when(ANN, play("R1"))
    story.then_table(turn=BOB).when(BOB, play("R4", uno=True)).then_table(turn=ANN)


def test_two_players_a_wild_or_a_draw_ends_the_turn_as_usual() -> None:
    """TWO-2."""
    story = given(deal(ANN="W R2 R3", BOB="R4 Y1", top="R5", pile="B9"))
    story.when(ANN, play("W", GREEN)).then_table(turn=BOB)
    story.when(BOB, DrawCard()).when(BOB, PassTurn()).then_table(turn=ANN)


def test_two_players_a_right_challenge_keeps_the_turn_as_usual() -> None:
    """TWO-2, WD4-5."""
    story = given(deal(ANN="W4 R1 B2", BOB="Y1", top="R5")).when(ANN, play("W4", GREEN))
    story.when(BOB, Challenge()).then_table(turn=BOB, BOB="Y1")
