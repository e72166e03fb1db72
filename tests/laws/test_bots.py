"""What the policies do with a hand, each from the view that a client of the seat would get."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from domain.bots import POLICIES, Dice, choose
from domain.bots.memory import NOTHING
from domain.cards import Card
from domain.commands import (
    AcceptPenalty,
    CallOut,
    CallUno,
    CatchUno,
    Challenge,
    ChooseColor,
    Command,
    DrawCard,
    PassTurn,
    PlayCard,
)
from domain.events import BotLevel, Pending
from domain.match import Match, Occupant
from domain.options import Enforcement, Options, Stacking
from domain.sight import view_of
from tests.spec import ANN, BLUE, BOB, CAT, GREEN, RED, after, deal, given, person, play, seed_of

STEADY, RANDOM = BotLevel.STEADY, BotLevel.RANDOM


def choices(level: BotLevel, match: Match, seat: int = ANN, times: int = 400) -> Counter[str]:
    """What a bot chooses with so many different dice, by kind or by card."""
    found: Counter[str] = Counter()
    for number in range(times):
        choice = POLICIES[level](view_of(match, seat), Dice(number.to_bytes(4, "big")), NOTHING)
        found[str(choice.card) if isinstance(choice, PlayCard) else type(choice).__name__] += 1
    return found


def steady(match: Match, seat: int = ANN) -> Command | None:
    return POLICIES[STEADY](view_of(match, seat), Dice(b""), NOTHING)


def test_the_same_view_and_dice_give_the_same_move() -> None:
    view = view_of(deal(ANN="R1 R2 G5 W", BOB="B1", top="R5"), ANN)
    for policy in POLICIES.values():
        assert len({policy(view, Dice(b"same"), NOTHING) for _ in range(20)}) == 1


def test_a_bot_plays_at_the_level_of_its_seat() -> None:
    match = deal(ANN="R1 W", BOB="B1", top="R5")
    match = replace(match, seats=(Occupant(bot=STEADY), *match.seats[1:]))
    assert choose(view_of(match, ANN), Dice(b"")) == play("R1", uno=True)


@pytest.mark.parametrize("level", BotLevel)
def test_who_is_not_waited_for_does_nothing(level: BotLevel) -> None:
    assert choices(level, deal(ANN="R1 R2 R3", BOB="R7 R8 R9"), BOB) == {"NoneType": 400}


def test_steady_keeps_to_the_color() -> None:
    assert steady(deal(ANN="B5 R1 Y5 W", BOB="B1", top="R5")) == play("R1")


def test_steady_changes_to_the_color_it_holds_most_of() -> None:
    assert steady(deal(ANN="B5 Y5 Y1 Y2 W", BOB="B1", top="R5")) == play("Y5")


def test_steady_saves_its_wilds() -> None:
    assert steady(deal(ANN="B5 W W4 G1", BOB="B1", top="R5")) == play("B5")
    assert steady(deal(ANN="G1 B1 B2 W W4", BOB="B1", top="R5")) == play("W", BLUE)


def test_steady_lays_high_cards_first() -> None:
    assert steady(deal(ANN="R1 R9 RD", BOB="B1", top="R5")) == play("RD")


def test_steady_says_uno_with_the_play() -> None:
    assert steady(deal(ANN="R1 G2", BOB="B1", top="R5")) == play("R1", uno=True)
    assert steady(deal(ANN="R1 G2", BOB="B1", top="R5", said=(ANN,))) == play("R1")


def test_steady_does_not_bluff_with_a_drawn_wild_draw_four() -> None:
    table = given(deal(ANN="R9 G1 G2", BOB="B1", top="R5", pile="W4")).when(ANN, DrawCard())
    assert steady(table.match) == PassTurn()


def test_steady_draws_when_nothing_fits_and_keeps_what_does_not() -> None:
    table = given(deal(ANN="G1 G2 G3", BOB="B1", top="R5", pile="G4"))
    assert steady(table.match) == DrawCard()
    assert steady(table.when(ANN, DrawCard()).match) == PassTurn()


def test_steady_catches_and_calls() -> None:
    silent = given(deal(ANN="R1 G2", BOB="B1 B2 B3", CAT="Y1 Y2", top="R5"))
    match = silent.when(ANN, play("R1")).match
    assert steady(match, CAT) == CatchUno(ANN)
    assert steady(match, ANN) == CallUno()


def test_steady_names_the_color_it_holds_most_of() -> None:
    match = deal(ANN="G1 G2 B3 W", BOB="B1", top="W", color=RED)
    assert match.round is not None
    due = replace(match, round=replace(match.round, color=None, pending=Pending.COLOR))
    assert steady(due) == ChooseColor(GREEN)


def challenged(hand: str) -> Match:
    """BOB faces ANN's wild draw four."""
    return given(deal(ANN=hand, BOB="B1 B2", top="R5")).when(ANN, play("W4", GREEN)).match


