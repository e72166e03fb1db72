"""Chapter 6: saying UNO, and catching who has not."""

from __future__ import annotations

import pytest

from domain.commands import (
    SERVICE,
    AcceptPenalty,
    CallUno,
    CatchUno,
    Challenge,
    Command,
    DrawCard,
    PassTurn,
)
from domain.events import DrawReason, Pending, UnoCalled, UnoCaught
from domain.legal import legal_commands
from domain.options import Form, Options
from domain.refusals import Refusal
from tests.spec import (
    ANN,
    BLUE,
    BOB,
    CAT,
    DAN,
    GREEN,
    Match,
    Seat,
    Story,
    deal,
    drew,
    given,
    play,
    played,
)


def two_cards(**more: object) -> Match:
    """ANN is about to lay her second-to-last card."""
    hands = {"ANN": "R5 G2", "BOB": "R8 B2 B3", "CAT": "Y2 Y3 Y4"}
    return deal(**{"top": "R1", **hands, **more})  # type: ignore[arg-type]


def silent(**more: object) -> Story:
    """ANN has laid it without a word."""
    return given(two_cards(**more)).when(ANN, play("R5"))


# Three ways to say it.


def test_uno_is_said_with_the_play() -> None:
    """UNO-1, case 78 (b), case 87: said so, it can never come too late."""
    story = given(two_cards()).when(ANN, play("R5", uno=True))
    story.then(played(ANN, "R5", turn=BOB, uno=True)).then_table(uno_owed=None)
    story.when(BOB, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)


def test_uno_is_said_just_before_the_play() -> None:
    """UNO-1, case 78 (a): on one's own turn with two cards in hand."""
    story = given(two_cards()).when(ANN, CallUno()).then(UnoCalled(ANN))
    story.when(ANN, play("R5")).then_table(uno_owed=None, uno_said=frozenset({ANN}))
    story.when(BOB, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)


def test_uno_is_said_after_the_play() -> None:
    """UNO-1, UNO-3, case 78 (c), case 80: before anybody has caught it."""
    story = silent().then_table(uno_owed=ANN).when(ANN, CallUno()).then(UnoCalled(ANN))
    story.when(CAT, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)
    story.then_table(ANN="G2", uno_said=frozenset({ANN}))


def test_said_before_and_then_drawn_it_is_void() -> None:
    """UNO-1, case 78: who draws instead must say it again."""
    story = given(two_cards(pile="B9")).when(ANN, CallUno()).when(ANN, DrawCard())
    story.then_table(uno_said=frozenset())


def test_said_before_and_then_passed_it_is_void() -> None:
    """UNO-1: with two cards in hand and nothing left to draw."""
    table = deal(ANN="Y3 G2", BOB="R8", top="R1", rest=False)
    story = given(table).when(ANN, CallUno()).when(ANN, PassTurn())
    story.then_table(uno_said=frozenset())


def test_a_pass_with_one_card_keeps_the_announcement() -> None:
    """UNO-5, PILE-4: the hand has not gone up."""
    table = deal(ANN="Y3", BOB="R8", top="R1", rest=False, said=(ANN,))
    given(table).when(ANN, PassTurn()).then_table(uno_said=frozenset({ANN}))


def test_a_drawn_card_laid_from_two_needs_a_call() -> None:
    """UNO-1, UNO-5: from one card to two and back."""
    table = deal(ANN="G2", BOB="R8 B2", top="R1", pile="R3", said=(ANN,))
    story = given(table).when(ANN, DrawCard()).then_table(uno_said=frozenset())
    story.when(ANN, play("R3")).then_table(uno_owed=ANN)
    story.when(BOB, CatchUno(ANN)).then_first(UnoCaught(ANN, by=BOB))


# Catching.


def test_who_is_caught_draws_two() -> None:
    """UNO-2, UNO-9, case 96: at once, and the turn stays where it is."""
    story = silent().when(CAT, CatchUno(ANN))
    story.then(UnoCaught(ANN, by=CAT), drew(ANN, 2, DrawReason.UNO, turn=BOB))
    story.then_table(turn=BOB, pending=Pending.TURN, uno_owed=None)


def test_anybody_else_may_catch() -> None:
    """UNO-9: in turn or not."""
    for seat in (BOB, CAT):
        silent().when(seat, CatchUno(ANN)).then_first(UnoCaught(ANN, by=seat))


def test_a_partner_may_catch_too() -> None:
    """UNO-9: who sits opposite is no exception."""
    story = silent(DAN="Y5", options=Options(form=Form.TEAMS))
    story.when(CAT, CatchUno(ANN)).then_first(UnoCaught(ANN, by=CAT))


