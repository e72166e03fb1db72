"""The worked examples of the rule documents."""

from __future__ import annotations

import pytest

from domain.commands import Challenge
from domain.events import ChallengeResolved, DrawReason
from domain.options import Options, WildDrawFour
from domain.refusals import Refusal
from tests.spec import ANN, BOB, CAT, GREEN, deal, drew, given, play


def test_a_challenge_of_an_honest_wild_draw_four() -> None:
    """Example 1: WD4-1, WD4-6, WD4-7."""
    table = deal(ANN="B7 W4 Y1", BOB="Y2 Y3", CAT="Y4", top="R7")
    story = given(table).when(ANN, play("W4", GREEN)).when(BOB, Challenge())
    story.then(
        ChallengeResolved(BOB, author=ANN, guilty=False, turn=CAT),
        drew(BOB, 6, DrawReason.CHALLENGE, turn=CAT),
    )
    story.then_table(color=GREEN, turn=CAT)


def test_a_challenge_of_a_bluff() -> None:
    """Example 1: WD4-5, WD4-7."""
    table = deal(ANN="B7 W4 R2", BOB="Y2 Y3", CAT="Y4", top="R7")
    story = given(table).when(ANN, play("W4", GREEN)).when(BOB, Challenge())
    story.then(
        ChallengeResolved(BOB, author=ANN, guilty=True, turn=BOB),
        drew(ANN, 4, DrawReason.CHALLENGE, turn=BOB),
    )
    story.then_table(color=GREEN, turn=BOB)


@pytest.mark.parametrize(("other", "legal"), [("R9", True), ("B9", False)])
def test_what_may_be_played_on_a_blue_six(other: str, legal: bool) -> None:
    """Example 2: TURN-1, WD4-1: the yellow 6, and the wild draw four unless a blue is held."""
    strict = Options(wild_draw_four=WildDrawFour.STRICT)
    table = deal(ANN=f"Y6 {other} W4", BOB="Y1", top="B6", options=strict)
    given(table).when(ANN, play("Y6")).then_table(top="Y6")
    story = given(table).when(ANN, play("W4", GREEN))
    if legal:
        story.then_table(top="W4")
    else:
        story.then_refused(Refusal.WILD_DRAW_FOUR_MUST_BE_LEGAL)


def test_uno_must_be_said_again() -> None:
    """Example 3: UNO-5, TWO-1."""
    table = deal(ANN="R1 G4", BOB="RD B1 B2", top="R5", pile="R8 R9")
    story = given(table).when(ANN, play("R1", uno=True)).then_table(ANN="G4")
    story.when(BOB, play("RD")).then_table(ANN="G4 R8 R9", turn=BOB)
    story.then_table(uno_said=frozenset())


def test_a_round_of_80_points() -> None:
    """Example 4: SCORE-4."""
    story = given(deal(ANN="R9", BOB="R7 G3", CAT="BR W", top="R5")).when(ANN, play("R9"))
    story.then_match(scores=(80, 0, 0))
