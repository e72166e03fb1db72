"""The house rule of passing a penalty on (HOUSE-1)."""

from __future__ import annotations

import pytest

from domain.commands import AcceptPenalty, CallUno, CatchUno, Challenge, DrawCard, Leave, PassTurn
from domain.events import (
    ChallengeResolved,
    DrawReason,
    PenaltyAccepted,
    Pending,
    RoundEnded,
    UnoCalled,
)
from domain.options import Options, Stacking, WildDrawFour
from domain.refusals import Refusal
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
    deal,
    drew,
    given,
    play,
    played,
    started_where,
)

SAME = Options(stacking=Stacking.SAME)
MIXED = Options(stacking=Stacking.MIXED)
STRICT = Options(stacking=Stacking.MIXED, wild_draw_four=WildDrawFour.STRICT)
PENALTY = Pending.PENALTY


def table(options: Options = MIXED, top: str = "R5", **hands: str) -> Story:
    """Four players, each with cards to spare."""
    all_hands = {"ANN": "", "BOB": "", "CAT": "", "DAN": ""} | hands
    spare = {"ANN": "G1 G2", "BOB": "B1 B2", "CAT": "Y1 Y2", "DAN": "R1 R2"}
    return given(
        deal(top=top, options=options, **{n: f"{h} {spare[n]}" for n, h in all_hands.items()})
    )


def test_a_draw_two_is_faced_and_not_drawn_at_once() -> None:
    """HOUSE-1."""
    story = table(ANN="RD").when(ANN, play("RD"))
    story.then(played(ANN, "RD", turn=BOB, pending=PENALTY, penalty=2)).then_table(BOB="B1 B2")


def test_a_penalty_passed_on_is_added_up_and_drawn_whole() -> None:
    """HOUSE-1, case 36."""
    story = table(SAME, ANN="RD", BOB="BD", CAT="YD").when(ANN, play("RD"))
    story.when(BOB, play("BD")).then(
        played(BOB, "BD", turn=CAT, pending=PENALTY, penalty=4),
    )
    story.when(CAT, play("YD")).when(DAN, AcceptPenalty())
    story.then(PenaltyAccepted(DAN, 6, turn=ANN), drew(DAN, 6, DrawReason.DRAW_TWO, turn=ANN))


def test_without_the_option_a_draw_two_has_no_answer() -> None:
    """HOUSE-1, D2-1."""
    story = table(Options(), ANN="RD", BOB="BD").when(ANN, play("RD"))
    story.when(BOB, play("BD")).then_refused(Refusal.TURN_MUST_BE_YOURS)


@pytest.mark.parametrize("card", ["B9", "W", "W4", "RS"])
def test_same_is_answered_by_the_same_kind_alone(card: str) -> None:
    """HOUSE-1."""
    story = table(SAME, ANN="RD", BOB=card).when(ANN, play("RD"))
    story.when(BOB, play(card, GREEN if card.startswith("W") else None))
    story.then_refused(Refusal.CARD_MUST_PASS_THE_PENALTY_ON)


def test_mixed_lets_a_wild_draw_four_answer_a_draw_two() -> None:
    """HOUSE-1, WD4-9: judged by the color in force just before it."""
    story = table(ANN="RD", BOB="W4").when(ANN, play("RD")).when(BOB, play("W4", GREEN))
    expected = played(BOB, "W4", GREEN, turn=CAT, pending=PENALTY, penalty=6, judged_color=RED)
    story.then(expected)


def test_a_draw_two_answers_a_wild_draw_four_in_the_named_color_only() -> None:
    """HOUSE-1."""
    story = table(ANN="W4", BOB="GD YD").when(ANN, play("W4", GREEN))
    story.when(BOB, play("YD")).then_refused(Refusal.CARD_MUST_MATCH)
    story.when(BOB, play("GD")).then(played(BOB, "GD", turn=CAT, pending=PENALTY, penalty=6))


