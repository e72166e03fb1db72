"""Chapter 1: cards and values."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.cards import Card, Color, Face, points_of
from domain.commands import DrawCard, PassTurn
from domain.editions import DECKS, Edition
from domain.notation import cards, line
from tests.spec import ANN, BOB, Seat, Story, cards_of, deal, given, hand_of, play, started

DECK = DECKS[Edition.CLASSIC_108]


def test_the_classic_deck_has_108_cards() -> None:
    """DECK-1, case 18: 25 of each color and 8 wilds; no other card exists."""
    counts = Counter(DECK)
    assert len(DECK) == 108
    for color in Color:
        of_color = [card for card in DECK if card.color is color]
        assert len(of_color) == 25
        assert [counts[card] for card in dict.fromkeys(of_color)] == [1] + [2] * 12
    assert counts[Card.W] == counts[Card.W4] == 4


@pytest.mark.parametrize(
    ("face", "points"),
    [
        *[(Face(str(number)), number) for number in range(10)],
        (Face.SKIP, 20),
        (Face.REVERSE, 20),
        (Face.DRAW_TWO, 20),
        (Face.WILD, 50),
        (Face.WILD_DRAW_FOUR, 50),
    ],
)
def test_what_a_card_is_worth(face: Face, points: int) -> None:
    """VAL-1, case 105."""
    assert {card.points for card in Card if card.face is face} == {points}


def test_the_value_of_hands() -> None:
    """Case 104: the loser's hand is worth 111, never the winner's own cards."""
    assert points_of(cards("B6 B8 R7 RR W4 YS")) == 111


def test_no_card_comes_or_goes() -> None:
    """DECK-3, case 2, case 51: after 300 draws, with reshuffles, every card is there just once."""
    story, whole = given(started(4)), Counter(DECK)
    for _ in range(300):
        seat = _to_move(story)
        story.when(seat, DrawCard() if _can_draw(story) else PassTurn())
        assert cards_of(story.match) == whole
        if story.match.round and story.match.round.has_drawn:
            story.when(seat, PassTurn())
        if not _can_draw(story):
            break
    assert not _can_draw(story), "all cards were drawn"


def _to_move(story: Story) -> Seat:
    assert story.match.round is not None
    return story.match.round.turn


def _can_draw(story: Story) -> bool:
    return story.match.round is not None and story.match.round.drawable > 0


def test_equal_cards_are_interchangeable() -> None:
    """DECK-3, case 5: a command names a face; one of two leaves the hand, the other stays."""
    given(deal(ANN="R5 B7 R5", BOB="B5", top="R1")).when(ANN, play("R5")).then_table(ANN="B7 R5")


def test_the_opening_card_is_counted_once() -> None:
    """DECK-3, case 3: 14 in hands, 93 in the pile, 1 on top; all 108 again after a reshuffle."""
    match = started(2)
    assert match.round is not None
    assert len(hand_of(match, ANN)) == len(hand_of(match, BOB)) == 7
    assert match.round.draw_pile_count == 93
    assert len(match.round.discard) == 1
    assert cards_of(match) == Counter(DECK)


def test_cards_are_read_and_written_in_one_line() -> None:
    assert cards("R5 YS W W4") == (Card.R5, Card.YS, Card.W, Card.W4)
    assert line(cards("R5 YS W W4")) == "R5 YS W W4"
    with pytest.raises(ValueError, match="R10"):
        cards("R10")
