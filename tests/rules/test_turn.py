"""Chapter 3: a turn — play a card that fits, or draw one."""

from __future__ import annotations

import pytest

from domain.cards import Color
from domain.commands import AcceptPenalty, Command, DrawCard, PassTurn
from domain.events import DrawReason, TurnPassed
from domain.options import DrawnCard, Options
from domain.refusals import Refusal
from tests.spec import (
    ANN,
    BLUE,
    BOB,
    CAT,
    GREEN,
    RED,
    Seat,
    deal,
    drew,
    given,
    play,
    played,
)

MUST = Options(drawn_card=DrawnCard.MUST)


@pytest.mark.parametrize("card", ["R9", "B5", "RS"])
def test_a_card_matches_by_color_or_number(card: str) -> None:
    """TURN-1."""
    story = given(deal(ANN="R9 B5 RS", BOB="B1", CAT="B2", top="R5")).when(ANN, play(card))
    assert story.match.round is not None
    assert story.match.round.top == card


def test_a_card_matches_by_symbol() -> None:
    """TURN-1, D2-2."""
    table = deal(ANN="GR G3 G4", BOB="B1 B3", CAT="B2 B4", top="RR")
    given(table).when(ANN, play("GR")).then(played(ANN, "GR", turn=CAT, direction=-1))


def test_a_card_must_match() -> None:
    """TURN-1."""
    given(deal(ANN="B0 B4", BOB="B1", top="R5")).when(ANN, play("B0")).then_refused(
        Refusal.CARD_MUST_MATCH
    )


def test_a_wild_has_no_number() -> None:
    """TURN-1, case 29: on a wild draw four only its color fits, or a wild."""
    table = deal(ANN="B4 R1 W W4 G2", BOB="B1", top="W4", color=RED)
    given(table).when(ANN, play("B4")).then_refused(Refusal.CARD_MUST_MATCH)
    for fitting in (play("R1"), play("W", BLUE), play("W4", BLUE)):
        given(table).when(ANN, fitting).then_table(color=fitting.color or RED)


@pytest.mark.parametrize(
    ("seat", "command", "refused"),
    [
        (BOB, play("B1"), Refusal.TURN_MUST_BE_YOURS),
        (ANN, play("Y9"), Refusal.CARD_MUST_BE_IN_HAND),
        (ANN, play("B0", uno=True), Refusal.CARD_MUST_MATCH),
        (ANN, play("W", uno=True), Refusal.WILD_MUST_NAME_A_COLOR),
        (ANN, play("R3", RED, uno=True), Refusal.COLOR_MUST_BE_THE_CARDS),
        (ANN, play("R3", uno=True), Refusal.UNO_MUST_BE_OWED),
        (Seat(2), DrawCard(), Refusal.SEAT_MUST_BE_YOURS),
    ],
)
def test_the_first_broken_rule_is_the_answer(
    seat: Seat, command: Command, refused: Refusal
) -> None:
    """TURN-1, TURN-2: precedence is a table."""
    given(deal(ANN="B0 W R3", BOB="B5", top="R5")).when(seat, command).then_refused(refused)


def test_never_out_of_turn() -> None:
    """TURN-2, case 147: not even with a card identical to the top one."""
    table = deal(ANN="R1 R2", BOB="R3 R4", CAT="B1 B2", DAN="R7 B4", top="R7", turn=BOB)
    given(table).when(Seat(3), play("R7")).then_refused(Refusal.TURN_MUST_BE_YOURS)


def test_one_card_a_turn() -> None:
    """TURN-2, case 140: the second of two plays comes too late."""
    story = given(deal(ANN="R1 R2 B1", BOB="R5 R6 R8", CAT="B2 B3", turn=BOB, top="R7"))
    story.when(BOB, play("R5")).then(played(BOB, "R5", turn=CAT))
    story.when(BOB, play("R6")).then_refused(Refusal.TURN_MUST_BE_YOURS)


