"""Chapter 11: clocks that run out (AWAY-1, AWAY-2, AWAY-8)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.cards import Color
from domain.clock import deadline
from domain.commands import (
    SERVICE,
    AcceptPenalty,
    CallOut,
    CallUno,
    CatchUno,
    ChooseColor,
    DrawCard,
    Leave,
    PassTurn,
    RunOutClock,
)
from domain.events import (
    BotLevel,
    ClockRanOut,
    ColorChosen,
    DrawReason,
    HandReturned,
    LeaveReason,
    PenaltyAccepted,
    Pending,
    PlayerLeft,
    TurnPassed,
)
from domain.match import Match, Occupant
from domain.moves.clock import most_frequent_color
from domain.notation import cards
from domain.options import Clock, Enforcement, Form, OnLeave, Options
from domain.refusals import Refusal
from domain.sight import view_of
from tests.spec import (
    ANN,
    BLUE,
    BOB,
    CAT,
    GREEN,
    RED,
    YELLOW,
    Story,
    deal,
    drew,
    given,
    person,
    play,
)

TIMED = Options(clock=Clock(turn=30, answer=10))
TOO_EARLY = Refusal.CLOCK_MUST_HAVE_RUN_OUT


def run_out(story: Story) -> Story:
    """The time passes to its end, and the service acts."""
    until = deadline(story.match)
    assert until is not None
    return story.at(until / 1_000_000).when(SERVICE, RunOutClock(until))


def three(options: Options = TIMED, **more: object) -> Match:
    hands = {"ANN": "R5 G2 B2", "BOB": "R8 B2 B3", "CAT": "Y2 Y3 Y4"}
    return deal(**{"top": "R1", "options": options, **hands, **more})  # type: ignore[arg-type]


def opened_wild(**hands: str) -> Match:
    """ANN is first and has to name the color of an opening wild."""
    match = deal(top="W", color=RED, options=TIMED, **hands)
    assert match.round is not None
    return replace(match, round=replace(match.round, color=None, pending=Pending.COLOR))


def test_it_draws_and_passes_for_who_has_not_moved() -> None:
    """AWAY-1."""
    run_out(given(three(pile="Y9"))).then(
        ClockRanOut(ANN, row=1),
        drew(ANN, 1, DrawReason.CLOCK, turn=ANN),
        TurnPassed(ANN, drew=True, turn=BOB, by_clock=True),
    ).then_table(turn=BOB, ANN="R5 G2 B2 Y9", has_drawn=False)


def test_it_just_passes_for_who_has_drawn() -> None:
    story = given(three(pile="Y9")).when(ANN, DrawCard())
    run_out(story).then(ClockRanOut(ANN, 1), TurnPassed(ANN, True, BOB, by_clock=True))


@pytest.mark.parametrize("options", [TIMED, Options(clock=TIMED.clock, force_play=True)])
def test_it_never_plays_a_card_for_a_person_even_where_a_play_is_compulsory(
    options: Options,
) -> None:
    run_out(given(three(options, pile="R9"))).then_table(ANN="R5 G2 B2 R9", turn=BOB)


def test_it_just_passes_if_nothing_can_be_drawn_even_if_a_card_fits() -> None:
    story = run_out(given(three(rest=False)))
    story.then(ClockRanOut(ANN, 1), TurnPassed(ANN, False, BOB, by_clock=True))


def test_a_pass_by_the_clock_does_not_count_towards_a_blocked_round() -> None:
    """PILE-5."""
    table = deal(top="R1", rest=False, options=TIMED, ANN="B2", BOB="B3", CAT="B4")
    story = given(table).when(ANN, PassTurn()).when(BOB, PassTurn())
    run_out(story).then_table(turn=ANN, passes=0)
    story.when(ANN, PassTurn()).when(BOB, PassTurn()).then_table(turn=CAT)


def test_it_accepts_a_penalty_after_the_time_for_answers() -> None:
    table = deal(top="R1", pile="B5 B6 B7 B8", options=TIMED, ANN="W4 B1 B2", BOB="Y1", CAT="Y2")
    story = given(table).at(100).when(ANN, play("W4", GREEN))
    assert deadline(story.match) == 110_000_000
    run_out(story).then(
        ClockRanOut(BOB, 1),
        PenaltyAccepted(BOB, 4, turn=CAT, by_clock=True),
        drew(BOB, 4, DrawReason.WILD_DRAW_FOUR, turn=CAT),
    )


def test_a_last_wild_draw_four_is_counted_when_the_time_to_answer_has_passed() -> None:
    table = deal(top="R1", options=TIMED, ANN="W4", BOB="Y1", CAT="Y2", said=(ANN,))
    run_out(given(table).when(ANN, play("W4", GREEN))).then_match(rounds=2)


def test_case_129_it_names_the_color_that_the_hand_holds_most_of() -> None:
    story = run_out(given(opened_wild(ANN="G1 G2 R1 W", BOB="B1", CAT="B2")))
    story.then(ClockRanOut(ANN, 1), ColorChosen(ANN, GREEN, turn=ANN, by_clock=True))
    run_out(story).then_table(turn=BOB, color=GREEN)


@pytest.mark.parametrize(
    ("hand", "color"),
    [("W W4", RED), ("B1 Y1 G1", YELLOW), ("B1 G2", GREEN), ("B1 B2 R1", BLUE), ("RS BS", RED)],
)
def test_ties_go_to_red_yellow_green_blue_in_this_order(hand: str, color: Color) -> None:
    assert most_frequent_color(cards(hand)) is color


def test_the_service_alone_acts_and_not_a_moment_too_early() -> None:
    story = given(three()).at(29.999999)
    story.when(SERVICE, RunOutClock(30_000_000)).then_refused(TOO_EARLY)
    story.at(30).when(person(BOB), RunOutClock(30_000_000))
    story.then_refused(Refusal.OPERATOR_MUST_ASK).when(SERVICE, RunOutClock(30_000_000))


def test_case_137_it_acts_only_on_the_very_turn_it_was_set_for() -> None:
    """AWAY-8."""
    story = given(three()).at(29.9).when(ANN, play("R5"))
    story.at(30).when(SERVICE, RunOutClock(30_000_000)).then_refused(TOO_EARLY)
    story.at(59.8).when(SERVICE, RunOutClock(59_900_000)).then_refused(TOO_EARLY)
    run_out(story).then_table(turn=CAT)


def test_once_only() -> None:
    story = run_out(given(three()))
    story.when(SERVICE, RunOutClock(30_000_000)).then_refused(TOO_EARLY)


def test_without_a_clock_nothing_runs_out() -> None:
    """AWAY-9."""
    story = given(deal(ANN="R5", BOB="R6"))
    assert deadline(story.match) is None
    story.at(10**6).when(SERVICE, RunOutClock(0)).then_refused(TOO_EARLY)


def test_each_turn_has_the_whole_time_and_drawing_does_not_add_to_it() -> None:
    story = given(three()).at(20).when(ANN, DrawCard())
    assert deadline(story.match) == 30_000_000
    story.at(25).when(ANN, PassTurn())
    assert deadline(story.match) == 55_000_000
    assert view_of(story.match, None).pending.deadline == "1970-01-01T00:00:55.000000Z"


def test_with_two_players_a_skip_begins_a_new_turn_of_the_same_seat() -> None:
    story = given(deal(top="R1", options=TIMED, ANN="RS R5 R6", BOB="R8")).at(20)
    assert deadline(story.when(ANN, play("RS")).match) == 50_000_000


def test_naming_a_color_and_the_turn_that_follows_have_their_time_each() -> None:
    story = given(opened_wild(ANN="G1 G2", BOB="B1")).at(12).when(ANN, ChooseColor(GREEN))
    assert deadline(story.match) == 42_000_000


def test_a_call_a_catch_or_another_leaving_moves_no_deadline() -> None:
    story = given(three(ANN="R5 G2")).at(5).when(ANN, play("R5"))
    for seat, command in ((ANN, CallUno()), (CAT, Leave())):
        assert deadline(story.at(20).when(seat, command).match) == 35_000_000


def test_the_clock_starts_anew_when_a_card_is_called_out() -> None:
    """TABLE-2: the turn is the next player's."""
    options = replace(TIMED, enforcement=Enforcement.TABLE, uno_grace=3)
    story = given(three(options, ANN="G5 G2 B2")).at(100).when(ANN, play("G5"))
    assert deadline(story.match) == 133_000_000
    story.at(101).when(BOB, CallOut(ANN)).then_table(turn=BOB)
    assert deadline(story.match) == 131_000_000


