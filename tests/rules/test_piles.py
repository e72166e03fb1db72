"""Chapter 3: the draw pile runs out, and both piles do."""

from __future__ import annotations

from domain.cards import Card
from domain.commands import AcceptPenalty, CatchUno, Challenge, DrawCard, PassTurn
from domain.events import (
    CardsDrawn,
    ChallengeResolved,
    DrawReason,
    PenaltyAccepted,
    PileReshuffled,
    RoundBlocked,
    RoundCommitted,
    RoundEnded,
    RoundStarted,
    TurnPassed,
    UnoCaught,
)
from domain.refusals import Refusal
from domain.sight import view_of
from tests.spec import (
    ANN,
    BOB,
    CAT,
    GREEN,
    RED,
    YELLOW,
    Match,
    deal,
    drew,
    given,
    play,
)


def empty_pile(**hands: str) -> Match:
    """Nothing to draw but the discards R1 and G2 under the top B3."""
    return deal(discard="R1 G2", top="B3", rest=False, **hands)


def nothing_left(**hands: str) -> Match:
    """No card but the top B3 and those in the hands."""
    return deal(top="B3", rest=False, **hands)


def test_the_discards_under_the_top_are_shuffled() -> None:
    """PILE-1, case 47, case 48: the last played card stays, and so does the color."""
    story = given(empty_pile(ANN="Y1 Y2", BOB="B5")).when(ANN, DrawCard())
    reshuffled, drawn = story.events
    assert isinstance(reshuffled, PileReshuffled)
    assert (reshuffled.number, reshuffled.count) == (2, 2)
    assert drawn == drew(ANN, 1, DrawReason.TURN, turn=ANN)
    story.then_table(discard=(Card.B3,), draw_pile_count=1, color="blue", shuffles=3)


def test_the_pile_is_made_when_needed_not_before() -> None:
    """PILE-1: the last card of the pile is drawn without a shuffle."""
    table = deal(ANN="Y1 Y2", BOB="B5", discard="R1", top="B3", pile="G9", rest=False)
    story = given(table).when(ANN, DrawCard()).then(drew(ANN, 1, DrawReason.TURN, turn=ANN))
    story.then_table(draw_pile_count=0, discard=(Card.R1, Card.B3))


def test_the_pile_never_counts_below_zero() -> None:
    """PILE-1, case 57: three draws in a row from two discards; the third is not possible."""
    story = given(empty_pile(ANN="Y1 Y2", BOB="Y5 Y6"))
    story.when(ANN, DrawCard()).when(ANN, PassTurn()).when(BOB, DrawCard()).when(BOB, PassTurn())
    story.then_table(draw_pile_count=0, discard=(Card.B3,))
    story.when(ANN, DrawCard()).then_refused(Refusal.DRAW_MUST_BE_POSSIBLE)
    story.then_table(draw_pile_count=0, drawable=0)


def test_a_reshuffled_wild_has_no_color() -> None:
    """PILE-2, case 48: the top wild keeps its named color, the one under it has none."""
    table = deal(ANN="G1 G2", BOB="B5", discard="W", top="W", color=YELLOW, rest=False)
    story = given(table).when(ANN, DrawCard()).then_table(color=YELLOW, drawn_card=Card.W)
    story.when(ANN, play("W", RED)).then_table(color=RED)


def test_a_penalty_straddles_a_reshuffle() -> None:
    """PILE-1, case 53: two drawn, ten shuffled in, two more drawn; one shuffle, between them."""
    table = deal(
        ANN="W4 G1 G2",
        BOB="B5",
        discard="R1 R2 R3 R4 R6 R7 R8 R9 W",
        top="Y5",
        pile="B1 B2",
        rest=False,
    )
    story = given(table).when(ANN, play("W4", GREEN)).when(BOB, AcceptPenalty())
    accepted, first, reshuffled, second = story.events
    assert accepted == PenaltyAccepted(BOB, 4, turn=ANN)
    assert first == drew(BOB, 2, DrawReason.WILD_DRAW_FOUR, asked=4, turn=ANN)
    assert isinstance(reshuffled, PileReshuffled)
    assert reshuffled.count == 10
    assert second == drew(BOB, 2, DrawReason.WILD_DRAW_FOUR, turn=ANN)
    story.then_table(draw_pile_count=8, discard=(Card.W4,))


def test_the_penalty_of_a_last_card_straddles_too() -> None:
    """PILE-1, END-2: the discards under the last card are shuffled for it."""
    table = deal(ANN="BD", BOB="B5", discard="R1 R2", top="B3", pile="B1", rest=False, said=(ANN,))
    story = given(table).when(ANN, play("BD"))
    kinds = [type(event) for event in story.events[1:5]]
    assert kinds == [CardsDrawn, PileReshuffled, CardsDrawn, RoundEnded]


def test_a_penalty_takes_what_there_is() -> None:
    """PILE-3: the event tells what was asked and what was drawn; there is no debt."""
    table = deal(ANN="BD B1 B2", BOB="B5", top="B3", rest=False)
    story = given(table).when(ANN, play("BD"))
    reshuffled, drawn = story.events[1:]
    assert isinstance(reshuffled, PileReshuffled)
    assert drawn == drew(BOB, 1, DrawReason.DRAW_TWO, asked=2, turn=ANN)
    story.then_table(BOB="B5 B3", draw_pile_count=0, turn=ANN)


