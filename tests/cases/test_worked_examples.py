"""The worked examples of the rule documents, over HTTP, to the point."""

from __future__ import annotations

import pytest

from tests.service.support import House

pytestmark = pytest.mark.anyio
ANN, BOB, CAT = range(3)


async def test_an_honest_wild_draw_four_is_challenged_in_vain(talon: House) -> None:
    """Example 1: WD4-6, WD4-7: the challenger draws six and passes; green stands."""
    table = await talon.placed("B7 W4 Y1", "Y2 Y3", "Y4", top="R7", draw_pile="G1 G2 G3 G4 G5 G6")
    laid = await table.plays(ANN, "W4", color="green")
    assert laid["view"]["pending"] == {"kind": "penalty", "seat": BOB, "amount": 4}

    challenged = await table.does(BOB, "challenge")

    resolved, drawn = challenged["events"]
    assert resolved["event"]["guilty"] is False
    assert resolved["mine"] == {"shown": ["B7", "Y1"]}
    assert drawn["mine"] == {"drawn": ["G1", "G2", "G3", "G4", "G5", "G6"]}
    view = await table.table()
    assert (view["turn"], view["color"], view["top"]) == (CAT, "green", "W4")
    assert await table.counts() == [2, 8, 1]


async def test_a_bluffed_wild_draw_four_costs_its_author_four(talon: House) -> None:
    """Example 1: WD4-5, WD4-7: with a red 2 in hand; the challenger keeps the turn."""
    table = await talon.placed("B7 W4 R2", "Y2 Y3", "Y4", top="R7", draw_pile="G1 G2 G3 G4")
    await table.plays(ANN, "W4", color="green")

    challenged = await table.does(BOB, "challenge")

    assert challenged["events"][0]["event"]["guilty"] is True
    assert await table.hand(ANN) == "B7 G1 G2 G3 G4 R2"
    view = await table.table()
    assert (view["turn"], view["color"]) == (BOB, "green")
    assert await table.counts() == [6, 2, 1]


@pytest.mark.parametrize(("other", "legal"), [("R9", True), ("B9", False)])
async def test_what_may_be_played_on_a_blue_six(talon: House, other: str, legal: bool) -> None:
    """Example 2: TURN-1, WD4-1: the yellow 6, and the wild draw four unless a blue is held."""
    hand, strict = f"Y6 {other} W4", {"wild_draw_four": "strict"}
    table = await talon.placed(hand, "Y1", top="B6", rules=strict)
    assert (await table.plays(ANN, "Y6"))["view"]["top"] == "Y6"

    table = await talon.placed(hand, "Y1 Y2", top="B6", rules=strict)
    if legal:
        assert (await table.plays(ANN, "W4", color="red"))["view"]["top"] == "W4"
    else:
        play = {"card": "W4", "color": "red"}
        problem = await table.refused(ANN, "wild_draw_four_must_be_legal", "play_card", **play)
        assert problem["rule"] == "WD4-2" and problem["playable"] == ["Y6", "B9"]


@pytest.mark.parametrize("legal", [True, False])
async def test_a_bluff_on_a_blue_six_is_judged_by_a_challenge(talon: House, legal: bool) -> None:
    """Example 2: WD4-1: legal without a blue card, illegal with the blue 9."""
    other = "R9" if legal else "B9"
    table = await talon.placed(f"Y6 {other} W4", "Y1 Y2", top="B6")
    await table.plays(ANN, "W4", color="red")

    challenged = await table.does(BOB, "challenge")

    assert challenged["events"][0]["event"]["guilty"] is not legal


async def test_uno_must_be_said_again_after_a_draw_two(talon: House) -> None:
    """Example 3: UNO-5, TWO-1."""
    table = await talon.placed("R1 G4", "RD B1 B2 R3", top="R5", draw_pile="R8 R9")
    said = await table.plays(ANN, "R1", uno=True)
    assert said["view"]["seats"][ANN]["uno"] is True

    await table.plays(BOB, "RD")
    view = await table.table()
    assert await table.hand(ANN) == "G4 R8 R9"
    assert (view["turn"], view["seats"][ANN]["uno"]) == (BOB, False)

    await table.plays(BOB, "R3")
    await table.plays(ANN, "R8")
    await table.does(BOB, "draw_card")
    await table.does(BOB, "pass_turn")
    await table.plays(ANN, "R9")  # in silence: one card is left
    caught = await table.does(BOB, "catch_uno", seat=ANN)
    assert [one["type"] for one in caught["events"]] == ["uno_caught", "cards_drawn"]
    assert (await table.counts())[ANN] == 3


async def test_a_seven_a_three_a_reverse_and_a_wild_are_eighty(talon: House) -> None:
    """Example 4: SCORE-4."""
    table = await talon.placed("R9", "R7 G3", "BR W", top="R5", said_uno=(ANN,))

    done = await table.plays(ANN, "R9")

    ended = next(one["event"] for one in done["events"] if one["type"] == "round_ended")
    assert (ended["winner"], ended["gains"], ended["scores"]) == (ANN, [80, 0, 0], [80, 0, 0])
