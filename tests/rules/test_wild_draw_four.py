"""Chapter 4: the wild draw four, honest or bluffed."""

from __future__ import annotations

import pytest

from domain.commands import AcceptPenalty, CatchUno, Challenge, Command, DrawCard, PassTurn
from domain.events import (
    CardPlayed,
    ChallengeResolved,
    DrawReason,
    PenaltyAccepted,
    Pending,
    UnoCaught,
)
from domain.evolve import evolve
from domain.notation import cards
from domain.options import Options, WildDrawFour
from domain.refusals import Refusal
from domain.sight import mine
from domain.views import Mine
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
)

STRICT = Options(wild_draw_four=WildDrawFour.STRICT)
EITHER = [Options(), STRICT]


def bluffing(hand: str, top: str = "R7", **more: str) -> Story:
    """ANN lays the wild draw four of this hand, naming green; BOB is to answer."""
    table = deal(ANN=hand, BOB="Y1 Y2", **({"CAT": "B8 B9"} | more), top=top)
    return given(table).when(ANN, play("W4", GREEN))


def guilty(story: Story) -> bool:
    """The verdict of BOB's challenge."""
    verdict = story.when(BOB, Challenge()).events[0]
    assert isinstance(verdict, ChallengeResolved)
    return verdict.guilty


@pytest.mark.parametrize(
    ("hand", "top", "is_guilty"),
    [
        ("W4 B1 B2", "R7", False),
        ("W4 R1 B2", "R7", True),
        ("W4 G7 W", "R7", False),  # case 59: the number in another color, a wild
        ("W4 RS B1", "R7", True),  # case 60: an action card of the color
        ("W4 W W", "R7", False),  # case 75: wilds have no color
        ("W4 G7 B1", "R7", False),
        ("W4 W4 R9", "R7", True),
    ],
)
def test_when_a_wild_draw_four_is_legal(hand: str, top: str, is_guilty: bool) -> None:
    """WD4-1, WD4-8, case 59, case 60, case 75: no card of the color in force, wilds aside."""
    assert guilty(bluffing(hand, top)) is is_guilty


@pytest.mark.parametrize(("hand", "legal"), [("W4 B1 B2", True), ("W4 R1 B2", False)])
def test_strict_refuses_an_illegal_one(hand: str, legal: bool) -> None:
    """WD4-2: and a legal one is drawn for at once, without a challenge."""
    table = deal(ANN=hand, BOB="Y1 Y2", CAT="B8 B9", top="R7", options=STRICT)
    story = given(table).when(ANN, play("W4", GREEN))
    if not legal:
        story.then_refused(Refusal.WILD_DRAW_FOUR_MUST_BE_LEGAL)
        return
    story.then(
        played(ANN, "W4", GREEN, turn=CAT), drew(BOB, 4, DrawReason.WILD_DRAW_FOUR, turn=CAT)
    )
    story.when(CAT, Challenge()).then_refused(Refusal.PENALTY_MUST_BE_PENDING)


def test_strict_judges_a_drawn_one_by_the_whole_hand() -> None:
    """WD4-2, case 27."""
    table = deal(ANN="R9 B1", BOB="Y1", top="R5", pile="W4", options=STRICT)
    story = given(table).when(ANN, DrawCard())
    story.when(ANN, play("W4", GREEN)).then_refused(Refusal.WILD_DRAW_FOUR_MUST_BE_LEGAL)
    story.when(ANN, PassTurn()).then_table(turn=BOB)


def test_a_bluff_may_be_laid() -> None:
    """WD4-2, WD4-3, WD4-9: the play stores the color it is judged by."""
    bluffing("W4 R1 B2").then(
        played(
            ANN,
            "W4",
            GREEN,
            turn=BOB,
            pending=Pending.PENALTY,
            penalty=4,
            judged_color=RED,
        )
    )


def test_honest_and_bluffed_look_alike() -> None:
    """WD4-10, case 77: no event tells which it was before a challenge."""
    assert bluffing("W4 R1 B2").events == bluffing("W4 B1 B2").events


def test_the_target_accepts() -> None:
    """WD4-3: draws four and loses the turn."""
    story = bluffing("W4 R1 B2").when(BOB, AcceptPenalty())
    story.then(
        PenaltyAccepted(BOB, amount=4, turn=CAT), drew(BOB, 4, DrawReason.WILD_DRAW_FOUR, turn=CAT)
    )
    story.then_table(turn=CAT, pending=Pending.TURN, color=GREEN)


@pytest.mark.parametrize("command", [DrawCard(), PassTurn(), play("Y1")])
def test_the_target_answers_before_anything_else(command: Command) -> None:
    """WD4-3."""
    bluffing("W4 R1 B2").when(BOB, command).then_refused(Refusal.PENALTY_MUST_BE_ANSWERED)


@pytest.mark.parametrize("command", [AcceptPenalty(), Challenge()])
def test_nobody_else_answers(command: Command) -> None:
    """WD4-3."""
    story = bluffing("W4 R1 B2")
    story.when(CAT, command).then_refused(Refusal.TURN_MUST_BE_YOURS)
    story.when(ANN, command).then_refused(Refusal.TURN_MUST_BE_YOURS)


@pytest.mark.parametrize("first", [AcceptPenalty(), Challenge()])
@pytest.mark.parametrize("second", [AcceptPenalty(), Challenge()])
def test_only_the_first_answer_counts(first: Command, second: Command) -> None:
    """WD4-3, case 65, case 68: never four and six; no challenge after drawing."""
    story = bluffing("W4 B1 B2").when(BOB, first)
    story.when(BOB, second).then_refused(Refusal.TURN_MUST_BE_YOURS)


