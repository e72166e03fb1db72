"""A table that sees to the rules itself: unfit cards and calls (TABLE-2, 3, 5, 6)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.clock import deadline
from domain.commands import (
    SERVICE,
    CallOut,
    CallUno,
    CatchUno,
    Challenge,
    DrawCard,
    Leave,
    PassTurn,
    RunOutClock,
)
from domain.events import (
    CardsDrawn,
    DrawReason,
    HandReturned,
    PileReshuffled,
    PlayCalledOut,
    PlayerLeft,
    UnoCalled,
)
from domain.options import Clock, Enforcement, OnLeave, Options, Stacking
from domain.refusals import Refusal, RuleViolation
from domain.sight import view_of
from tests.spec import (
    ANN,
    BLUE,
    BOB,
    CAT,
    DAN,
    GREEN,
    RED,
    YELLOW,
    Story,
    created,
    deal,
    drew,
    given,
    play,
    played,
)

TABLE = Options(enforcement=Enforcement.TABLE, uno_grace=3)
GRACE = 3_000_000
"""When the grace of what is laid at the beginning of time is over, in microseconds."""


def table(hand: str = "B9 G1 G2", **more: object) -> Story:
    """Four players; ANN is to move on a red 5 and may lay what does not fit."""
    hands = {"ANN": hand, "BOB": "B1 B2", "CAT": "Y1 Y2", "DAN": "R1 R2"}
    return given(deal(options=TABLE, **{"top": "R5", **hands, **more}))  # type: ignore[arg-type]


def test_by_default_an_unfit_card_is_refused() -> None:
    """TABLE-1."""
    story = given(deal(ANN="B9 G1", BOB="B1", top="R5"))
    story.when(ANN, play("B9")).then_refused(Refusal.CARD_MUST_MATCH)
    story.when(BOB, CallOut(ANN)).then_refused(Refusal.CALL_OUT_MUST_BE_IN_TIME)


def test_an_unfit_card_may_be_laid_and_waits_for_its_grace() -> None:
    """TABLE-2, TABLE-5, UNO-7: the turn is that of whoever moves if it stands."""
    story = table().when(ANN, play("B9"))
    story.then(played(ANN, "B9", turn=BOB, unfit=True, not_before=GRACE))
    story.when(BOB, play("B1")).then_refused(Refusal.GRACE_MUST_HAVE_PASSED)


def test_called_out_it_goes_back_and_its_author_draws_two() -> None:
    """TABLE-2, TABLE-3."""
    story = table(pile="R7 R8").when(ANN, play("B9"))
    story.when(CAT, CallOut(ANN)).then(
        PlayCalledOut(ANN, card=play("B9").card, by=CAT, color=RED, direction=1, turn=BOB),
        drew(ANN, 2, DrawReason.CALLED_OUT, turn=BOB),
    )
    story.then_table(ANN="B9 G1 G2 R7 R8", color=RED, unfit=None, not_before=None)
    story.when(BOB, play("B1")).when(BOB, CallOut(BOB))
    story.then_refused(Refusal.CALL_OUT_MUST_BE_BY_ANOTHER)


def test_nobody_calls_out_an_own_card_nor_a_card_that_fits() -> None:
    """TABLE-2, TABLE-3: nothing changes."""
    story = table().when(ANN, play("B9"))
    story.when(ANN, CallOut(ANN)).then_refused(Refusal.CALL_OUT_MUST_BE_BY_ANOTHER)
    story.when(CAT, CallOut(BOB)).then_refused(Refusal.CALL_OUT_MUST_BE_IN_TIME)
    story = table("R9 G1").when(ANN, play("R9"))
    story.when(CAT, CallOut(ANN)).then_refused(Refusal.CALL_OUT_MUST_BE_IN_TIME)


def test_a_reverse_called_out_turns_nothing_round() -> None:
    """TABLE-2: the next player in the direction before the play."""
    story = table("BR G1 G2").when(ANN, play("BR")).then_table(turn=DAN, direction=-1)
    story.when(BOB, CallOut(ANN)).then_table(turn=BOB, direction=1, color=RED)


def test_a_skip_called_out_skips_nobody() -> None:
    """TABLE-2, TABLE-5."""
    story = table("BS G1 G2").when(ANN, play("BS")).then_table(turn=CAT)
    story.when(BOB, CallOut(ANN)).then_table(turn=BOB)


@pytest.mark.parametrize("command", [DrawCard(), play("B3")])
def test_not_called_out_in_time_it_stands(command: object) -> None:
    """TABLE-2, TABLE-5: by the draw or the play of who moves then."""
    story = table(BOB="B3 B1 B2").when(ANN, play("B9"))
    story.at(3).when(BOB, command)  # type: ignore[arg-type]
    story.when(CAT, CallOut(ANN)).then_refused(Refusal.CALL_OUT_MUST_BE_IN_TIME)
    story.then_table(unfit=None, color=BLUE)


def test_the_victim_of_a_draw_two_draws_when_it_stands() -> None:
    """TABLE-2, TABLE-5: first, and then the act applies."""
    story = table("BD G1 G2", CAT="B3 Y1").when(ANN, play("BD"))
    story.then(played(ANN, "BD", turn=CAT, unfit=True, victim=BOB, not_before=GRACE))
    story.then_table(BOB="B1 B2").at(3).when(CAT, play("B3", uno=True)).then(
        drew(BOB, 2, DrawReason.DRAW_TWO, turn=CAT),
        played(CAT, "B3", turn=DAN, uno=True),
    )


def test_called_out_a_draw_two_makes_nobody_else_draw() -> None:
    """TABLE-2: nothing of its effect stays."""
    story = table("BD G1 G2").when(ANN, play("BD")).when(DAN, CallOut(ANN))
    story.then_table(BOB="B1 B2", turn=BOB)
    assert len(story.events) == 2


def test_a_card_that_fits_takes_effect_at_once() -> None:
    """TABLE-2, D2-1."""
    story = table("RD G1 G2").when(ANN, play("RD"))
    story.then(played(ANN, "RD", turn=CAT), drew(BOB, 2, DrawReason.DRAW_TWO, turn=CAT))


def test_what_else_breaks_a_rule_is_refused() -> None:
    """TABLE-3: out of turn, not held, an old card after drawing, a pass undrawn."""
    story = table(pile="Y9")
    story.when(BOB, play("B1")).then_refused(Refusal.TURN_MUST_BE_YOURS)
    story.when(ANN, play("R9")).then_refused(Refusal.CARD_MUST_BE_IN_HAND)
    story.when(ANN, PassTurn()).then_refused(Refusal.PASS_MUST_FOLLOW_A_DRAW)
    story.when(ANN, DrawCard()).when(ANN, play("B9"))
    story.then_refused(Refusal.CARD_MUST_BE_THE_DRAWN_ONE)
    story.when(ANN, play("Y9")).then(played(ANN, "Y9", turn=BOB, unfit=True, not_before=GRACE))


def test_wilds_always_fit() -> None:
    """TABLE-3, WD4-2: a bluffed wild draw four is challenged, not called out."""
    story = table("W4 R9 G1").when(ANN, play("W4", GREEN))
    story.when(BOB, CallOut(ANN)).then_refused(Refusal.CALL_OUT_MUST_BE_IN_TIME)
    story.when(BOB, Challenge()).then_table(turn=BOB)


def test_an_unfit_last_card_is_refused() -> None:
    """TABLE-3."""
    table("B9").when(ANN, play("B9")).then_refused(Refusal.LAST_CARD_MUST_MATCH)


def test_in_a_reshuffle_the_card_under_it_stays_too() -> None:
    """TABLE-5, PILE-1: a catch comes before the call, and needs the discards."""
    story = table("B9 G1", discard="Y7 Y8", rest=False).when(ANN, play("B9"))
    story.when(CAT, CatchUno(ANN))
    shuffled = story.the(PileReshuffled)
    assert isinstance(shuffled, PileReshuffled) and shuffled.count == 2
    story.when(DAN, CallOut(ANN)).then_table(ANN="G1 B9 Y7 Y8", color=RED)
    assert story.match.round is not None and story.match.round.top == "R5"


def test_a_call_out_ends_the_uno_duty_and_voids_the_announcement() -> None:
    """TABLE-5, UNO-5."""
    story = table("B9 G1").when(ANN, play("B9")).when(CAT, CallOut(ANN)).then_table(uno_owed=None)
    story.when(CAT, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)
    story = table("B9 G1").when(ANN, play("B9", uno=True)).then_table(uno_said=frozenset({ANN}))
    story.when(CAT, CallOut(ANN)).then_table(uno_said=frozenset())


def test_a_catch_made_before_a_call_out_stands() -> None:
    """TABLE-5, UNO-2."""
    story = table("B9 G1", pile="R6 R7 R8 R9").when(ANN, play("B9")).when(CAT, CatchUno(ANN))
    story.when(DAN, CallOut(ANN)).then_table(ANN="B9 G1 R6 R7 R8 R9")


def test_uno_may_be_said_for_an_unfit_card() -> None:
    """TABLE-5, UNO-3."""
    story = table("B9 G1").when(ANN, play("B9")).when(ANN, CallUno()).then(UnoCalled(ANN))
    story.when(CAT, CallOut(ANN)).then_table(uno_said=frozenset())


def test_its_author_leaves_and_the_card_goes_with_the_hand() -> None:
    """TABLE-5: its effects lapse."""
    story = table("BR G1").when(ANN, play("BR")).when(ANN, Leave())
    taken, left, returned, *_ = story.events
    assert taken == PlayCalledOut(ANN, play("BR").card, None, RED, direction=1, turn=BOB)
    assert isinstance(left, PlayerLeft) and left.turn == BOB
    assert isinstance(returned, HandReturned) and returned.count == 2
    story.then_table(unfit=None, direction=1, color=RED, turn=BOB)


def test_its_victim_leaves_and_the_penalty_lapses() -> None:
    """TABLE-5."""
    story = table("BD G1 G2").when(ANN, play("BD")).when(BOB, Leave())
    story.at(3).when(CAT, DrawCard()).then(drew(CAT, 1, DrawReason.TURN, turn=CAT))


def test_who_moves_next_leaves_and_the_card_can_still_be_called_out() -> None:
    """TABLE-5, AWAY-7."""
    story = table().when(ANN, play("B9")).when(BOB, Leave()).then_table(turn=CAT)
    story.when(DAN, CallOut(ANN)).then_table(turn=CAT, color=RED)


def test_with_two_players_its_author_cannot_close_the_window_alone() -> None:
    """TABLE-6."""
    story = given(deal(ANN="BS B1 B2", BOB="Y1 Y2", top="R5", options=TABLE))
    story.when(ANN, play("BS")).then_table(turn=ANN)
    story.when(ANN, play("B1")).then_refused(Refusal.GRACE_MUST_HAVE_PASSED)
    story.when(BOB, CallOut(ANN)).then_table(turn=BOB, ANN="BS B1 B2 R0 R1")


def test_nothing_left_to_draw_a_pass_makes_it_stand() -> None:
    """TABLE-5, PILE-4, UNO-4."""
    story = given(deal(ANN="B9 G1 G2", BOB="Y1 Y2", top="R5", rest=False, options=TABLE))
    story.when(ANN, play("B9")).at(3).when(BOB, PassTurn()).then_table(unfit=None, turn=ANN)


def test_a_view_lists_what_may_be_laid_and_the_call() -> None:
    """TABLE-2: everybody can see whether a card fits."""
    story = table("B9 G1 G2")
    assert play("B9") in (view_of(story.match, ANN).legal or ())
    story.when(ANN, play("B9"))
    assert view_of(story.match, CAT).legal == (CallOut(ANN),)
    assert CallOut(ANN) in (view_of(story.match, BOB).legal or ())


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        (Options(enforcement=Enforcement.TABLE), Refusal.TABLE_MUST_HAVE_GRACE),
        *(
            (
                Options(enforcement=Enforcement.TABLE, uno_grace=1, **house),  # type: ignore[arg-type]
                Refusal.TABLE_MUST_BE_PLAYED_PLAINLY,
            )
            for house in (
                {"stacking": Stacking.SAME},
                {"jump_in": True},
                {"seven_zero": True},
                {"force_play": True},
            )
        ),
    ],
)
def test_a_table_needs_grace_and_goes_without_some_house_rules(
    options: Options, refused: Refusal
) -> None:
    """TABLE-2, TABLE-6."""
    with pytest.raises(RuleViolation) as raised:
        created(3, options=options)
    assert raised.value.refusal is refused


def test_the_color_in_force_comes_back_with_the_card_under_it() -> None:
    """TABLE-2: also the one named with a wild."""
    story = table("B9 G1", top="W", color=YELLOW).when(ANN, play("B9"))
    story.when(CAT, CallOut(ANN)).then_table(color=YELLOW)


def test_a_clock_that_runs_out_makes_it_stand() -> None:
    """TABLE-5, AWAY-1: the victim draws first, then the absent player draws and passes."""
    options = replace(TABLE, clock=Clock(turn=30, answer=10))
    hands = {"ANN": "BD G1 G2", "BOB": "B1 B2", "CAT": "Y1 Y2"}
    story = given(deal(top="R5", options=options, **hands)).when(ANN, play("BD"))
    until = deadline(story.match)
    assert until is not None
    story.at(until / 1_000_000).when(SERVICE, RunOutClock(until))
    drawn = [event for event in story.events if isinstance(event, CardsDrawn)]
    assert drawn == [
        drew(BOB, 2, DrawReason.DRAW_TWO, turn=CAT),
        drew(CAT, 1, DrawReason.CLOCK, turn=CAT),
    ]
    story.then_table(unfit=None, turn=ANN, laid_by=None)


def test_if_a_bot_keeps_the_authors_seat_the_card_stays() -> None:
    """TABLE-5, AWAY-2: nobody is out of the match."""
    options = replace(TABLE, on_leave=OnLeave.BOT)
    hands = {"ANN": "B9 G1 G2", "BOB": "B1 B2", "CAT": "Y1 Y2"}
    story = given(deal(top="R5", options=options, **hands)).when(ANN, play("B9"))
    story.when(ANN, Leave()).when(CAT, CallOut(ANN)).then_table(color=RED, unfit=None)
