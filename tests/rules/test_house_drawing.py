"""House rules of drawing: until a card fits (HOUSE-4), and only if none does (HOUSE-5)."""

from __future__ import annotations

import pytest

from domain.cards import Color
from domain.combinations import require_no_contradiction
from domain.commands import DrawCard, PassTurn
from domain.events import DrawReason, PileReshuffled, TurnPassed
from domain.options import DrawnCard, Options, WildDrawFour
from domain.refusals import Refusal, RuleViolation
from domain.sight import mine
from domain.views import Mine
from tests.spec import ANN, BOB, CAT, created, deal, drew, given, play, played

UNTIL = Options(draw_until_playable=True)
FORCED = Options(force_play=True)


def test_one_command_draws_until_a_card_fits() -> None:
    """HOUSE-4."""
    table = given(deal(ANN="G1", BOB="B1", top="R5", pile="G2 B3 R7 R8", options=UNTIL))
    table.when(ANN, DrawCard()).then(drew(ANN, 3, DrawReason.TURN, turn=ANN))
    table.then_table(ANN="G1 G2 B3 R7", drawn_card="R7", turn=ANN)


def test_only_the_card_that_fits_may_then_be_played() -> None:
    """HOUSE-4, DRAW-2."""
    table = given(deal(ANN="R1 G1", BOB="B1", top="R5", pile="G2 R7", options=UNTIL))
    table.when(ANN, DrawCard())
    table.when(ANN, play("R1")).then_refused(Refusal.CARD_MUST_BE_THE_DRAWN_ONE)
    table.when(ANN, play("R7")).then(played(ANN, "R7", turn=BOB))


@pytest.mark.parametrize("wild", ["W", "W4"])
def test_any_wild_fits(wild: str) -> None:
    """HOUSE-4: a wild draw four too, even where it could not be played (WD4-2)."""
    options = Options(draw_until_playable=True, wild_draw_four=WildDrawFour.STRICT)
    table = given(deal(ANN="R1 G1", BOB="B1", top="R5", pile=f"G2 {wild} R7", options=options))
    table.when(ANN, DrawCard()).then_table(ANN=f"R1 G1 G2 {wild}")


def test_the_card_that_fits_may_be_kept_or_must_be_played() -> None:
    """HOUSE-4, DRAW-4."""
    must = Options(draw_until_playable=True, drawn_card=DrawnCard.MUST)
    for options, refused in ((UNTIL, None), (must, Refusal.DRAWN_CARD_MUST_BE_PLAYED)):
        table = given(deal(ANN="G1", BOB="B1", top="R5", pile="G2 R7", options=options))
        table.when(ANN, DrawCard()).when(ANN, PassTurn())
        if refused is not None:
            table.then_refused(refused)
        else:
            table.then(TurnPassed(ANN, drew=True, turn=BOB))


def test_a_reshuffle_may_come_in_between() -> None:
    """HOUSE-4, PILE-1: each part asks for just the cards that it takes."""
    table = given(
        deal(ANN="G1", BOB="B1", top="R5", pile="G2 G3", discard="R9", rest=False, options=UNTIL)
    )
    table.when(ANN, DrawCard())
    first, shuffled, second = table.events
    assert first == drew(ANN, 2, DrawReason.TURN, turn=ANN)
    assert isinstance(shuffled, PileReshuffled)
    assert second == drew(ANN, 1, DrawReason.TURN, turn=ANN)
    table.then_table(drawn_card="R9")


def test_if_nothing_fits_all_is_drawn_and_the_turn_can_end() -> None:
    """HOUSE-4, PILE-3."""
    table = given(deal(ANN="G1", BOB="B1", top="R5", pile="G2 G3", rest=False, options=UNTIL))
    table.when(ANN, DrawCard()).then(drew(ANN, 2, DrawReason.TURN, turn=ANN))
    table.when(ANN, PassTurn()).then(TurnPassed(ANN, drew=True, turn=BOB))