def test_nobody_must_answer() -> None:
    """HOUSE-1, WD4-3."""
    story = table(ANN="RD", BOB="BD").when(ANN, play("RD")).when(BOB, AcceptPenalty())
    story.then(PenaltyAccepted(BOB, 2, turn=CAT), drew(BOB, 2, DrawReason.DRAW_TWO, turn=CAT))


def test_drawing_and_passing_are_no_answers() -> None:
    """HOUSE-1."""
    story = table(ANN="RD", BOB="BD").when(ANN, play("RD"))
    story.when(BOB, DrawCard()).then_refused(Refusal.PENALTY_MUST_BE_ANSWERED)
    story.when(BOB, PassTurn()).then_refused(Refusal.PENALTY_MUST_BE_ANSWERED)


def test_who_finally_draws_may_challenge_the_last_wild_draw_four() -> None:
    """HOUSE-1, case 71: its guilty author draws the whole stack, the challenger plays on."""
    story = table(ANN="W4", BOB="W4 R9").when(ANN, play("W4", RED)).when(BOB, play("W4", GREEN))
    story.when(CAT, Challenge()).then(
        ChallengeResolved(CAT, BOB, guilty=True, turn=CAT),
        drew(BOB, 8, DrawReason.CHALLENGE, turn=CAT),
    )


def test_a_wrong_challenge_of_a_stack_costs_two_more() -> None:
    """HOUSE-1, case 71."""
    story = table(ANN="W4", BOB="W4").when(ANN, play("W4", RED)).when(BOB, play("W4", GREEN))
    story.when(CAT, Challenge()).then(
        ChallengeResolved(CAT, BOB, guilty=False, turn=DAN),
        drew(CAT, 10, DrawReason.CHALLENGE, turn=DAN),
    )


def test_a_draw_two_cannot_be_challenged_nor_a_wild_draw_four_under_it() -> None:
    """HOUSE-1."""
    story = table(ANN="W4 R9", BOB="GD").when(ANN, play("W4", GREEN)).when(BOB, play("GD"))
    story.when(CAT, Challenge()).then_refused(Refusal.CHALLENGE_MUST_BE_OF_A_WILD_DRAW_FOUR)


def test_with_strict_there_is_an_answer_and_no_challenge() -> None:
    """HOUSE-1, WD4-2."""
    story = table(STRICT, ANN="W4 R9", BOB="GD").when(ANN, play("W4", GREEN))
    story.then_refused(Refusal.WILD_DRAW_FOUR_MUST_BE_LEGAL)
    story = table(STRICT, ANN="W4", BOB="GD W4").when(ANN, play("W4", GREEN))
    story.then(played(ANN, "W4", GREEN, turn=BOB, pending=PENALTY, penalty=4))
    story.when(BOB, Challenge()).then_refused(Refusal.CHALLENGE_MUST_BE_OF_A_WILD_DRAW_FOUR)
    story.when(BOB, play("W4", RED)).then_refused(Refusal.WILD_DRAW_FOUR_MUST_BE_LEGAL)
    story.when(BOB, AcceptPenalty())
    assert story.events[1] == drew(BOB, 4, DrawReason.WILD_DRAW_FOUR, turn=CAT)


def test_if_the_author_has_left_nobody_draws_the_stack() -> None:
    """HOUSE-1, AWAY-4."""
    story = table(ANN="W4", BOB="W4 R9").when(ANN, play("W4", RED)).when(BOB, play("W4", GREEN))
    story.when(BOB, Leave()).when(CAT, Challenge())
    story.then(ChallengeResolved(CAT, BOB, guilty=True, turn=CAT))


def test_if_the_one_who_faces_it_leaves_it_lapses() -> None:
    """HOUSE-1, AWAY-4."""
    story = table(ANN="RD", BOB="BD").when(ANN, play("RD")).when(BOB, Leave())
    story.then_table(penalty=None, turn=CAT, pending=Pending.TURN)