def test_the_first_catch_counts() -> None:
    """UNO-9, case 86."""
    story = silent(DAN="Y5").when(CAT, CatchUno(ANN))
    story.when(DAN, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)


def test_too_late_to_say_it_once_caught() -> None:
    """UNO-3, UNO-8, case 81."""
    story = silent().when(CAT, CatchUno(ANN))
    story.when(ANN, CallUno()).then_refused(Refusal.UNO_MUST_BE_OWED)


def test_call_and_catch_in_either_order() -> None:
    """UNO-3, UNO-10, case 87: the order in which they arrive decides."""
    silent().when(ANN, CallUno()).when(CAT, CatchUno(ANN)).then_refused(
        Refusal.CATCH_MUST_BE_IN_TIME
    )
    silent().when(CAT, CatchUno(ANN)).when(ANN, CallUno()).then_refused(Refusal.UNO_MUST_BE_OWED)


def test_nobody_catches_themselves() -> None:
    """UNO-9, case 95."""
    silent().when(ANN, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_BY_ANOTHER)


def test_spectators_do_not_catch() -> None:
    """UNO-9, case 95: nor does anybody without a seat."""
    story = given(two_cards(DAN="Y5")).when(ANN, play("R5"))
    story.when(Seat(7), CatchUno(ANN)).then_refused(Refusal.SEAT_MUST_BE_YOURS)
    story.when(SERVICE, CatchUno(ANN)).then_refused(Refusal.SEAT_MUST_BE_YOURS)


def test_a_catch_of_nothing_is_refused() -> None:
    """UNO-8, case 89: three cards in hand; nothing changes."""
    story = given(two_cards()).when(CAT, CatchUno(BOB))
    story.then_refused(Refusal.CATCH_MUST_BE_IN_TIME)
    story.then_table(BOB="R8 B2 B3", CAT="Y2 Y3 Y4")


def test_nobody_is_fined_or_protected_automatically() -> None:
    """UNO-7, case 90: nobody says a word and the next player plays."""
    story = silent().when(BOB, play("R8")).then_table(ANN="G2", uno_owed=None)
    story.when(CAT, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)


# When it is too late.


@pytest.mark.parametrize("command", [DrawCard(), play("R8")])
def test_the_next_turn_closes_the_window(command: Command) -> None:
    """UNO-4: by a draw or a play."""
    story = silent().when(BOB, command)
    story.when(CAT, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)
    story.when(ANN, CallUno()).then_refused(Refusal.UNO_MUST_BE_OWED)


@pytest.mark.parametrize("command", [AcceptPenalty(), Challenge()])
def test_answering_a_wild_draw_four_closes_it(command: Command) -> None:
    """UNO-4, case 83."""
    story = given(two_cards(ANN="W4 G2")).when(ANN, play("W4", BLUE))
    story.then_table(uno_owed=ANN).when(BOB, command)
    story.when(CAT, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)


def test_a_pass_without_a_draw_closes_it() -> None:
    """UNO-4, PILE-4: in a round where nothing can be drawn, a new window is closed by a pass."""
    table = deal(ANN="RD G2", BOB="Y2 Y3", CAT="Y4 G5", top="R1", rest=False)
    story = given(table).when(ANN, play("RD")).then_table(uno_owed=ANN, turn=CAT, drawable=0)
    story.when(CAT, PassTurn()).then_table(uno_owed=None)


def test_the_cards_of_a_draw_two_do_not_close_it() -> None:
    """UNO-4, case 83: nor does the skip; the next player's own act does."""
    story = given(two_cards(ANN="RD G1")).when(ANN, play("RD")).then_table(uno_owed=ANN, turn=CAT)
    story.when(CAT, CatchUno(ANN)).then_first(UnoCaught(ANN, by=CAT))


def test_a_skip_does_not_close_it() -> None:
    """UNO-4."""
    story = given(two_cards(ANN="RS G1")).when(ANN, play("RS")).then_table(turn=CAT)
    story.when(BOB, CatchUno(ANN)).then_first(UnoCaught(ANN, by=BOB))


def test_two_players_the_authors_own_next_act_closes_it() -> None:
    """UNO-4, UNO-7, case 84: a Skip and the last card at once, and nobody was quick enough."""
    story = given(deal(ANN="RS R5", BOB="B1", top="R1")).when(ANN, play("RS"))
    story.then_table(uno_owed=ANN, turn=ANN)
    story.when(ANN, play("R5")).then_match(rounds=2)


