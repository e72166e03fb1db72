"""Cases of the wild draw four and its challenge, over HTTP."""

from __future__ import annotations

import pytest

from tests.service.support import House, key

pytestmark = pytest.mark.anyio
A, B, C, D = range(4)


@pytest.mark.parametrize(
    ("hand", "top", "guilty", "color"),
    [
        ("W4 G7 W", "R7", False, "red"),  # case 59
        ("W4 RS B1", "R7", True, "red"),  # case 60
        ("W4 W W", "R7", False, "red"),  # case 75
    ],
)
async def test_only_cards_of_the_color_in_force_make_it_a_bluff(
    talon: House, hand: str, top: str, guilty: bool, color: str
) -> None:
    """Case 59, case 60, case 75: not the number, not wilds; an action card of the color does."""
    table = await talon.placed(hand, "B1", "Y1", top=top)
    await table.plays(A, "W4", color=color)

    resolved = (await table.does(B, "challenge"))["events"][0]["event"]

    assert resolved["guilty"] is guilty
    assert (await table.counts())[:2] == ([6, 1] if guilty else [2, 7])


async def test_a_recycled_one_does_not_testify_against_itself(talon: House) -> None:
    """Case 50: it was named yellow when it was played before; now it has no color."""
    table = await talon.placed("RS", "B1", top="Y4", discard="W4", exact_pile=True)
    drawn = await table.does(A, "draw_card")
    assert drawn["view"]["you"]["drawn"] == "W4"
    await table.plays(A, "W4", color="red")

    done = await table.does(B, "challenge")

    assert done["events"][0]["event"]["guilty"] is False
    assert done["view"]["turn"] == A


async def test_who_was_right_keeps_the_turn_and_the_card_stays(talon: House) -> None:
    """Case 62, case 63: the author draws four, B plays now, on the color that was named."""
    table = await talon.placed("R2 B1 W4", "G1 Y1", "Y2", top="R7", draw_pile="Y6 Y7 Y8 Y9")
    await table.plays(A, "W4", color="green")
    await table.does(B, "challenge")

    view = await table.table()
    assert (view["top"], view["color"], view["turn"]) == ("W4", "green", B)
    assert await table.hand(A) == "B1 R2 Y6 Y7 Y8 Y9"

    await table.plays(B, "G1")


async def test_no_challenge_after_the_penalty_was_drawn(talon: House) -> None:
    """Case 65."""
    table = await talon.placed("R2 B1 W4", "G1", "Y2", top="R7")
    await table.plays(A, "W4", color="green")
    await table.does(B, "accept_penalty")

    await table.refused(B, "turn_must_be_yours", "challenge")

    assert await table.counts() == [2, 5, 1]


@pytest.mark.parametrize("guilty", [True, False])
async def test_the_hand_is_shown_to_the_challenger_alone_and_always(
    talon: House, guilty: bool
) -> None:
    """Case 66: in B's own history, then and two turns later; nobody else learns of it."""
    kept = "R2 B8" if guilty else "G2 B8"
    table = await talon.placed(f"{kept} W4", "Y1 Y3", "Y2 Y4", "Y5 Y6", top="R7")
    await table.plays(A, "W4", color="yellow")
    once = key()
    challenge = {"type": "challenge"}
    first = await table.persons[B].command(table.match, challenge, Idempotency_Key=once)
    again = await table.persons[B].command(table.match, challenge, Idempotency_Key=once)
    assert first.json() == again.json()
    assert first.json()["events"][0]["mine"] == {"shown": kept.split()}

    for _ in range(2):  # now, and two turns later
        for viewer in (A, B, C, D, None):
            told = await table.events(viewer)
            shown = [one["mine"]["shown"] for one in told if "shown" in one.get("mine", {})]
            assert shown == ([kept.split()] if viewer == B else [])
            verdicts = [one["event"]["guilty"] for one in told if "guilty" in one["event"]]
            assert verdicts == [guilty]
            if viewer != A:
                who = table.stranger if viewer is None else table.persons[viewer]
                assert "B8" not in str(await who.view(table.match))
        for _ in range(2):
            seat = (await table.table())["turn"]
            await table.does(seat, "draw_card")
            await table.does(seat, "pass_turn")