def test_a_last_card_is_not_answered() -> None:
    """HOUSE-1, END-2, case 101: the next player draws the stack, then the hands are counted."""
    hands = {"ANN": "RD", "BOB": "BD B1", "CAT": "GD G1"}
    story = given(deal(top="R5", pile="R1 R2", options=SAME, **hands)).when(ANN, play("RD"))
    assert story.events[1] == drew(BOB, 2, DrawReason.DRAW_TWO, turn=CAT, pending=Pending.NONE)
    ended = story.the(RoundEnded)
    assert isinstance(ended, RoundEnded) and ended.gains == (21 + 3 + 21, 0, 0)


def test_a_last_draw_two_on_a_stack_lets_the_next_draw_it_all() -> None:
    """HOUSE-1, END-2."""
    hands = {"ANN": "RD R1", "BOB": "BD", "CAT": "GD G1"}
    story = given(deal(top="R5", options=SAME, **hands)).when(ANN, play("RD", uno=True))
    story.when(BOB, play("BD"))
    assert story.events[1] == drew(CAT, 4, DrawReason.DRAW_TWO, turn=ANN, pending=Pending.NONE)


def test_a_last_wild_draw_four_may_be_challenged_and_not_answered() -> None:
    """HOUSE-1, END-2, END-3."""
    hands = {"ANN": "W4", "BOB": "W4 GD", "CAT": "GD G1"}
    story = given(deal(top="R5", options=MIXED, **hands)).when(ANN, play("W4", GREEN))
    story.when(BOB, play("GD")).then_refused(Refusal.PENALTY_MUST_BE_ANSWERED)
    story.when(BOB, Challenge())
    assert story.events[1] == drew(BOB, 6, DrawReason.CHALLENGE, turn=CAT, pending=Pending.NONE)


def test_an_opening_draw_two_is_not_answered() -> None:
    """HOUSE-1, FIRST-1."""
    match = started_where(
        lambda match: match.round is not None and match.round.top[1:] == "D", 3, options=MIXED
    )
    assert match.round is not None and match.dealer is not None
    assert match.round.penalty is None
    assert len(match.round.hands[(match.dealer + 1) % 3]) == 9


def test_answering_with_the_second_to_last_card_owes_uno() -> None:
    """HOUSE-1, UNO-1, UNO-4."""
    hands = {"ANN": "RD R1 R2", "BOB": "BD B1", "CAT": "Y1"}
    story = given(deal(top="R5", options=SAME, **hands)).when(ANN, play("RD"))
    story.when(BOB, CallUno()).then(UnoCalled(BOB))
    story.when(BOB, play("BD")).then_table(uno_owed=None)
    story = given(deal(top="R5", options=SAME, **hands)).when(ANN, play("RD"))
    story.when(BOB, play("BD")).then_table(uno_owed=BOB)
    story.when(CAT, AcceptPenalty()).when(ANN, CatchUno(BOB))
    story.then_refused(Refusal.CATCH_MUST_BE_IN_TIME)


def test_an_announcement_before_the_stack_is_drawn_is_void() -> None:
    """HOUSE-1, UNO-1."""
    hands = {"ANN": "RD R1 R2", "BOB": "BD B1", "CAT": "Y1"}
    story = given(deal(top="R5", options=SAME, **hands)).when(ANN, play("RD"))
    story.when(BOB, CallUno()).when(BOB, AcceptPenalty()).then_table(uno_said=frozenset())


def test_a_view_shows_the_whole_stack_and_its_answers() -> None:
    """HOUSE-1."""
    story = table(ANN="RD", BOB="BD W4").when(ANN, play("RD"))
    view = view_of(story.match, BOB)
    assert (view.pending.kind, view.pending.amount) == (PENALTY, 2)
    assert view.legal == (play("BD"), play("W4"), AcceptPenalty())


def test_the_color_of_the_answer_is_in_force_afterwards() -> None:
    """HOUSE-1."""
    story = table(ANN="RD", BOB="BD", CAT="YD").when(ANN, play("RD")).when(BOB, play("BD"))
    story.then_table(color=BLUE).when(CAT, play("YD")).then_table(color=YELLOW)