def test_the_service_s_act_makes_an_unfit_card_stand_and_its_victim_draws_first() -> None:
    """TABLE-5."""
    options = replace(TIMED, enforcement=Enforcement.TABLE, uno_grace=3)
    table = three(options, ANN="GD G2 B2", pile="Y7 Y8 Y9", top="R1")
    story = run_out(given(table).when(ANN, play("GD")))
    story.then(
        ClockRanOut(CAT, 1),
        drew(BOB, 2, DrawReason.DRAW_TWO, turn=CAT),
        drew(CAT, 1, DrawReason.CLOCK, turn=CAT),
        TurnPassed(CAT, drew=True, turn=ANN, by_clock=True),
    ).then_table(unfit=None, BOB="R8 B2 B3 Y7 Y8")


def test_the_clock_starts_when_a_grace_ends_in_time_or_early() -> None:
    """UNO-7."""
    table = three(replace(TIMED, uno_grace=4), ANN="R5 G2")
    story = given(table).at(100).when(ANN, play("R5"))
    assert deadline(story.match) == 134_000_000
    assert deadline(story.at(101).when(CAT, CatchUno(ANN)).match) == 131_000_000


def test_the_service_s_act_begins_a_turn_so_it_is_too_late_to_catch() -> None:
    """UNO-4."""
    story = given(three(ANN="R5 G2")).when(ANN, play("R5"))
    run_out(story).when(CAT, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)


