"""Chapter 6, UNO-7: the grace after a silent second-to-last card."""

from __future__ import annotations

import pytest

from domain.commands import (
    AcceptPenalty,
    CallUno,
    CatchUno,
    Challenge,
    Command,
    DrawCard,
    Leave,
)
from domain.events import UnoCalled
from domain.options import Options
from domain.refusals import Refusal, RuleViolation
from domain.sight import explain, view_of
from tests.spec import (
    ANN,
    BOB,
    CAT,
    GREEN,
    RED,
    Seat,
    Story,
    after,
    deal,
    given,
    person,
    play,
    played,
    seed_of,
)

GRACE = Options(uno_grace=3)
TOO_EARLY = Refusal.GRACE_MUST_HAVE_PASSED


def silent(card: str = "R5", **hands: str) -> Story:
    """ANN lays her second-to-last card in silence at second 100; the grace ends at 103."""
    hands = {"ANN": f"{card} G2", "BOB": "R8 B2 B3", "CAT": "Y2 Y3 Y4", **hands}
    story = given(deal(top="R1", options=GRACE, **hands)).at(100)
    return story.when(ANN, play(card, GREEN if card.startswith("W") else None))


def test_the_play_says_until_when_no_turn_begins() -> None:
    silent().then(played(ANN, "R5", turn=BOB, not_before=103_000_000))


@pytest.mark.parametrize("act", [play("R8"), DrawCard()])
def test_no_turn_begins_before_the_grace_has_passed(act: Command) -> None:
    silent().at(102.9).when(BOB, act).then_refused(TOO_EARLY)
    silent().at(103).when(BOB, act).then_table(not_before=None, uno_owed=None)


@pytest.mark.parametrize("answer", [AcceptPenalty(), Challenge()])
def test_a_wild_draw_four_is_not_answered_before_it_has_passed(answer: Command) -> None:
    silent("W4").at(101).when(BOB, answer).then_refused(TOO_EARLY)
    silent("W4").at(103).when(BOB, answer).then_table(not_before=None)


def test_the_refusal_says_when_it_ends() -> None:
    with pytest.raises(RuleViolation) as caught:
        after(silent().match, person(BOB), DrawCard(), seed_of(0), now=100_000_001)
    assert caught.value.not_before == 103_000_000


def test_calls_and_catches_stay_allowed_and_end_it() -> None:
    silent().at(101).when(ANN, CallUno()).then(UnoCalled(ANN)).when(BOB, play("R8"))
    silent().at(101).when(CAT, CatchUno(ANN)).then_table(not_before=None).when(BOB, DrawCard())


def test_it_ends_when_the_author_leaves_but_not_when_another_does() -> None:
    silent().when(ANN, Leave()).then_table(not_before=None).when(BOB, DrawCard())
    silent().when(BOB, Leave()).when(CAT, DrawCard()).then_refused(TOO_EARLY)


def test_case_84_with_two_players_the_author_waits_too() -> None:
    table = deal(top="R1", options=GRACE, ANN="RS R5", BOB="R8 B2")
    story = given(table).when(ANN, play("RS"))
    story.when(ANN, play("R5")).then_refused(TOO_EARLY)
    story.when(BOB, CatchUno(ANN)).then_table(turn=ANN).when(ANN, play("R5"))


@pytest.mark.parametrize("said", [(), (ANN,)])
def test_there_is_none_where_uno_was_said(said: tuple[Seat, ...]) -> None:
    table = deal(top="R1", options=GRACE, ANN="R5 G2", BOB="R8 B2 B3", said=said)
    given(table).when(ANN, play("R5", uno=not said)).then_table(not_before=None)


def test_there_is_none_unless_the_match_asks_for_it() -> None:
    table = deal(top="R1", ANN="R5 G2", BOB="R8 B2 B3")
    given(table).when(ANN, play("R5")).then_table(not_before=None, uno_owed=ANN)


def test_out_of_turn_is_out_of_turn_during_the_grace() -> None:
    silent().when(CAT, DrawCard()).then_refused(Refusal.TURN_MUST_BE_YOURS)


def test_a_view_says_when_it_ends_and_lists_what_may_be_done_then() -> None:
    view = view_of(silent().match, BOB)
    assert view.pending.not_before == "1970-01-01T00:01:43.000000Z"
    assert play("R8") in (view.legal or ()) and DrawCard() in (view.legal or ())
    assert explain(silent().match, BOB).keys() == {"B2", "B3"}


def test_a_color_named_with_the_wild_stands_meanwhile() -> None:
    silent("W").then_table(color=GREEN)
    assert silent().match.round is not None and silent().match.round.color is RED