def test_penalties_are_as_usual() -> None:
    """HOUSE-4, D2-1."""
    table = given(deal(ANN="RD R1 R2", BOB="B1", CAT="Y1", top="R5", pile="G2", options=UNTIL))
    table.when(ANN, play("RD"))
    assert table.events[1] == drew(BOB, 2, DrawReason.DRAW_TWO, turn=CAT)


def test_the_drawn_cards_are_the_drawers_alone() -> None:
    """HOUSE-4."""
    before = deal(ANN="G1", BOB="B1", top="R5", pile="G2 R7", options=UNTIL)
    table = given(before).when(ANN, DrawCard())
    (event,) = table.events
    assert mine(before, event, table.match, ANN) == Mine(drawn=("G2", "R7"))  # type: ignore
    assert mine(before, event, table.match, BOB) is None


def test_who_can_play_must() -> None:
    """HOUSE-5: no voluntary draw."""
    table = given(deal(ANN="R1 G1", BOB="B1", top="R5", options=FORCED))
    table.when(ANN, DrawCard()).then_refused(Refusal.DRAW_MUST_BE_NEEDED)
    table.when(ANN, play("R1", uno=True)).then(played(ANN, "R1", turn=BOB, uno=True))


def test_who_cannot_play_draws_and_must_play_what_fits() -> None:
    """HOUSE-5, DRAW-4."""
    table = given(deal(ANN="G1", BOB="B1", top="R5", pile="R7", options=FORCED))
    table.when(ANN, DrawCard()).then(drew(ANN, 1, DrawReason.TURN, turn=ANN))
    table.when(ANN, PassTurn()).then_refused(Refusal.DRAWN_CARD_MUST_BE_PLAYED)


def test_a_wild_is_forced_and_a_wild_draw_four_never() -> None:
    """HOUSE-5."""
    table = given(deal(ANN="W G1", BOB="B1", top="R5", options=FORCED))
    table.when(ANN, DrawCard()).then_refused(Refusal.DRAW_MUST_BE_NEEDED)
    table = given(deal(ANN="W4 G1", BOB="B1", top="R5", pile="W4", options=FORCED))
    table.when(ANN, DrawCard()).then(drew(ANN, 1, DrawReason.TURN, turn=ANN))
    table.when(ANN, PassTurn()).then(TurnPassed(ANN, drew=True, turn=BOB))


def test_with_nothing_to_draw_a_wild_draw_four_is_forced() -> None:
    """HOUSE-5, PILE-4."""
    table = given(deal(ANN="W4 G1", BOB="B1", top="R5", rest=False, options=FORCED))
    table.when(ANN, PassTurn()).then_refused(Refusal.FITTING_CARD_MUST_BE_PLAYED)


def test_who_must_play_must_play_a_drawn_card() -> None:
    """HOUSE-5: the options of the match say so."""
    assert created(2, options=FORCED).options.drawn_card is DrawnCard.MUST


def test_both_together() -> None:
    """HOUSE-4, HOUSE-5."""
    options = Options(draw_until_playable=True, force_play=True)
    table = given(deal(ANN="G1", BOB="B1", top="R5", pile="G2 W R1", options=options))
    table.when(ANN, DrawCard()).when(ANN, PassTurn())
    table.then_refused(Refusal.DRAWN_CARD_MUST_BE_PLAYED)
    table.when(ANN, play("W", Color.RED)).then(played(ANN, "W", Color.RED, turn=BOB))


def test_who_must_play_cannot_be_given_a_choice() -> None:
    """HOUSE-5: may is refused where it is written, and is the default where it is not."""
    for given_options in ({}, {"force_play": True}, {"drawn_card": "may"}):
        require_no_contradiction(given_options)
    require_no_contradiction({"force_play": True, "drawn_card": "must"})
    with pytest.raises(RuleViolation) as refused:
        require_no_contradiction({"force_play": True, "drawn_card": "may"})
    assert refused.value.refusal is Refusal.FORCE_PLAY_MUST_NOT_LEAVE_A_CHOICE