def test_a_card_not_held_is_refused_wherever_it_lies() -> None:
    """Case 146: the same answer for another's card and one in the pile."""
    story = given(deal(ANN="R1 R2", BOB="R9 R3", top="R7"))
    story.when(ANN, play("R9")).then_refused(Refusal.CARD_MUST_BE_IN_HAND)
    story.when(ANN, play("R8")).then_refused(Refusal.CARD_MUST_BE_IN_HAND)


def test_drawing_although_a_card_fits() -> None:
    """TURN-3, DRAW-1, case 41: one card is drawn; the event tells how many, not which."""
    story = given(deal(ANN="R9 B1", BOB="B5", top="R5", pile="G3")).when(ANN, DrawCard())
    story.then(drew(ANN, 1, DrawReason.TURN, turn=ANN)).then_table(ANN="R9 B1 G3", turn=ANN)


def test_a_drawn_card_may_be_played_at_once() -> None:
    """DRAW-1, case 23: by its player's choice, never by itself."""
    story = given(deal(ANN="Y1 G2", BOB="B5", top="R5", pile="R1")).when(ANN, DrawCard())
    story.then_table(turn=ANN, drawn_card="R1")
    story.when(ANN, play("R1")).then(played(ANN, "R1", turn=BOB)).then_table(drawn_card=None)


def test_a_drawn_card_may_be_kept() -> None:
    """DRAW-1, case 23: passing ends the turn."""
    story = given(deal(ANN="Y1 G2", BOB="B5", top="R5", pile="R1")).when(ANN, DrawCard())
    story.when(ANN, PassTurn()).then(TurnPassed(ANN, drew=True, turn=BOB))
    story.then_table(turn=BOB, drawn_card=None, has_drawn=False)


def test_a_drawn_card_must_fit_too() -> None:
    """DRAW-1."""
    story = given(deal(ANN="R1 G2", BOB="B5", top="R5", pile="B8")).when(ANN, DrawCard())
    story.when(ANN, play("B8")).then_refused(Refusal.CARD_MUST_MATCH)


def test_only_one_card_is_drawn() -> None:
    """DRAW-1, case 20, case 143: a second draw is refused, the pile unchanged."""
    table = deal(ANN="R1 B2", BOB="Y1 G2", CAT="R3 R4", top="R5", turn=BOB, pile="B8 B9")
    story = given(table).when(BOB, DrawCard())
    story.when(BOB, DrawCard()).then_refused(Refusal.DRAW_MUST_BE_THE_FIRST)
    story.then_table(drawn=1, BOB="Y1 G2 B8")


def test_after_drawing_no_older_card() -> None:
    """DRAW-2, case 21."""
    story = given(deal(ANN="R9 G1", BOB="B5", top="R5", pile="Y3")).when(ANN, DrawCard())
    story.when(ANN, play("R9")).then_refused(Refusal.CARD_MUST_BE_THE_DRAWN_ONE)


def test_no_pass_without_a_draw() -> None:
    """DRAW-3, case 24: neither with a fitting card nor without."""
    for hand in ("R9 G1", "G1 G2"):
        given(deal(ANN=hand, BOB="B5", top="R5")).when(ANN, PassTurn()).then_refused(
            Refusal.PASS_MUST_FOLLOW_A_DRAW
        )


def test_no_pass_without_a_draw_while_there_are_discards() -> None:
    """DRAW-3: the draw pile is empty, but the discards are a new one."""
    table = deal(ANN="G1 G2", BOB="B5", discard="B1", top="R5", rest=False)
    story = given(table).when(ANN, PassTurn()).then_refused(Refusal.PASS_MUST_FOLLOW_A_DRAW)
    story.when(ANN, DrawCard()).then_table(ANN="G1 G2 B1")


