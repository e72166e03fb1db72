"""Chapter 2: setting up, and what the first card does."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import msgspec
import pytest

from domain.cards import Card, Color, Face
from domain.commands import AnyCommand, Challenge, ChooseColor, CreateMatch, DrawCard, StartMatch
from domain.deal import shuffled
from domain.dealing import draw_for_dealer
from domain.editions import DECKS, Edition
from domain.events import (
    CardsDrawn,
    ColorChosen,
    DealerDrawn,
    DrawReason,
    MatchStarted,
    Pending,
    RoundCommitted,
    RoundStarted,
)
from domain.legal import legal_commands
from domain.match import Match
from domain.notation import cards
from domain.options import Options
from domain.refusals import Refusal
from tests.spec import (
    ANN,
    Seat,
    Story,
    given,
    hand_of,
    play,
    seated,
    started,
    started_where,
    total,
)

DECK = DECKS[Edition.CLASSIC_108]


def opens_with(face: Face) -> Callable[[Match], bool]:
    """Whether a match's first card shows this face."""
    return lambda match: match.round is not None and match.round.discard[0].face is face


def around(match: Match, steps: int) -> Seat:
    """The seat so many places to the left of the dealer."""
    assert match.dealer is not None
    return Seat((match.dealer + steps) % match.seats_total)


# Dealing.


@pytest.mark.parametrize("players", range(2, 11))
def test_seven_cards_each_and_one_turned_up(players: int) -> None:
    """SETUP-1, SETUP-5, case 17: with ten players 70 are dealt, 1 turned up, 37 left."""
    match = started_where(opens_with(Face.ONE), players)
    assert match.round is not None
    assert [len(hand) for hand in match.round.hands] == [7] * players
    assert match.round.draw_pile_count == 108 - 7 * players - 1
    assert match.round.discard[0].face is Face.ONE


@pytest.mark.parametrize("seats", [0, 1, 11])
def test_two_to_ten_players(seats: int) -> None:
    """SETUP-1, case 17: fewer than two or more than ten are not even a command."""
    whole = {"type": "create_match", "options": {}, "visibility": "public", "player": None}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**whole, "seats": seats}, CreateMatch)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"hand_size": 20}, Options)


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    """SETUP-5."""
    match = started(3)
    assert match.round is not None
    deck = shuffled(DECK, match.round.key, match.round.shuffles - 1)
    for place in range(1, 4):
        assert hand_of(match, around(match, place)) == deck[place - 1 : 21 : 3]


def test_the_dealers_left_starts_clockwise() -> None:
    """SETUP-6."""
    match = started_where(opens_with(Face.THREE), 4)
    given(match).then_table(turn=around(match, 1), direction=1, pending=Pending.TURN)


def test_what_a_start_tells() -> None:
    """SETUP-2: the draw for the dealer, the deal, and the next round's commitment."""
    story = given(seated(3)).when(ANN, StartMatch())
    kinds = [type(event) for event in story.events[:4]]
    assert kinds == [MatchStarted, DealerDrawn, RoundStarted, RoundCommitted]
    dealt = story.the(RoundStarted)
    assert isinstance(dealt, RoundStarted)
    assert (dealt.round, dealt.order, dealt.hand_size) == (1, (0, 1, 2), 7)
    committed = story.the(RoundCommitted)
    assert isinstance(committed, RoundCommitted)
    assert committed.round == 2


# The draw for the dealer.


Holds = Callable[[DealerDrawn], bool]


def drawn_like(holds: Holds, seats: int, deck: tuple[Card, ...] = DECK) -> DealerDrawn:
    """The first draw for the dealer like this, over a row of keys."""
    for number in range(20_000):
        drawn = draw_for_dealer(deck, number.to_bytes(32, "big"), seats)
        if holds(drawn):
            return drawn
    raise AssertionError("no such draw")


def first_draw(drawn: DealerDrawn) -> tuple[Card, ...]:
    """What each seat drew at first."""
    return tuple(draw.card for draw in drawn.draws[0])


def test_the_highest_number_deals() -> None:
    """SETUP-2: action and wild cards count 0."""
    for drawn in ("W4 R1", "YD R1", "GS R1", "BR R1"):
        story = drawn_like(lambda told, drawn=drawn: first_draw(told) == cards(drawn), 2)
        assert (story.dealer, len(story.draws)) == (1, 1)