async def test_cards_drawn_since_are_no_evidence(talon: House) -> None:
    """Case 69: judged is the hand at the play, and that one is shown."""
    table = await talon.placed("G1 W4", "Y1", "Y2", top="R7", draw_pile="R2 R9")
    await table.plays(A, "W4", color="blue")
    await table.does(C, "catch_uno", seat=A)
    assert await table.hand(A) == "G1 R2 R9"

    done = await table.does(B, "challenge")

    assert done["events"][0]["event"]["guilty"] is False
    assert done["events"][0]["mine"] == {"shown": ["G1"]}
    assert await table.counts() == [3, 7, 1]


@pytest.mark.parametrize(("kept", "counts"), [("R5", [2, 9, 1, 1]), ("B5", [2, 1, 11, 1])])
async def test_who_finally_draws_challenges_the_last_of_a_stack(
    talon: House, kept: str, counts: list[int]
) -> None:
    """Case 71: guilty, its author draws the whole stack; innocent, the challenger two more."""
    rules = {"stacking": "same"}
    table = await talon.placed("W4 R1 R2", f"W4 {kept}", "Y1", "Y2", top="G7", rules=rules)
    await table.plays(A, "W4", color="red")
    stacked = await table.plays(B, "W4", color="green", uno=True)
    assert stacked["view"]["pending"] == {"kind": "penalty", "seat": C, "amount": 8}

    await table.does(C, "challenge")

    assert await table.counts() == counts


PILE = "R1 R2 GD W Y1 Y2"


@pytest.mark.parametrize(("answer", "score"), [("accept_penalty", 87), ("challenge", 90)])
async def test_a_last_one_is_answered_before_the_count(
    talon: House, answer: str, score: int
) -> None:
    """Case 72: four cards, or six after a challenge that cannot but fail."""
    table = await talon.placed("W4", "Y9", "B5", top="G4", draw_pile=PILE, said_uno=(A,), dealer=2)
    laid = await table.plays(A, "W4", color="red")
    assert laid["view"]["scores"] == [0, 0, 0]

    done = await table.does(B, answer)

    ended = next(one["event"] for one in done["events"] if one["type"] == "round_ended")
    assert ended["scores"] == [score, 0, 0]
    verdicts = [one["event"]["guilty"] for one in done["events"] if "guilty" in one["event"]]
    assert verdicts == ([False] if answer == "challenge" else [])


async def test_a_second_one_is_judged_by_the_color_of_the_first(talon: House) -> None:
    """Case 74: blue is not held, green is not held; each may be challenged."""
    table = await talon.placed("W4 W4 R1", "Y1", top="W", color="blue")
    await table.plays(A, "W4", color="green")
    await table.does(B, "accept_penalty")
    laid = await table.plays(A, "W4", color="yellow", uno=True)
    assert laid["events"][0]["event"]["judged_color"] == "green"

    assert (await table.does(B, "challenge"))["events"][0]["event"]["guilty"] is False


async def test_reading_changes_no_verdict_and_tells_none(talon: House) -> None:
    """Case 77: an honest play and a bluff look the same until the challenge."""
    seen = []
    for hand in ("R2 B1 W4", "Y2 B1 W4"):
        table = await talon.placed(hand, "G1 G2", top="R7", exact_pile=True)
        await table.plays(A, "W4", color="green")
        for _ in range(5):
            views = [await table.persons[seat].view(table.match) for seat in (A, B)]
        theirs = {
            name: value
            for name, value in views[B].items()
            if name not in ("match_id", "fairness", "seats")
        }
        history = [one["event"] for one in await table.events(B) if one["type"] == "card_played"]
        seen.append((theirs, history))
        guilty = (await table.does(B, "challenge"))["events"][0]["event"]["guilty"]
        assert guilty is (hand[0] == "R")
    assert seen[0] == seen[1]
