"""Cases of last cards, counting and places, over HTTP."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from domain.cards import Card, points_of
from domain.notation import cards
from tests.service.support import House

pytestmark = pytest.mark.anyio
A, B, C, D = range(4)


def of_type(done: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """The events of a type in an answer."""
    return [one["event"] for one in done["events"] if one["type"] == kind]


async def test_a_last_draw_two_is_drawn_before_the_count(talon: House) -> None:
    """Case 99, case 108: 40 and 50 make 90, not 62; in one step, and nothing is told before."""
    table = await talon.placed("GD", "Y9 R3", "B0 W", top="G4", draw_pile="R8 YS", said_uno=(A,))

    done = await table.plays(A, "GD")

    laid, drawn, ended = done["events"][:3]
    assert (laid["type"], drawn["type"], ended["type"]) == (
        *("card_played", "cards_drawn", "round_ended"),
    )
    assert ended["event"]["gains"] == [90, 0, 0]
    for version in (laid["version"], drawn["version"]):
        answer = await talon.stranger.get(f"/v1/matches/{table.match}/view?at={version}")
        assert answer.json()["scores"] == [0, 0, 0]


async def test_the_victim_of_a_last_draw_two_does_not_answer(talon: House) -> None:
    """Case 101: nor does anybody with stacking; the round is counted."""
    rules = {"stacking": "mixed", "target": 50}
    table = await talon.placed(
        "RD", "BD", "GD", top="R4", draw_pile="R8 YS", rules=rules, said_uno=(A,)
    )

    done = await table.plays(A, "RD")

    assert of_type(done, "cards_drawn")[0]["drawn"] == 2
    assert of_type(done, "round_ended")[0]["gains"] == [20 + 8 + 20 + 20, 0, 0]
    assert done["view"]["result"]["winners"] == [A]


@pytest.mark.parametrize("card", ["RS", "RR"])
async def test_a_last_skip_or_reverse_has_no_effect(talon: House, card: str) -> None:
    """Case 102: the round ends, points."""
    table = await talon.placed(card, "Y9", "B1", top="R4", said_uno=(A,))

    done = await table.plays(A, card)

    assert of_type(done, "round_ended")[0]["gains"] == [10, 0, 0]


async def test_who_remains_is_paid_for_nobodys_cards(talon: House) -> None:
    """Case 104: a forfeit, no points; the value of the leaver's hand is 111, not the other's."""
    left, kept = "B6 B8 R7 RR W4 YS", "B1 G8 W Y3"
    table = await talon.placed(kept, left, top="R4", turn=B)

    done = await table.does(B, "leave")

    assert (points_of(cards(left)), points_of(cards(kept))) == (111, 62)
    assert done["view"]["scores"] == [0, 0]
    assert done["view"]["result"] == {"reason": "forfeit", "winners": [A], "places": [1, 2]}


async def test_a_wild_is_worth_fifty(talon: House) -> None:
    """Case 105: 7 + 3 + Reverse + Wild = 80; and every card's value is published."""
    table = await talon.placed("R9", "G7 B3 YR W", top="R5", said_uno=(A,))
    done = await table.plays(A, "R9")
    assert of_type(done, "round_ended")[0]["gains"] == [80, 0]

    listed = (await talon.stranger.get("/v1/cards")).json()["items"]
    assert {one["code"]: one["points"] for one in listed} == {card: card.points for card in Card}


@pytest.mark.parametrize(("before", "is_over"), [(480, True), (479, False)])
async def test_the_target_is_reached_by_just_as_many_points(
    talon: House, before: int, is_over: bool
) -> None:
    """Case 107: 500 win at once. Two at once is unreachable: one seat alone gains in a round."""
    table = await talon.placed("R9", "GS", "B0", top="R5", scores=(before, 499, 499))

    done = await table.plays(A, "R9")

    gains = of_type(done, "round_ended")[0]["gains"]
    assert [seat for seat, points in enumerate(gains) if points] == [A]
    assert (done["view"]["status"] == "finished") is is_over
    assert [one["winners"] for one in of_type(done, "match_ended")] == [[A]] * is_over