def test_only_those_who_tied_draw_again() -> None:
    """SETUP-3, case 6: two 7s against a Skip and a 5; the two draw on from the same deck."""

    deck = cards("G7 B7 RS Y5 R1 B3 Y2")
    drawn = drawn_like(lambda told: first_draw(told) == cards("G7 B7 RS Y5"), 4, deck)
    again = drawn.draws[1]
    assert [draw.seat for draw in again] == [0, 1]
    assert drawn.dealer == max(again, key=lambda draw: int(draw.card.face)).seat
    assert drawn.shuffles == 1


def test_the_tied_draw_until_one_is_highest() -> None:
    """SETUP-3: a second tie is drawn for again."""
    drawn = drawn_like(lambda told: len(told.draws) == 3, 3)
    last = [draw.card for draw in drawn.draws[2]]
    assert len(set(last)) > 1
    assert drawn.dealer in [draw.seat for draw in drawn.draws[2]]


def test_too_few_cards_for_the_tied_are_shuffled_anew() -> None:
    """SETUP-3: the whole deck, with the next number."""
    drawn = drawn_like(lambda told: len(told.draws) > 1, 10, (Card.R7,) * 11 + (Card.R8,))
    assert drawn.shuffles == len(drawn.draws)
    (highest,) = (draw.seat for draw in drawn.draws[-1] if draw.card is Card.R8)
    assert drawn.dealer == highest


def test_just_enough_cards_for_the_tied_are_not_shuffled() -> None:
    """SETUP-3."""
    drawn = drawn_like(lambda told: len(told.draws) > 1, 2, cards("R7 G7 R8 R1"))
    assert (len(drawn.draws), drawn.shuffles) == (2, 1)


def test_later_rounds_are_dealt_by_the_next_seat() -> None:
    """SETUP-4: see also ``test_round_end``."""
    match = started(3)
    assert match.dealer is not None
    story = _to_the_next_round(match)
    assert story.match.dealer == (match.dealer + 1) % 3


def _to_the_next_round(match: Match) -> Story:
    """Everybody draws, then plays a drawn card that fits; somebody goes out in the end."""
    story = given(match)
    while story.match.rounds == match.rounds:
        assert story.match.round is not None
        seat = story.match.round.turn
        story.when(seat, legal_commands(story.match, seat)[0])
    return story


# The first card.


def test_first_card_draw_two() -> None:
    """FIRST-1, case 8: the left neighbor draws 2 and is skipped."""
    match = started_where(opens_with(Face.DRAW_TWO), 3)
    assert match.round is not None
    assert len(hand_of(match, around(match, 1))) == 9
    color = match.round.discard[0].color
    given(match).then_table(turn=around(match, 2), color=color, pending=Pending.TURN)


def test_first_card_draw_two_with_two_players() -> None:
    """FIRST-1, case 9: the other draws 2, the dealer plays first."""
    match = started_where(opens_with(Face.DRAW_TWO), 2)
    assert len(hand_of(match, around(match, 1))) == 9
    given(match).then_table(turn=match.dealer)


def test_the_draw_of_a_first_draw_two_is_told_last() -> None:
    """FIRST-1: dealt, committed, then drawn."""
    match = seated(3, seed=_seed_opening(Face.DRAW_TWO, 3))
    story = given(match).when(ANN, StartMatch())
    drawn = story.events[-1]
    assert isinstance(drawn, CardsDrawn)
    assert (drawn.reason, drawn.asked, drawn.drawn) == (DrawReason.OPENING, 2, 2)
    assert drawn.seat == around(story.match, 1)
    assert drawn.turn == around(story.match, 2)


def _seed_opening(face: Face, players: int) -> int:
    def opening(seed: int) -> Face:
        round = started(players, seed=seed).round
        assert round is not None
        return round.discard[0].face

    return next(seed for seed in range(1_000) if opening(seed) is face)


def test_first_card_skip() -> None:
    """FIRST-2: the left neighbor is skipped."""
    match = started_where(opens_with(Face.SKIP), 3)
    given(match).then_table(turn=around(match, 2), direction=1)


def test_first_card_reverse() -> None:
    """FIRST-3, case 11: the dealer plays first, then the dealer's right."""
    match = started_where(opens_with(Face.REVERSE), 3)
    assert match.dealer is not None
    given(match).then_table(turn=match.dealer, direction=-1)
    assert match.round is not None
    assert match.round.seat_after(match.dealer, 1, -1) == around(match, 2)


