"""Chapter 11, AWAY-2: seats that a bot keeps for who has left, and taking them back."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.bots import Dice, choose
from domain.commands import (
    Actor,
    ActorKind,
    AddSeed,
    CatchUno,
    Challenge,
    Command,
    DrawCard,
    Leave,
    PassTurn,
    Return,
)
from domain.events import (
    BotLevel,
    HostChanged,
    LeaveReason,
    MatchAbandoned,
    MatchEnded,
    Pending,
    PlayerLeft,
    PlayerReturned,
    Seat,
    UnoCaught,
)
from domain.match import Match, Occupant
from domain.options import Clock, Form, OnLeave, Options
from domain.refusals import Refusal
from domain.sight import bot_view, view_of, views_of
from tests.spec import ANN, BOB, CAT, GREEN, Story, deal, given, play, seated

KEPT = Options(on_leave=OnLeave.BOT)
STEADY = BotLevel.STEADY


def bot(seat: Seat) -> Actor:
    return Actor(ActorKind.BOT, seat)


def three(**more: object) -> Match:
    hands = {"ANN": "R5 G2 B2", "BOB": "R8 B2 B3", "CAT": "Y2 Y3 Y4"}
    return deal(**{"top": "R1", "options": KEPT, **hands, **more})  # type: ignore[arg-type]


def away(**more: object) -> Story:
    """BOB has left, and a bot plays for him."""
    return given(three(**more)).when(BOB, Leave())


def test_a_bot_plays_on_with_the_same_hand_and_nothing_moves() -> None:
    away().then(PlayerLeft(BOB, LeaveReason.LEFT, ANN, Pending.TURN, STEADY)).then_table(
        turn=ANN, BOB="R8 B2 B3", order=(ANN, BOB, CAT)
    ).then_match(away=(BOB,), left=())


def test_leaving_on_one_s_own_turn_leaves_the_turn_to_the_bot() -> None:
    story = given(three(turn=BOB)).when(BOB, Leave()).then_table(turn=BOB)
    story.when(bot(BOB), play("R8")).then_table(turn=CAT)


def test_the_bot_plays_from_the_view_of_the_seat_and_says_uno_for_it() -> None:
    match = away(turn=BOB, BOB="R8 B2").match
    assert choose(bot_view(match, BOB), Dice(b"")) == play("R8", uno=True)


@pytest.mark.parametrize("command", [play("R8"), DrawCard(), Leave(), AddSeed(2, "AA")])
def test_who_is_away_does_nothing_but_return(command: Command) -> None:
    away(turn=BOB).when(BOB, command).then_refused(Refusal.SEAT_MUST_BE_TAKEN_BACK)


def test_a_view_of_one_s_kept_seat_lists_the_return_alone() -> None:
    match = away(turn=BOB).match
    view = view_of(match, BOB)
    assert view.legal == (Return(),) and views_of(match).of(BOB) == view
    assert (view.seats[BOB].state, view.seats[BOB].bot) == ("away", STEADY)
    assert play("R8") in (bot_view(match, BOB).legal or ())
    assert bot_view(match, ANN) == view_of(match, ANN)


def test_its_person_takes_the_seat_back_while_the_match_runs() -> None:
    story = away(turn=BOB).when(BOB, Return()).then(PlayerReturned(BOB)).then_match(away=())
    assert story.match.seats[BOB] == Occupant(player="BOB")
    story.when(BOB, play("R8")).then_table(turn=CAT)


def test_case_165_a_bot_that_is_too_late_does_nothing() -> None:
    story = away(turn=BOB).when(BOB, Return()).when(BOB, play("R8"))
    story.when(bot(BOB), DrawCard()).then_refused(Refusal.TURN_MUST_BE_YOURS)


@pytest.mark.parametrize("who", [ANN, CAT])
def test_there_is_no_return_to_a_seat_that_no_bot_keeps(who: Seat) -> None:
    away().when(who, Return()).then_refused(Refusal.SEAT_MUST_BE_KEPT_BY_A_BOT)


def test_there_is_no_return_from_being_out() -> None:
    story = given(three(options=Options())).when(BOB, Leave())
    story.when(BOB, Return()).then_refused(Refusal.SEAT_MUST_BE_KEPT_BY_A_BOT)


def test_there_is_no_return_before_the_start_or_for_strangers() -> None:
    given(seated(2, options=KEPT)).when(ANN, Return()).then_refused(Refusal.MATCH_MUST_BE_RUNNING)
    given(three()).when(Seat(7), Return()).then_refused(Refusal.SEAT_MUST_BE_YOURS)


def test_rotating_partners_do_not_return() -> None:
    """ROT-1: to the end."""
    options = replace(KEPT, form=Form.ROTATING_PARTNERS)
    table = deal(top="R1", options=options, ANN="B5", BOB="B6", CAT="B7", DAN="B8")
    story = given(table).when(BOB, Leave())
    story.when(BOB, Return()).then_refused(Refusal.SEAT_MUST_BE_KEPT_BY_A_BOT)


def test_one_may_come_and_go() -> None:
    story = away().when(BOB, Return()).when(BOB, Leave()).when(BOB, Return())
    story.then_match(away=(), left=())


def test_the_host_s_role_passes_on_and_stays_there() -> None:
    """AWAY-7."""
    story = given(three()).when(ANN, Leave())
    assert story.the(HostChanged) == HostChanged(BOB)
    story.when(ANN, Return()).then_match(host=BOB)


def test_only_bots_left_is_abandoned() -> None:
    """AWAY-3."""
    story = away().when(ANN, Leave()).when(CAT, Leave())
    assert story.the(MatchAbandoned) and story.match.result is not None
    assert story.match.result.reason == "empty"


def test_one_person_among_bots_plays_on() -> None:
    away().when(ANN, Leave()).then_match(away=(BOB, ANN)).then_table(order=(ANN, BOB, CAT))


def test_teams_play_on_with_the_bot() -> None:
    """TEAM-1: a forfeit only where the seat is out."""
    options = replace(KEPT, form=Form.TEAMS)
    table = deal(top="R1", options=options, ANN="R5", BOB="B6", CAT="B7", DAN="B8", said=(ANN,))
    story = given(table).when(BOB, Leave()).when(ANN, play("R5"))
    story.then_match(scores=(14, 0, 14, 0))


def test_a_penalty_that_the_leaver_faces_is_answered_by_the_bot() -> None:
    table = deal(top="R1", options=KEPT, ANN="W4 R2 B2", BOB="Y1", CAT="Y2")
    story = given(table).when(ANN, play("W4", GREEN)).when(BOB, Leave())
    story.then_table(turn=BOB, pending=Pending.PENALTY).when(bot(BOB), Challenge())


def test_an_uno_that_the_leaver_owes_can_still_be_caught() -> None:
    story = given(three(turn=BOB, BOB="R8 B2")).when(BOB, play("R8")).when(BOB, Leave())
    story.when(CAT, CatchUno(BOB)).then_first(UnoCaught(BOB, by=CAT))


def test_the_seat_may_win_by_its_bot() -> None:
    table = three(turn=BOB, BOB="R8", scores=(0, 490, 0), said=(BOB,))
    story = given(table).when(BOB, Leave()).when(bot(BOB), play("R8"))
    end = story.the(MatchEnded)
    assert isinstance(end, MatchEnded) and end.winners == (BOB,)


def test_who_returns_on_one_s_turn_has_the_whole_time() -> None:
    """AWAY-1."""
    options = replace(KEPT, clock=Clock(turn=30, answer=10))
    story = given(three(options=options, turn=BOB)).at(10).when(BOB, Leave())
    story.at(15).when(BOB, Return()).then_table(since=15_000_000)
    story.at(16).when(BOB, DrawCard()).when(BOB, PassTurn()).then_table(since=16_000_000)