def test_steady_challenges_seldom_and_only_full_hands() -> None:
    doubts = choices(STEADY, challenged("W4 B1 B2 B3 B4 B5"), BOB)
    assert 0 < doubts["Challenge"] < 150 and sum(doubts.values()) == 400
    assert choices(STEADY, challenged("W4 B1 B2"), BOB) == {"AcceptPenalty": 400}


def test_random_plays_nine_times_in_ten() -> None:
    found = choices(RANDOM, deal(ANN="R1 R2 G5 G1", BOB="B1", top="R5"))
    assert 10 < found["DrawCard"] < 80
    assert set(found) == {"R1", "R2", "G5", "DrawCard"} and min(found.values()) > 10


def test_random_challenges_sometimes_and_names_any_color() -> None:
    found = choices(RANDOM, challenged("W4 B1 B2"), BOB)
    assert 50 < found["Challenge"] < 150 and found["AcceptPenalty"] == 400 - found["Challenge"]
    view = view_of(deal(ANN="W G1 G2", BOB="B1", top="R5"), ANN)
    named = Counter(
        POLICIES[RANDOM](view, Dice(bytes((number,))), NOTHING) for number in range(200)
    )
    colors = {one.color for one in named if isinstance(one, PlayCard) and one.card is Card.W}
    assert len(colors) == 4


def test_random_says_uno_mostly() -> None:
    view = view_of(deal(ANN="R1 R2", BOB="B1", top="R5"), ANN)
    plays = [POLICIES[RANDOM](view, Dice(bytes((number,))), NOTHING) for number in range(200)]
    said = [one.uno for one in plays if isinstance(one, PlayCard)]
    assert 0.8 < sum(said) / len(said) < 1


def test_random_may_play_an_opening_wild() -> None:
    match = deal(ANN="G1 G2", BOB="B1", top="W", color=RED)
    assert match.round is not None
    due = replace(match, round=replace(match.round, color=None, pending=Pending.COLOR))
    assert choices(RANDOM, due) == {"ChooseColor": 400}


def test_what_is_chosen_is_accepted_by_the_rules() -> None:
    match = challenged("W4 B1 B2 B3 B4 B5")
    for command in (AcceptPenalty(), Challenge()):
        assert after(match, person(BOB), command, seed_of(0))[1]


def test_dice_depend_on_their_bytes_and_cover_their_range() -> None:
    rows = [[Dice(seed).below(6) for _ in range(1)] for seed in (b"a", b"a", b"b")]
    assert rows[0] == rows[1]
    dice = Dice(b"many")
    thrown = Counter(dice.below(6) for _ in range(6_000))
    assert set(thrown) == set(range(6)) and min(thrown.values()) > 850
    assert [Dice(b"c").pick("xyz") for _ in range(3)] == [Dice(b"c").pick("xyz")] * 3


def test_bots_lay_only_what_fits() -> None:
    """TABLE-2: though more is legal."""
    options = Options(enforcement=Enforcement.TABLE, uno_grace=1)
    match = deal(ANN="B1 B2 B3", BOB="Y1", top="R5", options=options)
    assert steady(match) == DrawCard()
    assert choices(RANDOM, match) == {"DrawCard": 400}


def test_bots_call_out_a_card_that_does_not_fit() -> None:
    """TABLE-2."""
    options = Options(enforcement=Enforcement.TABLE, uno_grace=1)
    match = deal(ANN="B1 B2 B3", BOB="Y1 Y2", CAT="Y3 Y4", top="R5", options=options)
    match = given(match).when(ANN, play("B1")).match
    assert steady(match, CAT) == CallOut(ANN)
    assert 100 < choices(RANDOM, match, CAT)["CallOut"] < 300


def test_bots_pass_a_penalty_on() -> None:
    """HOUSE-1."""
    options = Options(stacking=Stacking.SAME)
    match = deal(ANN="RD R1 R2", BOB="BD B1 B2", CAT="Y1", top="R5", options=options)
    match = given(match).when(ANN, play("RD")).match
    assert steady(match, BOB) == play("BD")
    found = choices(RANDOM, match, BOB)
    assert found["BD"] > 200 and found["BD"] + found["AcceptPenalty"] == 400


def test_steady_swaps_with_who_holds_the_fewest_cards() -> None:
    """HOUSE-2."""
    options = Options(seven_zero=True)
    match = deal(ANN="R7 B1 B2", BOB="B3 B4", CAT="Y1", top="R5", options=options)
    assert steady(match) == play("R7", swap_with=CAT)
    assert choices(RANDOM, match)["R7"] > 300


def test_bots_do_not_jump_in() -> None:
    """HOUSE-3."""
    options = Options(jump_in=True)
    match = deal(ANN="R7 B1 B2", BOB="B3 B4", CAT="R7 Y1", top="R5", options=options)
    match = given(match).when(ANN, play("R7")).match
    assert steady(match, CAT) is None
    assert choices(RANDOM, match, CAT) == {"NoneType": 400}
