"""The modern deck: four more wilds (DECK-2, VAL-2, SHUF-1, CUST-1)."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.cards import Card, points_of
from domain.commands import AcceptPenalty, CatchUno, Challenge, ChooseColor
from domain.editions import DECKS, Edition
from domain.events import DrawReason, HandsShuffled, HandsSwapped, Pending, RoundEnded, Seat
from domain.match import Match
from domain.notation import cards
from domain.options import Customizable, Options, Stacking
from domain.refusals import Refusal, RuleViolation
from domain.sight import mine, view_of
from domain.views import Mine
from tests.docs.page_deal import shuffled_hands
from tests.spec import (
    ANN,
    BLUE,
    BOB,
    CAT,
    DAN,
    GREEN,
    RED,
    Story,
    cards_of,
    created,
    deal,
    drew,
    given,
    hand_of,
    play,
    played,
    started,
    started_where,
)

MODERN = Options(edition=Edition.MODERN_112)


def custom(customizable: Customizable, **more: object) -> Options:
    """The modern deck with an effect of its customizable wilds."""
    return Options(edition=Edition.MODERN_112, customizable=customizable, **more)  # type: ignore[arg-type]


def test_the_modern_deck_has_four_more_wilds() -> None:
    """DECK-2, DECK-3, case 18."""
    more = Counter(DECKS[Edition.MODERN_112]) - Counter(DECKS[Edition.CLASSIC_108])
    assert more == {Card.WS: 1, Card.WC: 3} and len(DECKS[Edition.MODERN_112]) == 112
    assert not {Card.WS, Card.WC} & set(cards_of(started(2)))
    assert cards_of(started(3, options=MODERN)) == Counter(DECKS[Edition.MODERN_112])


def test_the_four_are_worth_forty() -> None:
    """VAL-2, case 18."""
    assert (Card.WS.points, Card.WC.points) == (40, 40)
    story = given(deal(ANN="R1", BOB="WS WC WC B2", top="R5", options=MODERN))
    story.when(ANN, play("R1"))
    ended = story.the(RoundEnded)
    assert isinstance(ended, RoundEnded) and ended.gains == (122, 0)
    assert points_of(cards("WS WC WC")) == 120


@pytest.mark.parametrize("opening", [Card.WS, Card.WC])
def test_an_opening_one_is_an_opening_wild(opening: Card) -> None:
    """FIRST-4, case 18: the first player names the color; no effect applies."""
    options = custom(Customizable.NEXT_DRAWS_THREE)
    match = started_where(
        lambda match: match.round is not None and match.round.top is opening, 3, options=options
    )
    assert match.round is not None and match.round.pending is Pending.COLOR
    hands = match.round.hands
    story = given(match).when(match.round.turn, ChooseColor(GREEN))
    story.then_table(hands=hands, color=GREEN, pending=Pending.TURN)


def test_all_hands_are_shuffled_and_dealt_from_the_left() -> None:
    """SHUF-1: one card at a time, clockwise whatever the direction."""
    hands = {"ANN": "WS G1 G2 G3", "BOB": "B1", "CAT": "Y1 Y2", "DAN": "R1 R2 R3"}
    match = deal(top="R5", direction=-1, options=MODERN, **hands)
    assert match.round is not None
    story = given(match).when(ANN, play("WS", BLUE))
    before = {0: ["G1", "G2", "G3"], 1: ["B1"], 2: ["Y1", "Y2"], 3: ["R1", "R2", "R3"]}
    _, dealt = shuffled_hands(match.round.key, before, [0, 1, 2, 3], 0, 2)
    story.then_table(turn=DAN, color=BLUE, shuffles=3)
    assert [list(hand_of(story.match, Seat(seat))) for seat in range(4)] == [*dealt.values()] or {
        seat: list(hand_of(story.match, Seat(seat))) for seat in range(4)
    } == dealt
    assert [len(hand_of(story.match, Seat(seat))) for seat in range(4)] == [2, 3, 2, 2]
    shuffled = story.the(HandsShuffled)
    assert isinstance(shuffled, HandsShuffled)
    assert (shuffled.seat, shuffled.number, shuffled.count) == (ANN, 2, 9)


def test_nobody_owes_uno_after_hands_were_shuffled() -> None:
    """SHUF-1, UNO-6, case 98: who receives one card cannot be caught."""
    hands = {"ANN": "WS G1", "BOB": "B1", "CAT": "Y1", "DAN": "R1"}
    story = given(deal(top="R5", said=(BOB,), options=MODERN, **hands))
    story.when(ANN, play("WS", RED)).then_table(uno_owed=None, uno_said=frozenset())
    for seat in (ANN, DAN):
        story.when(BOB, CatchUno(seat)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)


def test_a_last_shuffle_has_no_effect() -> None:
    """SHUF-1, END-4: it names a color like any other."""
    story = given(deal(ANN="WS", BOB="B1", top="R5", options=MODERN))
    story.when(ANN, play("WS")).then_refused(Refusal.WILD_MUST_NAME_A_COLOR)
    story.when(ANN, play("WS", RED))
    ended = story.the(RoundEnded)
    assert isinstance(ended, RoundEnded) and ended.gains == (1, 0)


def test_each_sees_the_own_new_hand_alone() -> None:
    """SHUF-1."""
    match = deal(ANN="WS G1 G2", BOB="B1", CAT="Y1", top="R5", options=MODERN)
    story = given(match).when(ANN, play("WS", RED))
    event = story.the(HandsShuffled)
    for seat in (ANN, BOB, CAT):
        assert mine(match, event, story.match, seat) == Mine(hand=hand_of(story.match, seat))


def customized(options: Options, hand: str = "WC G1 G2 G3") -> Story:
    """ANN is to play a customizable wild."""
    hands = {"ANN": hand, "BOB": "B1 B2", "CAT": "Y1 Y2", "DAN": "R1 R2"}
    return given(deal(top="R5", options=options, **hands))


def test_by_default_it_is_a_wild() -> None:
    """CUST-1."""
    customized(MODERN).when(ANN, play("WC", GREEN)).then(played(ANN, "WC", GREEN, turn=BOB))


def test_each_other_player_draws_one() -> None:
    """CUST-1: from the next on, in the direction of play; no turn is lost."""
    hands = {"ANN": "WC G1 G2", "BOB": "B1", "CAT": "Y1"}
    options = custom(Customizable.OTHERS_DRAW_ONE)
    story = given(deal(top="R5", direction=-1, options=options, **hands))
    story.when(ANN, play("WC", GREEN)).then(
        played(ANN, "WC", GREEN, turn=CAT, direction=-1),
        drew(CAT, 1, DrawReason.CUSTOMIZABLE, turn=CAT),
        drew(BOB, 1, DrawReason.CUSTOMIZABLE, turn=CAT),
    )


def test_the_next_draws_three_and_loses_the_turn() -> None:
    """CUST-1: no stacking, no challenge."""
    options = custom(Customizable.NEXT_DRAWS_THREE, stacking=Stacking.MIXED)
    story = (
        customized(options)
        .when(ANN, play("WC", GREEN))
        .then(played(ANN, "WC", GREEN, turn=CAT), drew(BOB, 3, DrawReason.CUSTOMIZABLE, turn=CAT))
    )
    story.when(CAT, AcceptPenalty()).then_refused(Refusal.PENALTY_MUST_BE_PENDING)
    story.when(CAT, Challenge()).then_refused(Refusal.PENALTY_MUST_BE_PENDING)


def test_it_swaps_hands_with_a_player_named() -> None:
    """CUST-1."""
    options = custom(Customizable.SWAP_HANDS)
    story = customized(options)
    story.when(ANN, play("WC", GREEN)).then_refused(Refusal.SWAP_MUST_NAME_A_SEAT)
    story.when(ANN, play("WC", swap_with=CAT)).then_refused(Refusal.WILD_MUST_NAME_A_COLOR)
    story.when(ANN, play("WC", GREEN, swap_with=CAT)).then(
        played(ANN, "WC", GREEN, turn=BOB),
        HandsSwapped(ANN, givers=(ANN, CAT), takers=(CAT, ANN)),
    )
    story.then_table(ANN="Y1 Y2", CAT="G1 G2 G3")


def test_a_view_lists_a_swapping_wild_without_its_color() -> None:
    """CUST-1."""
    view = view_of(customized(custom(Customizable.SWAP_HANDS), "WC G1 G2").match, ANN)
    assert isinstance(view.legal, tuple)
    assert set(view.legal[:3]) == {play("WC", swap_with=seat) for seat in (BOB, CAT, DAN)}


def test_its_author_plays_again() -> None:
    """CUST-1."""
    story = customized(custom(Customizable.PLAY_AGAIN)).when(ANN, play("WC", GREEN))
    story.then(played(ANN, "WC", GREEN, turn=ANN))
    story.when(ANN, play("G1")).then(played(ANN, "G1", turn=BOB))


@pytest.mark.parametrize(
    ("customizable", "draws"),
    [
        (Customizable.OTHERS_DRAW_ONE, [1, 1, 1]),
        (Customizable.NEXT_DRAWS_THREE, [3, 0, 0]),
        (Customizable.SWAP_HANDS, [0, 0, 0]),
        (Customizable.PLAY_AGAIN, [0, 0, 0]),
    ],
)
def test_a_last_one_only_makes_others_draw(customizable: Customizable, draws: list[int]) -> None:
    """CUST-1, END-2, END-4: the cards drawn count."""
    story = customized(custom(customizable), "WC").when(ANN, play("WC", GREEN))
    drawn = [event.drawn for event in story.events if isinstance(event, type(drew_nothing))]
    assert drawn == [count for count in draws if count]
    assert isinstance(story.the(RoundEnded), RoundEnded)


drew_nothing = drew(ANN, 0, DrawReason.CUSTOMIZABLE, turn=ANN)


def test_only_the_modern_deck_has_an_effect_to_choose() -> None:
    """CUST-1."""
    with pytest.raises(RuleViolation) as refused:
        created(2, options=Options(customizable=Customizable.PLAY_AGAIN))
    assert refused.value.refusal is Refusal.CUSTOMIZABLE_MUST_BE_IN_THE_DECK


def test_a_play_again_leaves_no_turn_to_jump_into() -> None:
    """CUST-1, HOUSE-3: nobody jumps in on a wild."""
    story = customized(custom(Customizable.PLAY_AGAIN, jump_in=True)).when(ANN, play("WC", RED))
    story.when(DAN, play("R1")).then_refused(Refusal.TURN_MUST_BE_YOURS)
    match: Match = story.match
    assert view_of(match, DAN).legal == ()