def test_a_catch_of_the_player_to_move_keeps_their_turn() -> None:
    """UNO-9: the penalty is no draw of the turn."""
    story = given(deal(ANN="RS R5", BOB="B1", top="R1")).when(ANN, play("RS"))
    story.when(BOB, CatchUno(ANN)).then_table(turn=ANN, has_drawn=False)
    story.when(ANN, DrawCard()).then(drew(ANN, 1, DrawReason.TURN, turn=ANN))


def test_a_pending_answer_stays_pending() -> None:
    """UNO-9, case 96."""
    story = given(two_cards(ANN="W4 G2")).when(ANN, play("W4", BLUE)).when(CAT, CatchUno(ANN))
    story.then_table(pending=Pending.PENALTY, turn=BOB)


# What counts as said.


def test_back_to_one_card_it_must_be_said_again() -> None:
    """UNO-5, case 92: a Draw Two spent the announcement."""
    table = deal(ANN="G2", BOB="RD B1 B2", CAT="Y1 Y2", top="R1", turn=CAT, said=(ANN,))
    story = given(table).when(CAT, DrawCard()).when(CAT, PassTurn())
    story.then_table(uno_said=frozenset({ANN}))
    story = given(deal(ANN="R2", BOB="RD B1 B2", top="R1", turn=BOB, said=(ANN,), pile="R6 G9"))
    story.when(BOB, play("RD")).then_table(ANN="R2 R6 G9", uno_said=frozenset())
    story.when(BOB, DrawCard()).when(BOB, PassTurn())
    story.when(ANN, play("R6")).then_table(ANN="R2 G9", uno_owed=None)
    story.when(BOB, DrawCard()).when(BOB, PassTurn())
    story.when(ANN, play("R2")).then_table(ANN="G9", uno_owed=ANN)
    story.when(BOB, CatchUno(ANN)).then_first(UnoCaught(ANN, by=BOB))


def test_the_last_card_after_silence_wins() -> None:
    """UNO-2, UNO-4, case 93: not caught in time; a catch after the last card is refused."""
    story = given(deal(ANN="R9", BOB="B5 Y5", top="R5")).when(ANN, play("R9"))
    story.then_match(rounds=2)
    story.when(BOB, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)


@pytest.mark.parametrize("hand", ["R5 G2 G3", "R5"])
def test_uno_with_a_play_that_owes_none_is_refused(hand: str) -> None:
    """UNO-8: more than two cards, or the last one."""
    given(two_cards(ANN=hand)).when(ANN, play("R5", uno=True)).then_refused(
        Refusal.UNO_MUST_BE_OWED
    )


def test_uno_said_twice_is_refused() -> None:
    """UNO-8."""
    story = given(two_cards()).when(ANN, CallUno())
    story.when(ANN, CallUno()).then_refused(Refusal.UNO_MUST_BE_OWED)
    story.when(ANN, play("R5")).when(ANN, CallUno()).then_refused(Refusal.UNO_MUST_BE_OWED)


def test_uno_said_before_and_with_the_play_does_no_harm() -> None:
    """UNO-1, UNO-8: as if it had been said once; and it is one of the legal plays."""
    story = given(two_cards()).when(ANN, CallUno())
    assert play("R5", uno=True) in legal_commands(story.match, ANN)
    assert CallUno() not in legal_commands(story.match, ANN)
    story.when(ANN, play("R5", uno=True)).then(played(ANN, "R5", turn=BOB, uno=True))
    story.then_table(uno_owed=None, uno_said=frozenset({ANN}))
    story.when(BOB, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)


def test_a_call_that_is_not_owed_is_refused() -> None:
    """UNO-8: not one's turn, or more than two cards."""
    story = given(two_cards(BOB="R8 B2"))
    story.when(BOB, CallUno()).then_refused(Refusal.UNO_MUST_BE_OWED)
    story.when(CAT, CallUno()).then_refused(Refusal.UNO_MUST_BE_OWED)


def test_the_target_of_a_wild_draw_four_owes_no_call() -> None:
    """UNO-8: with two cards and the turn, but an answer is due first."""
    story = given(two_cards(ANN="W4 G2 G3", BOB="B1 B2")).when(ANN, play("W4", GREEN))
    story.when(BOB, CallUno()).then_refused(Refusal.UNO_MUST_BE_OWED)


def test_the_duty_is_tied_to_laying_a_card() -> None:
    """UNO-6: a hand of one card that no play of this turn made is not catchable."""
    story = given(deal(ANN="R5 G1 G2", BOB="R8", top="R1")).when(ANN, play("R5"))
    story.when(ANN, CatchUno(BOB)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)
