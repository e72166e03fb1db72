"""What ``sharp`` does with a hand, a view of it and what it remembers."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.bots import sharp
from domain.bots.memory import SUITS, UNLIMITED, Memory
from domain.cards import Card, Color, Hand
from domain.commands import (
    AcceptPenalty,
    CallOut,
    CallUno,
    CatchUno,
    Challenge,
    ChooseColor,
    DrawCard,
    PassTurn,
    PlayCard,
    PlayerCommand,
)
from domain.events import BotLevel, Pending, Seat
from domain.match import Match, Occupant
from domain.notation import cards
from domain.options import DrawnCard, Enforcement, Form, Options, Stacking
from domain.sight import view_of
from tests.spec import ANN, BLUE, BOB, CAT, GREEN, RED, deal, given, play

LEVELS = (BotLevel.RANDOM, BotLevel.STEADY, None)


def remembered(
    match: Match, laid: Hand = (), judged: Color | None = None, **lacking: Color
) -> Memory:
    """The pile with ``laid`` under it; who had to draw lacks a color, and wilds."""
    assert match.round is not None
    seats = {"BOB": BOB, "CAT": CAT}
    may_hold = {
        seats[name]: {**dict.fromkeys(SUITS, UNLIMITED), color: 0, None: 0}
        for name, color in lacking.items()
    }
    return Memory((*laid, *match.round.discard), match.round.color, judged, may_hold)


def choice(match: Match, seat: Seat = ANN, memory: Memory | None = None) -> PlayerCommand | None:
    return sharp.choose(view_of(match, seat), memory or remembered(match))


def colors_named(match: Match, memory: Memory) -> Color | None:
    chosen = choice(match, memory=memory)
    assert isinstance(chosen, PlayCard) and chosen.card is Card.W
    return chosen.color


@pytest.mark.parametrize("color", [BLUE, GREEN])
def test_a_wild_names_the_color_that_who_is_next_lacks(color: Color) -> None:
    match = deal(ANN="W G1 G2 B1 B2", BOB="Y1 Y2", top="R5")
    assert colors_named(match, remembered(match, BOB=color)) is color


def test_a_wild_names_the_color_of_which_most_cards_are_gone() -> None:
    match = deal(ANN="W G1 G2 B1 B2", BOB="Y1 Y2", top="R5")
    greens = cards("G0 G3 G3 G4 G4 G5 G5 G6 G6 G7 G7 G8 G8 G9 G9 GS GS GR GR GD GD")
    blues = cards("B0 B3 B3 B4 B4 B5 B5 B6 B6 B7 B7 B8 B8 B9 B9 BS BS BR BR BD BD")
    assert colors_named(match, remembered(match, greens)) is GREEN
    assert colors_named(match, remembered(match, blues)) is BLUE


def test_wilds_are_saved() -> None:
    assert choice(deal(ANN="R5 W W4 G1 G2", BOB="B1 B2 B3 B4", top="R9")) == play("R5")


def test_two_players_take_the_turns_that_end_the_round() -> None:
    """SKIP-2: a skip first, and then the card that it leaves in its color."""
    match = deal(ANN="RS R9 ", BOB="B1 B2", top="R5")
    assert choice(match) == play("RS", uno=True)


def test_who_is_about_to_go_out_is_made_to_draw() -> None:
    match = deal(ANN="RD R9 R8 G1", BOB="B1", CAT="Y1 Y2 Y3 Y4 Y5", top="R5")
    assert choice(match) == play("RD")


def faced(level: BotLevel | None, hand: str) -> Match:
    """BOB faces the wild draw four of ANN, who is played like this."""
    match = given(deal(ANN=hand, BOB="B1 B2", top="R5")).when(ANN, play("W4", GREEN)).match
    return replace(match, seats=(Occupant(bot=level), *match.seats[1:]))


def test_a_wild_draw_four_is_challenged_where_its_author_is_known_to_bluff() -> None:
    hand = "W4 Y1 Y2 Y3 Y4 Y5"
    answers = {
        level: choice(faced(level, hand), BOB, remembered(faced(level, hand), judged=RED))
        for level in LEVELS
    }
    assert answers[BotLevel.RANDOM] == Challenge()
    assert answers[BotLevel.STEADY] == AcceptPenalty()


def test_no_challenge_where_the_author_cannot_well_have_held_the_color() -> None:
    match = faced(BotLevel.RANDOM, "W4 Y1 Y2 Y3 Y4 Y5")
    reds = cards("R0 R1 R1 R2 R2 R3 R3 R4 R4 R6 R6 R7 R7 R8 R8 R9 R9 RS RS RR RR RD RD R5")
    assert choice(match, BOB, remembered(match, reds, judged=RED)) == AcceptPenalty()
    drew = replace(remembered(match, judged=RED), may_hold={ANN: dict.fromkeys(SUITS, 0)})
    assert choice(match, BOB, drew) == AcceptPenalty()


def test_a_color_that_is_due_is_the_one_with_most_cards() -> None:
    """FIRST-4."""
    match = deal(ANN="G1 G2 B3 W", BOB="B1", top="W", color=RED)
    assert match.round is not None
    due = replace(match, round=replace(match.round, color=None, pending=Pending.COLOR))
    assert choice(due) == ChooseColor(GREEN)


def test_it_catches_and_calls() -> None:
    silent = given(deal(ANN="R1 G2", BOB="B1 B2 B3", CAT="Y1 Y2", top="R5"))
    match = silent.when(ANN, play("R1")).match
    assert choice(match, CAT) == CatchUno(ANN)
    assert choice(match, ANN) == CallUno()


def test_it_draws_when_nothing_fits_and_keeps_what_does_not() -> None:
    table = given(deal(ANN="G1 G2 G3", BOB="B1", top="R5", pile="G4"))
    assert choice(table.match) == DrawCard()
    assert choice(table.when(ANN, DrawCard()).match) == PassTurn()


def test_a_drawn_card_that_has_to_be_played_is() -> None:
    """DRAW-4."""
    options = Options(drawn_card=DrawnCard.MUST)
    match = deal(ANN="G1 G2 G3", BOB="B1", top="R5", pile="W", options=options)
    chosen = choice(given(match).when(ANN, DrawCard()).match)
    assert isinstance(chosen, PlayCard) and (chosen.card, chosen.color) == (Card.W, GREEN)


def test_a_stack_is_passed_on() -> None:
    """HOUSE-1."""
    options = Options(stacking=Stacking.SAME)
    match = deal(ANN="RD R1 R2", BOB="BD B1 B2", CAT="Y1", top="R5", options=options)
    assert choice(given(match).when(ANN, play("RD")).match, BOB) == play("BD")


def test_hands_are_swapped_with_who_holds_the_fewest_cards() -> None:
    """HOUSE-2."""
    options = Options(seven_zero=True)
    match = deal(ANN="R7 B1 B2", BOB="B3 B4", CAT="Y1", top="R5", options=options)
    assert choice(match) == play("R7", swap_with=CAT)


def test_a_short_hand_is_not_given_away() -> None:
    """HOUSE-2."""
    options = Options(seven_zero=True)
    match = deal(ANN="R7 R1 B2", BOB="B3 B4 B5 B6 B7", top="R5", options=options)
    assert choice(match) == play("R1")


def test_a_partner_is_no_danger() -> None:
    """TEAM-1: who sits opposite may go out; a skip would give them the turn."""
    options = Options(form=Form.TEAMS)
    hands = {"ANN": "RS R9 G1 G2", "BOB": "B1 B2 B3", "CAT": "Y1", "DAN": "Y2 Y3 Y4"}
    assert choice(deal(**hands, top="R5", options=options)) == play("RS")  # type: ignore[arg-type]


def test_only_what_fits_is_laid_and_what_does_not_is_called_out() -> None:
    """TABLE-2."""
    options = Options(enforcement=Enforcement.TABLE, uno_grace=1)
    match = deal(ANN="B1 B2 B3", BOB="Y1 Y2", CAT="Y3 Y4", top="R5", options=options)
    assert choice(match) == DrawCard()
    assert choice(given(match).when(ANN, play("B1")).match, CAT) == CallOut(ANN)