# Three times in a row (AWAY-2).


def silent_for(times: int, match: Match) -> Story:
    """BOB lets his time pass so often; the others draw and pass."""
    story = given(match)
    for _ in range(times):
        story.when(ANN, DrawCard()).when(ANN, PassTurn())
        run_out(story)
        story.when(CAT, DrawCard()).when(CAT, PassTurn())
    return story.when(ANN, DrawCard()).when(ANN, PassTurn())


def test_case_125_at_the_third_time_in_a_row_there_is_one_removal_and_one_advance() -> None:
    story = run_out(silent_for(2, three()))
    story.then_first(
        ClockRanOut(BOB, row=3),
        PlayerLeft(BOB, LeaveReason.CLOCK, turn=CAT, pending=Pending.TURN),
    )
    assert [type(event) for event in story.events[2:]] == [HandReturned]
    story.then_match(left=(BOB,)).when(CAT, DrawCard()).when(CAT, PassTurn()).then_table(turn=ANN)


def test_any_own_command_begins_the_row_anew() -> None:
    story = silent_for(2, three(pile="R9"))
    story.when(BOB, DrawCard()).then_match(silences={})
    run_out(story).then_first(ClockRanOut(BOB, row=1))


def test_what_the_service_does_for_a_seat_is_no_command_of_its_own() -> None:
    story = silent_for(2, three())
    story.then_match(silences={BOB: 2})


def test_an_uno_said_out_of_turn_breaks_the_row_of_its_author_only() -> None:
    story = run_out(given(three(ANN="R5 G2", turn=CAT)))
    story.when(ANN, play("R5")).then_match(silences={CAT: 1})
    run_out(story).then_match(silences={CAT: 1, BOB: 1})
    story.when(CAT, DrawCard()).then_match(silences={BOB: 1})


def test_who_is_away_leaves_the_seat_to_a_bot_if_the_match_wants_it_so() -> None:
    options = replace(TIMED, on_leave=OnLeave.BOT)
    story = run_out(silent_for(2, three(options)))
    story.then(
        ClockRanOut(BOB, 3),
        PlayerLeft(BOB, LeaveReason.CLOCK, BOB, Pending.TURN, BotLevel.STEADY),
    ).then_table(turn=BOB)
    until = deadline(story.match)
    assert until is not None and until - story.now == 30_000_000, "the bot has the whole time"


def test_with_two_players_the_third_time_is_a_forfeit() -> None:
    """AWAY-3."""
    story = given(deal(top="R1", options=TIMED, ANN="B5 B6", BOB="B7 B8", pile="Y1 Y2 Y3 Y4 Y5"))
    for _ in range(2):
        run_out(story)
        story.when(BOB, DrawCard()).when(BOB, PassTurn())
    run_out(story)
    assert story.match.result is not None and story.match.result.winners == (BOB,)


def test_when_all_are_silent_only_the_last_one_is_left_and_has_won() -> None:
    story = given(three())
    while not story.match.is_over:
        run_out(story)
    assert story.match.result is not None and story.match.result.reason == "forfeit"


def test_case_161_a_bot_that_does_not_move_is_acted_for_and_never_away() -> None:
    match = three()
    match = replace(
        match, seats=(match.seats[ANN], Occupant(bot=BotLevel.STEADY), match.seats[CAT])
    )
    story = run_out(silent_for(4, match))
    story.then_first(ClockRanOut(BOB, row=5)).then_match(left=(), away=())


def test_a_row_of_silences_goes_on_over_the_end_of_a_round() -> None:
    story = run_out(given(three(ANN="R5", turn=CAT, said=(ANN,))))
    story.when(ANN, play("R5")).then_match(rounds=2, silences={CAT: 1})


def test_accepting_in_time_is_an_own_command() -> None:
    table = deal(top="R1", options=TIMED, ANN="W4 B1 B2", BOB="Y1", CAT="Y2")
    story = given(replace(table, silences={BOB: 2})).when(ANN, play("W4", GREEN))
    story.when(BOB, AcceptPenalty()).then_match(silences={})


def test_rotating_partners_keep_a_bot_for_who_is_away() -> None:
    options = replace(TIMED, form=Form.ROTATING_PARTNERS)
    table = deal(top="R1", options=options, ANN="B5", BOB="B6", CAT="B7", DAN="B8")
    story = run_out(given(replace(table, silences={ANN: 2})))
    story.then_match(away=(ANN,), left=()).then_table(turn=ANN)
