"""Chapters 7 and 8: the end of a round, its count, and the end of a match."""

from __future__ import annotations

import pytest

from domain.commands import AcceptPenalty, CatchUno, Challenge, DrawCard
from domain.events import (
    CardsDrawn,
    ChallengeResolved,
    DrawReason,
    EndReason,
    MatchEnded,
    PenaltyAccepted,
    Pending,
    RoundCommitted,
    RoundEnded,
    RoundStarted,
    SeedRevealed,
)
from domain.match import Status
from domain.options import Options, Reveal, WildDrawFour
from domain.refusals import Refusal
from domain.scoring import places_from_the_top
from tests.spec import (
    ANN,
    BLUE,
    BOB,
    CAT,
    RED,
    YELLOW,
    Story,
    deal,
    drew,
    given,
    play,
    played,
)


def gains(story: Story) -> tuple[int, ...]:
    """What the round that has just ended gave."""
    ended = story.the(RoundEnded)
    assert isinstance(ended, RoundEnded)
    return ended.gains


def test_the_round_ends_with_the_last_card() -> None:
    """END-1, END-5: counted and the next one dealt at once."""
    story = given(deal(ANN="R9", BOB="B5 Y5", top="R5")).when(ANN, play("R9"))
    story.then_first(
        played(ANN, "R9", turn=BOB, pending=Pending.NONE, last=True),
        RoundEnded(round=1, winner=ANN, gains=(10, 0), scores=(10, 0)),
    )
    kinds = [type(event) for event in story.events[2:4]]
    assert kinds == [RoundStarted, RoundCommitted]
    story.then_match(rounds=2, scores=(10, 0), dealer=ANN, status=Status.RUNNING)


def test_a_last_draw_two_is_drawn_before_the_count() -> None:
    """END-2, END-5, case 99, case 108: 40 and 50 make 90, not 62; nothing is told before."""
    table = deal(ANN="GD", BOB="Y9 R3", CAT="B0 W", top="G4", pile="R8 YS")
    story = given(table).when(ANN, play("GD"))
    story.then_first(
        played(ANN, "GD", turn=CAT, pending=Pending.NONE, last=True),
        drew(BOB, 2, DrawReason.DRAW_TWO, turn=CAT, pending=Pending.NONE),
        RoundEnded(round=1, winner=ANN, gains=(90, 0, 0), scores=(90, 0, 0)),
    )


PILE = "R1 R2 GD W Y1 Y2"


def last_wild_draw_four() -> Story:
    table = deal(ANN="W4", BOB="Y9", CAT="B5", top="G4", pile=PILE, said=(ANN,))
    return given(table).when(ANN, play("W4", RED)).then_table(pending=Pending.PENALTY, turn=BOB)


def test_a_last_wild_draw_four_is_accepted() -> None:
    """END-2, case 72 (a): the target's four cards count."""
    story = last_wild_draw_four().when(BOB, AcceptPenalty())
    story.then_first(
        PenaltyAccepted(BOB, amount=4, turn=CAT),
        drew(BOB, 4, DrawReason.WILD_DRAW_FOUR, turn=CAT, pending=Pending.NONE),
        RoundEnded(round=1, winner=ANN, gains=(87, 0, 0), scores=(87, 0, 0)),
    )


def test_a_last_wild_draw_four_is_challenged_in_vain() -> None:
    """END-2, END-3, case 72 (b): its author held nothing else, so it is always legal."""
    story = last_wild_draw_four().when(BOB, Challenge())
    story.then_first(
        ChallengeResolved(BOB, author=ANN, guilty=False, turn=CAT),
        drew(BOB, 6, DrawReason.CHALLENGE, turn=CAT, pending=Pending.NONE),
        RoundEnded(round=1, winner=ANN, gains=(90, 0, 0), scores=(90, 0, 0)),
    )


def test_after_a_last_card_nothing_else_can_be_done() -> None:
    """END-2: but to answer it."""
    story = last_wild_draw_four()
    story.when(BOB, DrawCard()).then_refused(Refusal.PENALTY_MUST_BE_ANSWERED)
    story.when(CAT, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)


def test_a_strict_last_wild_draw_four_is_drawn_at_once() -> None:
    """END-2, WD4-2."""
    options = Options(wild_draw_four=WildDrawFour.STRICT)
    table = deal(ANN="W4", BOB="Y9", CAT="B5", top="G4", pile=PILE, options=options)
    story = given(table).when(ANN, play("W4", BLUE))
    assert [type(event) for event in story.events[1:3]] == [CardsDrawn, RoundEnded]
    assert gains(story) == (87, 0, 0)


@pytest.mark.parametrize(("card", "points"), [("RS", 12), ("RR", 12), ("R9", 12)])
def test_a_last_skip_or_reverse_has_no_effect(card: str, points: int) -> None:
    """END-4, case 102: the round ends, points."""
    story = given(deal(ANN=card, BOB="Y9", CAT="B3", top="R4")).when(ANN, play(card))
    story.then_first(played(ANN, card, turn=BOB, pending=Pending.NONE, last=True))
    assert gains(story) == (points, 0, 0)


