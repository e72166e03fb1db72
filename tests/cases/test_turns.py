"""Cases of turns and of action cards, over HTTP."""

from __future__ import annotations

import pytest

from tests.service.streaming import streamed
from tests.service.support import House

pytestmark = pytest.mark.anyio
A, B, C, D = range(4)


async def test_one_of_two_equal_cards_is_played_and_the_other_stays(talon: House) -> None:
    """Case 5: cards have no ids, the command names the face."""
    table = await talon.placed("B1", "R5 R5 G1", top="R9", turn=B)

    done = await table.plays(B, "R5")

    assert done["view"]["you"]["hand"] == ["R5", "G1"]


async def test_a_second_draw_in_one_turn_is_refused(talon: House) -> None:
    """Case 20: the pile is unchanged."""
    table = await talon.placed("B1", "Y1 G2", "B2", top="R5", turn=B, draw_pile="B8 B9")
    await table.does(B, "draw_card")

    await table.refused(B, "draw_must_be_the_first", "draw_card")

    assert await table.hand(B) == "B8 G2 Y1"


async def test_after_a_draw_no_older_card_is_played(talon: House) -> None:
    """Case 21."""
    table = await talon.placed("B1", "R9 B2", top="R5", turn=B, draw_pile="Y3")
    await table.does(B, "draw_card")

    await table.refused(B, "card_must_be_the_drawn_one", "play_card", card="R9")


async def test_a_drawn_card_that_fits_is_played_by_its_player_or_not_at_all(talon: House) -> None:
    """Case 23: the service never plays it for anybody; with `must` a pass is refused."""
    table = await talon.placed("B1", "G9", top="R5", turn=B, draw_pile="R1")
    drawn = await table.does(B, "draw_card")
    assert (drawn["view"]["top"], drawn["view"]["turn"]) == ("R5", B)
    assert {"type": "pass_turn"} in drawn["view"]["legal"]
    await table.does(B, "pass_turn")
    assert await table.hand(B) == "G9 R1"

    must = {"drawn_card": "must"}
    table = await talon.placed("B1", "G9 G8", top="R5", turn=B, draw_pile="R1", rules=must)
    await table.does(B, "draw_card")
    await table.refused(B, "drawn_card_must_be_played", "pass_turn")
    await table.plays(B, "R1")


async def test_nobody_passes_without_a_draw(talon: House) -> None:
    """Case 24."""
    table = await talon.placed("B1", "R9 B2", top="R5", turn=B)

    await table.refused(B, "pass_must_follow_a_draw", "pass_turn")


async def test_a_drawn_wild_has_the_color_that_its_player_names(talon: House) -> None:
    """Case 26: none of its own before."""
    table = await talon.placed("B1", "B2", top="R5", turn=B, draw_pile="W")
    drawn = await table.does(B, "draw_card")
    assert (drawn["view"]["color"], drawn["view"]["you"]["drawn"]) == ("red", "W")

    assert (await table.plays(B, "W", color="green"))["view"]["color"] == "green"


async def test_a_drawn_wild_draw_four_is_judged_by_the_whole_hand(talon: House) -> None:
    """Case 27."""
    table = await talon.placed("B1", "R9", top="R5", turn=B, draw_pile="W4")
    await table.does(B, "draw_card")
    await table.plays(B, "W4", color="blue")

    resolved = (await table.does(A, "challenge"))["events"][0]["event"]

    assert resolved["guilty"] is True
    assert (await table.table())["turn"] == A
    assert await table.counts() == [1, 5]


async def test_a_four_does_not_match_a_wild_draw_four(talon: House) -> None:
    """Case 29: it has no number."""
    table = await talon.placed("B1", "B4 R1", top="W4", color="red", turn=B)

    await table.refused(B, "card_must_match", "play_card", card="B4")

    await table.plays(B, "R1")


@pytest.mark.parametrize(("top", "hand", "card"), [("W", "W B1", "W"), ("W4", "W4 R1", "W4")])
async def test_a_wild_lies_on_a_wild_by_the_color_that_was_named(
    talon: House, top: str, hand: str, card: str
) -> None:
    """Case 30: without a green card in hand the wild draw four is legal."""
    table = await talon.placed("B2", hand, "B3", top=top, color="green", turn=B)

    await table.plays(B, card, color="blue")

    if card == "W4":
        assert (await table.does(C, "challenge"))["events"][0]["event"]["guilty"] is False


async def test_half_a_wild_is_no_play_and_leaves_the_table_as_it_was(talon: House) -> None:
    """Case 32: without a color, then pass, then draw, then gone: a turn like any other."""
    table = await talon.placed("B1", "W G2 G3", top="R5", turn=B, draw_pile="G4")
    path = f"/v1/matches/{table.match}/events/stream"
    async with streamed(talon, table.persons[B], path):
        await table.refused(B, "wild_must_name_a_color", "play_card", card="W")
        await table.refused(B, "pass_must_follow_a_draw", "pass_turn")
        await table.does(B, "draw_card")
    view = await table.table()
    assert view["pending"] == {"kind": "turn", "seat": B}
    assert (view["top"], view["color"]) == ("R5", "red")

    await table.does(B, "pass_turn")

    assert await table.hand(B) == "G2 G3 G4 W"
    assert (await table.table())["turn"] == A