def test_a_penalty_may_take_nothing() -> None:
    """PILE-3: the second of two penalties finds nothing left, and is told so."""
    table = deal(ANN="BD B1", BOB="B5", CAT="Y1", top="B3", rest=False)
    story = given(table).when(ANN, play("BD")).when(CAT, CatchUno(ANN))
    story.then(UnoCaught(ANN, by=CAT), drew(ANN, 0, DrawReason.UNO, asked=2, turn=CAT))
    story.then_table(ANN="B1", BOB="B5 B3")


def test_who_cannot_draw_may_pass() -> None:
    """PILE-4, case 54: without a fitting card."""
    story = given(nothing_left(ANN="Y1 Y2", BOB="B5", CAT="Y5"))
    story.when(ANN, DrawCard()).then_refused(Refusal.DRAW_MUST_BE_POSSIBLE)
    story.when(ANN, PassTurn()).then(TurnPassed(ANN, drew=False, turn=BOB))


def test_who_cannot_draw_must_play_what_fits() -> None:
    """PILE-4, case 54: a legal wild draw four counts as fitting here."""
    for hand in ("B1 Y2", "Y1 W", "Y1 W4"):
        given(nothing_left(ANN=hand, BOB="B5")).when(ANN, PassTurn()).then_refused(
            Refusal.FITTING_CARD_MUST_BE_PLAYED
        )


def test_when_all_have_passed_so_the_round_is_blocked() -> None:
    """PILE-5: no winner, no points, the deal passes left, a new round is dealt."""
    story = given(nothing_left(ANN="Y1 Y2", BOB="Y5", CAT="Y6"))
    story.when(ANN, PassTurn()).when(BOB, PassTurn()).when(CAT, PassTurn())
    story.then_first(TurnPassed(CAT, drew=False, turn=ANN), RoundBlocked(1))
    kinds = [type(event) for event in story.events[2:4]]
    assert kinds == [RoundStarted, RoundCommitted]
    story.then_match(rounds=2, dealer=ANN, scores=(0, 0, 0))


def test_a_play_starts_the_row_of_passes_anew() -> None:
    """PILE-5."""
    story = given(nothing_left(ANN="Y1 Y2", BOB="B5 Y7 Y8", CAT="Y6"))
    story.when(ANN, PassTurn()).then_table(passes=1)
    story.when(BOB, play("B5")).then_table(passes=0)
    story.when(CAT, DrawCard()).then_table(passes=0)


def test_numbers_of_cards_are_public_and_kept() -> None:
    """PILE-6: what piles and hands count follows from the events alone."""
    story = given(deal(ANN="Y1 Y2", BOB="B5", top="B3", pile="G1"))
    assert story.match.round is not None
    before = story.match.round.draw_pile_count
    story.when(ANN, DrawCard()).then_table(draw_pile_count=before - 1, discard=(Card.B3,))


def test_everybody_sees_how_many_cards_there_are() -> None:
    """PILE-6: in the piles and in every hand, after a reshuffle too."""
    story = given(deal(ANN="Y1 Y2", BOB="B5", discard="R1 R2", top="B3", pile="G1", rest=False))
    for counts in ((1, 3, [2, 1]), (0, 3, [3, 1]), (0, 3, [3, 1]), (1, 1, [3, 2])):
        view = view_of(story.match, None)
        assert (view.draw_pile, view.discard_pile, [seat.cards for seat in view.seats]) == counts
        seat = view.turn
        assert seat is not None
        story.when(seat, PassTurn() if story.match.round.has_drawn else DrawCard())


def test_a_challenge_after_a_reshuffle_is_judged_by_the_stored_color() -> None:
    """WD4-9, case 56: the discards that showed it are gone."""
    table = deal(
        ANN="W4 B7 B8", BOB="R8 R9", CAT="Y1 Y2", discard="R1 B2", top="G5", rest=False, turn=ANN
    )
    story = given(table).when(ANN, play("W4", RED))
    story.when(BOB, Challenge())
    verdict, reshuffled, drawn = story.events
    assert verdict == ChallengeResolved(BOB, author=ANN, guilty=False, turn=CAT)
    assert isinstance(reshuffled, PileReshuffled)
    assert drawn == drew(BOB, 3, DrawReason.CHALLENGE, asked=6, turn=CAT)


def test_an_uno_penalty_between_play_and_challenge_may_reshuffle() -> None:
    """WD4-9, case 56: the very case: the penalty of a catch reshuffles, then the challenge."""
    table = deal(ANN="W4 B7", BOB="R8 R9", CAT="Y1 Y2", discard="R1 B2", top="G5", rest=False)
    story = given(table).when(ANN, play("W4", RED)).when(CAT, CatchUno(ANN))
    assert isinstance(story.events[1], PileReshuffled)
    story.when(BOB, Challenge())
    assert story.events[0] == ChallengeResolved(BOB, author=ANN, guilty=False, turn=CAT)
