"""Cases of the deck, the draw pile and the discards, over HTTP."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.editions import DECKS, Edition
from tests.service.support import House, Placed

pytestmark = pytest.mark.anyio
A, B, C = range(3)
THIRTY = " ".join(f"{color}{number}" for color in "RYG" for number in "0123456789")


async def draws_and_keeps(table: Placed, seat: int) -> None:
    """A turn without a play."""
    await table.does(seat, "draw_card")
    await table.does(seat, "pass_turn")


async def test_sixty_draws_make_up_no_card(talon: House) -> None:
    """Case 2: never more of a card than the deck has, and 108 in all."""
    table = await talon.placed("B1", "B2", "B3", "B4", top="R7")
    for turn in range(60):
        await draws_and_keeps(table, turn % 4)

        view = await table.table()
        in_all = sum(await table.counts()) + view["draw_pile"] + view["discard_pile"]
        assert in_all == 108
    held = Counter(" ".join([await table.hand(seat) for seat in range(4)]).split())
    assert held <= Counter(DECKS[Edition.CLASSIC_108]) and held["R2"] <= 2


async def test_the_first_card_is_counted_once(talon: House) -> None:
    """Case 3: 14 and 93 and 1 at the start of a dealt match, whatever its opening imposes."""
    ann, bob = await talon.person(), await talon.person()
    match = await talon.running(ann, bob)
    history = await ann.history(match)
    started = next(one["event"] for one in history if one["type"] == "round_started")
    assert (2 * started["hand_size"], started["draw_pile"]) == (14, 93)

    view = await ann.view(match)
    assert view["discard_pile"] == 1
    assert sum(seat["cards"] for seat in view["seats"]) + view["draw_pile"] == 107


async def test_ten_sit_down_and_an_eleventh_does_not(talon: House) -> None:
    """Case 17: 70 dealt, 1 turned up, 37 left; and no hand of twenty is ever half dealt."""
    persons = [await talon.person() for _ in range(11)]
    match = await talon.table(*persons[:10])
    late = await persons[10].post(f"/v1/matches/{match}/seats", {})
    assert (late.status_code, late.json()["code"]) == (409, "seat_must_be_free")
    await persons[0].post(f"/v1/matches/{match}/start")
    history = await persons[0].history(match)
    started = next(one["event"] for one in history if one["type"] == "round_started")
    assert (len(started["order"]), started["hand_size"], started["draw_pile"]) == (10, 7, 37)

    refused = await persons[0].post("/v1/matches", {"seats": 10, "rules": {"starting_hand": 20}})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "#/rules/starting_hand"
    assert (await persons[0].post("/v1/matches", {"seats": 11})).status_code == 422


async def test_the_modern_deck_has_four_more_cards_and_the_classic_one_has_not(
    talon: House,
) -> None:
    """Case 18: each is worth 40."""
    asked = {"seats": [{"name": "Ann", "hand": ["WS"]}, {"name": "Bob", "hand": ["R1"]}]}
    refused = await talon.stranger.post("/v1/sandbox/matches", asked | {"top": "R5", "turn": 0})
    assert refused.json()["errors"][0]["pointer"] == "#/seats/0/hand/0"

    rules = {"edition": "modern-112"}
    table = await talon.placed("R1", "WS WC", top="R5", rules=rules, said_uno=(A,))
    assert (await table.table())["draw_pile"] == 112 - 4
    assert (await table.plays(A, "R1"))["view"]["scores"] == [80, 0]


@pytest.mark.parametrize(("top", "color"), [("B3", "blue"), ("W", "yellow")])
async def test_a_count_of_nothing_forbids_no_draw_and_the_last_card_stays_on_top(
    talon: House, top: str, color: str
) -> None:
    """Case 47, case 48: the others are shuffled; the color in force stays, a named one too."""
    lies = {"top": top, "discard": "G2 R1", "exact_pile": True}
    table = await talon.placed("Y1", "R9", turn=B, color=color, **lies)
    assert (await table.table())["draw_pile"] == 0

    done = await table.does(B, "draw_card")

    assert [one["type"] for one in done["events"]] == ["pile_reshuffled", "cards_drawn"]
    assert done["events"][1]["mine"]["drawn"][0] in ("R1", "G2")
    view = done["view"]
    assert (view["top"], view["color"]) == (top, color)
    assert (view["draw_pile"], view["discard_pile"]) == (1, 1)


async def test_a_reshuffle_leaves_one_discard(talon: House) -> None:
    """Case 51."""
    table = await talon.placed("B1", "B2", top="B9", discard=THIRTY, exact_pile=True)

    done = await table.does(A, "draw_card")

    assert done["events"][0]["event"]["count"] == 30
    view = done["view"]
    assert (view["draw_pile"], view["discard_pile"]) == (29, 1)
    assert sum(seat["cards"] for seat in view["seats"]) == 3


async def test_a_penalty_is_drawn_on_both_sides_of_a_reshuffle(talon: House) -> None:
    """Case 53: two, then ten are shuffled, then two; eight are left."""
    discard = "R1 R2 R3 R4 R5 R6 R8 R9 W"  # and the red 7 on top of them
    table = await talon.placed(
        "W4 B1", "B2", top="R7", discard=discard, draw_pile="Y1 Y2", exact_pile=True
    )
    await table.plays(A, "W4", color="green", uno=True)

    done = await table.does(B, "accept_penalty")

    accepted, before, reshuffled, after = (one["event"] for one in done["events"])
    assert accepted["type"] == "penalty_accepted"
    assert (before["asked"], before["drawn"]) == (4, 2)
    assert (reshuffled["type"], reshuffled["count"]) == ("pile_reshuffled", 10)
    assert (after["asked"], after["drawn"]) == (2, 2)
    view = done["view"]
    assert (view["draw_pile"], view["discard_pile"], view["color"]) == (8, 1, "green")


async def test_with_both_piles_empty_who_cannot_play_passes_and_who_can_must(
    talon: House,
) -> None:
    """Case 54."""
    table = await talon.placed("B1", "G9", "R2 B2", top="R7", exact_pile=True, turn=B)
    await table.refused(B, "draw_must_be_possible", "draw_card")
    passed = await table.does(B, "pass_turn")
    assert passed["events"][0]["event"]["drew"] is False

    await table.refused(C, "fitting_card_must_be_played", "pass_turn")

    await table.plays(C, "R2")


@pytest.mark.parametrize(("kept", "guilty"), [("G1", True), ("R1", False)])
async def test_a_challenge_after_a_reshuffle_is_judged_by_the_color_of_before(
    talon: House, kept: str, guilty: bool
) -> None:
    """Case 56: an UNO penalty emptied the discards in between."""
    table = await talon.placed(f"W4 {kept}", "B1", top="G5", discard="B2 R3 Y4", exact_pile=True)
    await table.plays(A, "W4", color="red")
    caught = await table.does(B, "catch_uno", seat=A)
    assert "pile_reshuffled" in [one["type"] for one in caught["events"]]
    assert (await table.table())["discard_pile"] == 1

    resolved = (await table.does(B, "challenge"))["events"][0]

    assert resolved["event"]["guilty"] is guilty
    assert resolved["mine"] == {"shown": [kept]}


async def test_the_pile_never_counts_below_nothing(talon: House) -> None:
    """Case 57: two cards are drawn of two, and then there is none."""
    table = await talon.placed("Y1", "Y2", top="B3", discard="G2 R1", exact_pile=True, turn=B)
    counts = []
    for seat in (B, A):
        await draws_and_keeps(table, seat)
        counts.append((await table.table())["draw_pile"])

    await table.refused(B, "draw_must_be_possible", "draw_card")

    assert counts == [1, 0]
    assert sorted([await table.hand(A), await table.hand(B)])[0][:2] in ("G2", "R1")