async def test_the_named_color_holds_after_the_penalty_was_drawn(talon: House) -> None:
    """Case 33."""
    table = await talon.placed("W4 B1", "B2", "G2 B3", top="R5")
    await table.plays(A, "W4", color="green")
    await table.does(B, "accept_penalty")
    assert (await table.table())["color"] == "green"

    await table.plays(C, "G2")


@pytest.mark.parametrize("card", ["B7", "RD"])
async def test_after_a_served_draw_two_play_goes_on_as_usual(talon: House, card: str) -> None:
    """Case 35: color or symbol, not the draw two alone."""
    table = await talon.placed("BD Y1", "Y2", "B7 RD G1", top="B5")
    await table.plays(A, "BD")
    await table.refused(C, "card_must_match", "play_card", card="G1")

    await table.plays(C, card)


async def test_a_draw_two_is_not_answered(talon: House) -> None:
    """Case 36: its victim has drawn already, and the next one is to move."""
    table = await talon.placed("RD Y1", "BD", "B7", top="R5")
    await table.plays(A, "RD")

    await table.refused(B, "turn_must_be_yours", "play_card", card="BD")

    assert await table.counts() == [1, 3, 1]
    assert (await table.table())["turn"] == C


async def test_a_penalty_is_drawn_once(talon: House) -> None:
    """Case 38: four cards exactly; the draw on top of it is refused."""
    table = await talon.placed("W4 B1 B2", "Y1", top="R5")
    await table.plays(A, "W4", color="green")
    await table.does(B, "accept_penalty")

    await table.refused(B, "turn_must_be_yours", "draw_card")

    assert await table.counts() == [2, 5]
    assert (await table.table())["turn"] == A


async def test_a_penalty_is_drawn_at_all(talon: House) -> None:
    """Case 39."""
    table = await talon.placed("RD Y1", "B1 B2 B3 B4 B5", "Y2", top="R5")

    done = await table.plays(A, "RD")

    assert [seat["cards"] for seat in done["view"]["seats"]] == [1, 7, 1]
    assert done["view"]["turn"] == C


async def test_a_draw_is_told_of_who_drew(talon: House) -> None:
    """Case 41: in everybody's history, the face in the drawer's alone."""
    table = await talon.placed("B1", "Y1", top="R5", draw_pile="G9")
    await table.does(A, "draw_card")

    for viewer in (A, B, None):
        drawn = (await table.events(viewer))[-1]
        event = drawn["event"]
        assert (event["seat"], event["drawn"], event["reason"]) == (A, 1, "turn")
        assert drawn.get("mine") == ({"drawn": ["G9"]} if viewer == A else None)


async def test_two_players_reverse_lets_its_author_play_again(talon: House) -> None:
    """Case 42."""
    table = await talon.placed("RR R1 B1", "Y1", top="R5")

    assert (await table.plays(A, "RR"))["view"]["turn"] == A

    await table.plays(A, "R1")


async def test_reverse_takes_effect_at_once_and_skip_follows_it(talon: House) -> None:
    """Case 44: after the Reverse it is C's turn, whose Skip passes over B."""
    table = await talon.placed("RR Y1", "Y2", "RS B1", top="R5")
    reversed_ = await table.plays(A, "RR")
    assert (reversed_["view"]["turn"], reversed_["view"]["direction"]) == (C, -1)

    assert (await table.plays(C, "RS"))["view"]["turn"] == A


async def test_two_players_skip_upon_skip(talon: House) -> None:
    """Case 45: A, A, A, then B."""
    table = await talon.placed("GS GS G3 B1", "Y1", top="G5")

    turns = [(await table.plays(A, card))["view"]["turn"] for card in ("GS", "GS", "G3")]

    assert turns == [A, A, B]


async def test_a_card_not_held_is_refused_alike_wherever_it_lies(talon: House) -> None:
    """Case 146: another's card, one in the pile, one that nobody has: byte for byte the same."""
    table = await talon.placed("B1", "Y1", "R3", top="R5", turn=B, draw_pile="R4", discard="R6")
    answers = [
        await table.persons[B].command(
            table.match, {"type": "play_card", "card": card}, X_Request_Id="the-same"
        )
        for card in ("R3", "R4", "R6")
    ]

    assert {answer.status_code for answer in answers} == {409}
    assert len({answer.content for answer in answers}) == 1
    assert answers[0].json()["code"] == "card_must_be_in_hand"
    unknown = await table.send(B, "play_card", card="R10")
    assert (unknown.status_code, unknown.json()["errors"][0]["pointer"]) == (422, "#/card")


async def test_nobody_plays_out_of_turn(talon: House) -> None:
    """Case 147: not even the very card on top, unless the match has `jump_in`."""
    table = await talon.placed("B1", "R1 Y1", "B2", "R7 Y2", top="R7", turn=B)
    problem = await table.refused(D, "turn_must_be_yours", "play_card", card="R7")
    assert problem["rule"] == "TURN-2"

    rules = {"jump_in": True}
    table = await talon.placed("B1", "R1 Y1", "B2", "R1 Y2", top="R7", turn=B, rules=rules)
    await table.plays(B, "R1", uno=True)
    assert (await table.plays(D, "R1"))["view"]["turn"] == A