def test_no_penalty_nothing_to_answer() -> None:
    """WD4-3: on an ordinary turn."""
    story = given(deal(ANN="R1 B1", BOB="Y1", top="R5"))
    story.when(ANN, AcceptPenalty()).then_refused(Refusal.PENALTY_MUST_BE_PENDING)
    story.when(ANN, Challenge()).then_refused(Refusal.PENALTY_MUST_BE_PENDING)


def test_a_guilty_author_draws_four_and_the_target_plays() -> None:
    """WD4-5, WD4-7, case 62, case 63: the card stays on top, the named color stands."""
    story = bluffing("W4 R2 B1").when(BOB, Challenge())
    story.then(
        ChallengeResolved(BOB, author=ANN, guilty=True, turn=BOB),
        drew(ANN, 4, DrawReason.CHALLENGE, turn=BOB),
    )
    story.then_table(turn=BOB, pending=Pending.TURN, color=GREEN, top="W4", BOB="Y1 Y2")


def test_a_wrong_challenger_draws_six_and_loses_the_turn() -> None:
    """WD4-6, WD4-7."""
    story = bluffing("W4 B1 B2").when(BOB, Challenge())
    story.then(
        ChallengeResolved(BOB, author=ANN, guilty=False, turn=CAT),
        drew(BOB, 6, DrawReason.CHALLENGE, turn=CAT),
    )
    story.then_table(turn=CAT, color=GREEN)


def test_the_hand_to_be_shown_is_kept_with_the_play() -> None:
    """WD4-4, case 66: as it was, less the card itself; until the answer."""
    story = bluffing("W4 R2 B1", DAN="G1")
    assert story.match.round is not None
    assert story.match.round.penalty is not None
    assert story.match.round.penalty.hand == cards("R2 B1")
    story.when(BOB, Challenge()).then_table(penalty=None)
    assert DAN in story.match.round.order


def test_the_hand_is_shown_to_the_challenger_alone() -> None:
    """WD4-4: not even to the others at the table."""
    story = bluffing("W4 R2 B1", DAN="G1")
    before = story.match
    verdict = story.when(BOB, Challenge()).the(ChallengeResolved)
    after = evolve(before, verdict)
    assert mine(before, verdict, after, BOB) == Mine(shown=cards("R2 B1"))
    assert [mine(before, verdict, after, seat) for seat in (ANN, CAT, DAN)] == [None] * 3


def test_cards_drawn_since_do_not_count() -> None:
    """WD4-10, UNO-9, case 69: red cards of an UNO penalty are no evidence."""
    table = deal(ANN="G1 W4", BOB="Y1 Y2", CAT="B8 B9", top="R7", pile="R2 R9")
    story = given(table).when(ANN, play("W4", BLUE))
    story.when(CAT, CatchUno(ANN))
    story.then(
        UnoCaught(ANN, by=CAT),
        drew(ANN, 2, DrawReason.UNO, turn=BOB, pending=Pending.PENALTY),
    )
    assert story.match.round is not None
    assert story.match.round.penalty is not None
    assert story.match.round.penalty.hand == cards("G1")
    assert guilty(story) is False


def test_a_recycled_wild_draw_four_does_not_testify_against_itself() -> None:
    """WD4-1, PILE-2, case 50."""
    table = deal(ANN="W4 RS", BOB="B1 B2", top="Y4")
    story = given(table).when(ANN, play("W4", RED, uno=True))
    assert guilty(story) is False
    story.then_table(turn=ANN)


def test_a_drawn_wild_draw_four_is_judged_by_the_whole_hand() -> None:
    """WD4-1, case 27: the author held a red 9."""
    table = deal(ANN="R9 B1", BOB="Y1", top="R5", pile="W4")
    story = given(table).when(ANN, DrawCard()).when(ANN, play("W4", GREEN))
    story.when(BOB, Challenge())
    story.then(
        ChallengeResolved(BOB, author=ANN, guilty=True, turn=BOB),
        drew(ANN, 4, DrawReason.CHALLENGE, turn=BOB),
    )


def test_on_a_named_color_it_is_judged_by_that_color() -> None:
    """WD4-9, case 30: a wild draw four on a wild draw four: green was named, none is held."""
    table = deal(ANN="W4 R1 R2", BOB="Y1", top="W4", color=GREEN)
    story = given(table).when(ANN, play("W4", YELLOW))
    event = story.the(CardPlayed)
    assert isinstance(event, CardPlayed)
    assert event.judged_color is GREEN
    assert guilty(story) is False


@pytest.mark.parametrize("top", ["W", "W4"])
def test_a_named_color_that_is_held_makes_it_a_bluff(top: str) -> None:
    """WD4-9: no card of the discard pile shows that color."""
    table = deal(ANN="W4 G1 R2", BOB="Y1", discard="R7", top=top, color=GREEN)
    assert guilty(given(table).when(ANN, play("W4", YELLOW))) is True


def test_naming_the_present_color_is_allowed() -> None:
    """WILD-1, WD4-3: and it stands."""
    table = deal(ANN="W4 B1 B2", BOB="Y1", CAT="Y2", top="R5")
    given(table).when(ANN, play("W4", RED)).when(BOB, AcceptPenalty()).then_table(color=RED)