def test_a_last_wild_names_a_color() -> None:
    """END-4: like any other."""
    table = deal(ANN="W", BOB="Y9", top="R4")
    given(table).when(ANN, play("W")).then_refused(Refusal.WILD_MUST_NAME_A_COLOR)
    story = given(table).when(ANN, play("W", YELLOW))
    story.then_first(played(ANN, "W", YELLOW, turn=BOB, pending=Pending.NONE, last=True))


def test_a_drawn_card_may_be_the_last() -> None:
    """END-1, DRAW-1: a hand of one draws, and cannot end by that; it plays down again."""
    story = given(deal(ANN="R9", BOB="Y9", top="R4", pile="R8")).when(ANN, DrawCard())
    story.when(ANN, play("R8", uno=True)).then_table(ANN="R9")


# Points.


def test_the_winner_scores_what_is_left_in_the_others_hands() -> None:
    """SCORE-1: the others nothing."""
    table = deal(ANN="R9", BOB="Y9 RD", CAT="W B1", top="R5", scores=(5, 6, 7))
    story = given(table).when(ANN, play("R9"))
    assert gains(story) == (80, 0, 0)
    story.then_match(scores=(85, 6, 7))


def test_the_worked_example_of_the_count() -> None:
    """SCORE-4, VAL-1, case 105: 7 + 3 + Reverse + Wild = 80."""
    story = given(deal(ANN="R9", BOB="B7 G3 YR W", top="R5")).when(ANN, play("R9"))
    assert gains(story) == (80, 0)


@pytest.mark.parametrize(("total", "is_over"), [(480, True), (479, False), (499, True)])
def test_who_reaches_the_target_wins(total: int, is_over: bool) -> None:
    """SCORE-1, case 107: 500 or more win at once, in the same append as the count."""
    table = deal(ANN="R9", BOB="Y9 B9 G2", top="R5", scores=(total, 100))
    story = given(table).when(ANN, play("R9"))
    if not is_over:
        story.then_match(status=Status.RUNNING, scores=(total + 20, 100))
        return
    ended = MatchEnded(EndReason.TARGET, winners=(ANN,), scores=(total + 20, 100), places=(1, 2))
    assert story.events[-1] == ended
    story.then_match(status=Status.FINISHED, round=None)


def test_the_target_is_an_option() -> None:
    """SCORE-1."""
    table = deal(ANN="R9", BOB="W", top="R5", options=Options(target=50))
    given(table).when(ANN, play("R9")).then_match(status=Status.FINISHED)


def test_equal_totals_share_a_place() -> None:
    """SCORE-1, case 116: 1, 2, 2, 4, whatever the order of seats."""
    for scores, places in (
        ((10, 500, 40, 40), (4, 1, 2, 2)),
        ((40, 10, 500, 40), (2, 4, 1, 2)),
    ):
        table = deal(ANN="R1", BOB="B1", CAT="G1", DAN="Y1", scores=scores)
        assert places_from_the_top(table) == places


def test_the_deal_passes_to_the_left() -> None:
    """SETUP-4: CAT dealt, so ANN deals next."""
    story = given(deal(ANN="R1 R2", BOB="R9", CAT="B1", top="R5", turn=BOB))
    story.when(BOB, play("R9")).then_match(dealer=ANN)
    story.then_table(dealer=ANN, number=2, uno_owed=None, uno_said=frozenset(), passes=0)


# What is opened.


def revealed(story: Story) -> list[int]:
    """The rounds that were just opened, in order."""
    return [event.round for event in story.events if isinstance(event, SeedRevealed)]


def ending(target: int, reveal: Reveal) -> Story:
    options = Options(target=target, reveal=reveal)
    table = deal(ANN="R9", BOB="W W4", top="R5", options=options)
    return given(table).when(ANN, play("R9"))


def test_rounds_are_opened_at_the_end_of_the_match() -> None:
    """All of them, the one not dealt included, before the last event."""
    assert revealed(ending(2000, Reveal.MATCH)) == []
    story = ending(50, Reveal.MATCH)
    kinds = [type(event) for event in story.events[1:]]
    assert kinds == [RoundEnded, SeedRevealed, SeedRevealed, MatchEnded]
    assert revealed(story) == [1, 2]


def test_rounds_are_opened_when_they_end() -> None:
    """With ``reveal`` = ``round``: right after the count, before the next deal."""
    story = ending(2000, Reveal.ROUND)
    kinds = [type(event) for event in story.events[1:5]]
    assert kinds == [RoundEnded, SeedRevealed, RoundStarted, RoundCommitted]
    assert revealed(story) == [1]
    assert revealed(ending(50, Reveal.ROUND)) == [1, 2]