async def test_lowest_a_tie_for_lowest_plays_on(talon: House) -> None:
    """Case 110: 510, 320, 320: another round for all."""
    rules = {"scoring": "lowest"}
    table = await talon.placed(
        "GS", "R9", "BS", top="R5", turn=B, scores=(490, 320, 300), rules=rules
    )

    done = await table.plays(B, "R9")

    assert of_type(done, "round_ended")[0]["scores"] == [510, 320, 320]
    assert (done["view"]["status"], done["view"]["round"]) == ("running", 2)
    assert of_type(done, "round_started")[0]["order"] == [0, 1, 2]


async def test_lowest_who_went_out_with_the_lowest_total_wins(talon: House) -> None:
    """Case 111: 520, 555 and 400."""
    rules = {"scoring": "lowest"}
    table = await talon.placed(
        "GS G9 G1", "W Y9 Y1", "R9", top="R5", turn=C, scores=(490, 495, 400), rules=rules
    )

    done = await table.plays(C, "R9")

    assert of_type(done, "match_ended") == [
        {
            "type": "match_ended",
            "reason": "target",
            "winners": [C],
            "scores": [520, 555, 400],
            "places": [2, 3, 1],
        }
    ]


async def test_elimination_one_round_leaves_one(talon: House) -> None:
    """Case 113: D wins without a duel; A is second, B and C share the third place."""
    rules = {"form": "elimination"}
    hands = ("GS G5", "BS YS", "W G9 G1", "R9")
    table = await talon.placed(*hands, top="R5", turn=D, scores=(480, 470, 450, 100), rules=rules)

    done = await table.plays(D, "R9")

    assert len(of_type(done, "player_eliminated")) == 3
    (ended,) = of_type(done, "match_ended")
    assert (ended["scores"], ended["winners"]) == ([505, 510, 510, 100], [D])
    assert ended["places"] == [2, 3, 3, 1]


async def test_elimination_never_puts_everybody_out(talon: House) -> None:
    """Case 114, unreachable: a round's winner adds nothing, and neither does a blocked round."""
    rules = {"form": "elimination"}
    hands, scores = ("G9 GS G1", "B9 BS B1", "Y9 YS Y1"), (490, 495, 499)
    table = await talon.placed(*hands, top="R5", exact_pile=True, scores=scores, rules=rules)
    for seat in (A, B):
        await table.does(seat, "pass_turn")

    done = await table.does(C, "pass_turn")

    assert of_type(done, "round_blocked") == [{"type": "round_blocked", "round": 1}]
    assert of_type(done, "player_eliminated") == []
    assert (done["view"]["scores"], done["view"]["status"]) == ([490, 495, 499], "running")


@pytest.mark.parametrize("seats", list(permutations((B, C, D))))
async def test_equal_totals_share_a_place_wherever_they_sit(
    talon: House, seats: tuple[int, ...]
) -> None:
    """Case 116: 1, 2, 2, 4, whatever the order."""
    totals, hands = [480, 0, 0, 0], ["R9", "", "", ""]
    for seat, total, hand in zip(seats, (40, 40, 10), ("GS", "GS", "B1"), strict=True):
        totals[seat], hands[seat] = total, hand
    table = await talon.placed(*hands, top="R5", scores=tuple(totals))

    places = (await table.plays(A, "R9"))["view"]["result"]["places"]

    assert places[A] == 1
    assert [places[seat] for seat in seats] == [2, 2, 4]


async def test_a_partners_hand_does_not_count(talon: House) -> None:
    """Case 117: 77 for both, not 106."""
    rules = {"form": "teams"}
    table = await talon.placed("R9", "R7 GS", "B9 YD", "W", top="R5", rules=rules)

    done = await table.plays(A, "R9")

    assert of_type(done, "round_ended")[0]["gains"] == [77, 0, 77, 0]