@pytest.mark.parametrize("drawn", ["R1", "B5", "W"])
def test_with_must_a_fitting_drawn_card_is_played(drawn: str) -> None:
    """DRAW-4, case 23: a pass is refused; wilds count."""
    table = deal(ANN="Y1 G2", BOB="B5", top="R5", pile=drawn, options=MUST)
    story = given(table).when(ANN, DrawCard())
    story.when(ANN, PassTurn()).then_refused(Refusal.DRAWN_CARD_MUST_BE_PLAYED)
    color = GREEN if drawn == "W" else None
    story.when(ANN, play(drawn, color)).then(played(ANN, drawn, color, turn=BOB))


@pytest.mark.parametrize("drawn", ["B8", "W4"])
def test_with_must_other_drawn_cards_may_be_kept(drawn: str) -> None:
    """DRAW-4: what does not fit, and a wild draw four."""
    table = deal(ANN="Y1 G2", BOB="B5", top="R5", pile=drawn, options=MUST)
    given(table).when(ANN, DrawCard()).when(ANN, PassTurn()).then_table(turn=BOB)


def test_drawing_stays_voluntary_with_must() -> None:
    """DRAW-4, TURN-3: only the drawn card must be played."""
    table = deal(ANN="R1 G2", BOB="B5", top="R5", pile="B8", options=MUST)
    given(table).when(ANN, DrawCard()).then_table(ANN="R1 G2 B8")


def test_a_drawn_wild_has_no_color_of_its_own() -> None:
    """WILD-1, case 26: the color is the play's."""
    story = given(deal(ANN="Y1 G2", BOB="B5", top="R5", pile="W")).when(ANN, DrawCard())
    story.when(ANN, play("W", GREEN)).then_table(color=GREEN, top="W")


def test_a_wild_without_a_color_changes_nothing() -> None:
    """WILD-1, case 32: card and color are one command; the turn is still to be taken."""
    story = given(deal(ANN="B1 B2", BOB="W G2 G3", top="R5", turn=BOB, pile="Y4"))
    story.when(BOB, play("W")).then_refused(Refusal.WILD_MUST_NAME_A_COLOR)
    story.when(BOB, PassTurn()).then_refused(Refusal.PASS_MUST_FOLLOW_A_DRAW)
    story.when(BOB, DrawCard()).then_table(BOB="W G2 G3 Y4", turn=BOB)


@pytest.mark.parametrize("color", Color)
def test_a_wild_names_any_color(color: Color) -> None:
    """WILD-1, case 30: on anything, the present color included, other fitting cards or not."""
    table = deal(ANN="W R1 G2", BOB="B1", top="W", color=GREEN)
    given(table).when(ANN, play("W", color)).then(played(ANN, "W", color, turn=BOB))


def test_a_named_color_holds_until_the_next_play() -> None:
    """WD4-7, case 33: draws do not change it."""
    table = deal(ANN="W4 R1 R2", BOB="B1", CAT="G2 Y2", top="Y5")
    story = given(table).when(ANN, play("W4", GREEN)).when(BOB, AcceptPenalty())
    story.then_table(color=GREEN, turn=CAT)
    story.when(CAT, play("G2", uno=True)).then_table(color=GREEN, top="G2")


def test_only_who_sits_in_the_match_plays() -> None:
    """TURN-2, case 144: the seat comes from who asks, never from the command."""
    story = given(deal(ANN="R1 B1", BOB="R2 B2", top="R5", turn=BOB))
    story.when(ANN, play("R1")).then_refused(Refusal.TURN_MUST_BE_YOURS)
    story.when(BOB, play("R1")).then_refused(Refusal.CARD_MUST_BE_IN_HAND)


def test_a_refusal_names_its_rule() -> None:
    """TABLE-1: a play that the rules do not allow is refused, with the id of the rule."""
    table = deal(ANN="B0 B4", BOB="B1", top="R5")
    given(table).when(ANN, play("B0")).then_refused(Refusal.CARD_MUST_MATCH).then_table(ANN="B0 B4")
    assert Refusal.CARD_MUST_MATCH.rule == "TURN-1"