def test_first_card_reverse_with_two_players() -> None:
    """FIRST-3, case 12: the dealer plays first, then the other."""
    match = started_where(opens_with(Face.REVERSE), 2)
    given(match).then_table(turn=match.dealer)


def test_first_card_wild() -> None:
    """FIRST-4, case 14: the first player names a color, then takes a normal turn: here a draw."""
    match = started_where(opens_with(Face.WILD), 3)
    first = around(match, 1)
    story = given(match).then_table(turn=first, pending=Pending.COLOR, color=None)
    story.when(first, DrawCard()).then_refused(Refusal.COLOR_MUST_BE_NAMED_FIRST)
    story.when(first, ChooseColor(Color.YELLOW)).then(ColorChosen(first, Color.YELLOW, first))
    story.then_table(turn=first, pending=Pending.TURN, color=Color.YELLOW)
    story.when(first, DrawCard()).then_table(color=Color.YELLOW)


def test_only_the_first_player_names_the_color_and_once() -> None:
    """FIRST-4."""
    match = started_where(opens_with(Face.WILD), 3)
    first = around(match, 1)
    story = given(match)
    story.when(around(match, 2), ChooseColor(Color.RED)).then_refused(Refusal.TURN_MUST_BE_YOURS)
    story.when(first, ChooseColor(Color.RED))
    story.when(first, ChooseColor(Color.RED)).then_refused(Refusal.COLOR_MUST_BE_DUE)


def test_first_card_wild_then_a_wild_draw_four() -> None:
    """FIRST-4, case 15: it is judged by the color that its author has just named."""

    def holds_one_color_less(match: Match) -> bool:
        hand = hand_of(match, around(match, 1))
        colors = {card.color for card in hand if card.color}
        return opens_with(Face.WILD)(match) and Card.W4 in hand and len(colors) < 4

    match = started_where(holds_one_color_less, 2)
    first, other = around(match, 1), around(match, 2)
    held = {card.color for card in hand_of(match, first)}
    missing = next(color for color in Color if color not in held)
    owned = next(color for color in Color if color in held)
    for color, guilty in ((missing, False), (owned, True)):
        story = given(match).when(first, ChooseColor(color)).when(first, play("W4", Color.RED))
        assert story.match.round is not None
        assert story.match.round.penalty is not None
        assert story.match.round.penalty.judged_color is color
        story.when(other, Challenge())
        drawn = story.events[1]
        assert isinstance(drawn, CardsDrawn)
        assert (drawn.seat, drawn.asked) == ((first, 4) if guilty else (other, 6))
        story.then_table(turn=other if guilty else first)


def put_back() -> tuple[Match, RoundStarted, int]:
    """A start whose first card was a wild draw four, and the number of its deal's shuffle."""
    for seed in range(400):
        story = given(seated(2, seed=seed)).when(ANN, StartMatch())
        dealt, drawn = story.the(RoundStarted), story.the(DealerDrawn)
        assert isinstance(dealt, RoundStarted) and isinstance(drawn, DealerDrawn)
        assert dealt.opening is not Card.W4
        if dealt.put_back:
            return story.match, dealt, drawn.shuffles
    raise AssertionError("no such start")


def test_first_card_wild_draw_four_is_put_back() -> None:
    """FIRST-5: the draw pile is shuffled with it and another card is turned."""
    match, dealt, number = put_back()
    assert dealt.shuffles == number + 1 + dealt.put_back
    assert match.round is not None
    assert total(match.round.hands) + len(match.round.pile) + 1 == 108


def test_what_is_put_back_is_shuffled_in() -> None:
    """FIRST-5: under the draw pile, then all of it, as often as it comes."""
    match, dealt, number = put_back()
    assert match.round is not None
    pile = shuffled(DECK, match.round.key, number)[14:]
    for again in range(1, dealt.put_back + 1):
        assert pile[0] is Card.W4
        pile = shuffled((*pile[1:], pile[0]), match.round.key, number + again)
    assert match.round.discard + match.round.pile == pile


def test_orders_of_two_matches_differ() -> None:
    """Case 159: every deal follows from a seed of its own."""
    hands = {hand_of(started(2, seed=seed), ANN) for seed in range(20)}
    assert len(hands) == 20


def test_every_command_has_a_name_on_the_wire() -> None:
    """The tags are public: none is used twice."""
    tags = [kind.__struct_config__.tag for kind in get_args(AnyCommand)]
    assert len(set(tags)) == len(tags)
