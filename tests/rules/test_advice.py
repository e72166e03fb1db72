"""Penalties for advice (TABLE-4)."""

from __future__ import annotations

import pytest

from domain.commands import (
    SERVICE,
    AcceptPenalty,
    Actor,
    ActorKind,
    CatchUno,
    Challenge,
    Leave,
    PenalizeAdvice,
)
from domain.events import AdvicePenalized, AdviceReason, DrawReason, RoundEnded
from domain.limits import ADVICE_RULINGS_PER_ROUND
from domain.options import Form, Options, Scoring
from domain.refusals import Refusal
from tests.spec import ANN, BOB, CAT, DAN, GREEN, Story, deal, drew, given, play, seated

TOLD = AdviceReason.NAMED_A_COLOR
APP = Actor(ActorKind.APP)


def table(**more: str) -> Story:
    """ANN is the host and to move."""
    hands = {"ANN": "R1 R2 G1", "BOB": "B1", "CAT": "Y1 Y2"} | more
    return given(deal(top="R5", **hands))  # type: ignore[arg-type]


@pytest.mark.parametrize("who", [ANN, APP, SERVICE])
def test_the_host_or_the_app_rules_and_the_adviser_draws_two(who: Actor) -> None:
    """TABLE-4, case 119: with the reason on record; the turn stays where it is."""
    table().when(who, PenalizeAdvice(CAT, TOLD)).then(
        AdvicePenalized(CAT, TOLD), drew(CAT, 2, DrawReason.ADVICE, turn=ANN)
    )


def test_nobody_else_rules() -> None:
    """TABLE-4."""
    for who in (BOB, CAT):
        story = table().when(who, PenalizeAdvice(CAT, TOLD))
        story.then_refused(Refusal.HOST_MUST_ASK)


def test_during_a_round_and_to_an_active_player() -> None:
    """TABLE-4."""
    story = given(seated(3)).when(ANN, PenalizeAdvice(CAT, TOLD))
    story.then_refused(Refusal.MATCH_MUST_BE_RUNNING)
    story = table().when(CAT, Leave()).when(ANN, PenalizeAdvice(CAT, TOLD))
    story.then_refused(Refusal.ADVISER_MUST_BE_IN_PLAY)
    table().when(ANN, PenalizeAdvice(DAN, TOLD)).then_refused(Refusal.ADVISER_MUST_BE_IN_PLAY)


def test_it_spends_an_announcement_and_leaves_the_window_open() -> None:
    """TABLE-4, UNO-4, UNO-5."""
    story = given(deal(ANN="R1 G1", BOB="B1", CAT="Y1 Y2", top="R5", said=(BOB,)))
    story.when(ANN, play("R1")).when(ANN, PenalizeAdvice(BOB, TOLD))
    story.then_table(uno_said=frozenset(), uno_owed=ANN)
    story.when(CAT, CatchUno(ANN)).then_table(uno_owed=None)


def test_it_does_not_touch_a_stored_hand() -> None:
    """TABLE-4, WD4-10: what is judged is the hand of the play."""
    story = table(ANN="W4 B1 B2").when(ANN, play("W4", GREEN))
    story.when(ANN, PenalizeAdvice(ANN, TOLD)).when(BOB, Challenge())
    assert story.events[1] == drew(BOB, 6, DrawReason.CHALLENGE, turn=CAT)


def test_there_is_a_limit_to_it() -> None:
    """TABLE-4, LIMIT-1: no host ends a match alone."""
    story = table()
    for _ in range(ADVICE_RULINGS_PER_ROUND):
        story.when(ANN, PenalizeAdvice(CAT, TOLD))
    story.when(ANN, PenalizeAdvice(BOB, TOLD)).then_refused(Refusal.ADVICE_RULINGS_MUST_BE_FEW)


def test_cards_drawn_for_advice_after_the_last_one_do_not_count() -> None:
    """ELIM-3, SCORE-2: who went out has won the round, and adds nothing."""
    for options in (Options(form=Form.ELIMINATION), Options(scoring=Scoring.LOWEST)):
        match = deal(ANN="W4", BOB="B1", CAT="Y1 Y2", top="R5", pile="W W R1 R2", options=options)
        story = given(match).when(ANN, play("W4", GREEN)).when(APP, PenalizeAdvice(ANN, TOLD))
        story.then_table(ANN="W W").when(BOB, AcceptPenalty())
        counted = story.the(RoundEnded)
        assert isinstance(counted, RoundEnded)
        assert (counted.winner, counted.gains[ANN]) == (ANN, 0) and counted.gains[CAT] == 3
