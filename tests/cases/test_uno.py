"""Cases of UNO: said, forgotten and caught, over HTTP."""

from __future__ import annotations

import pytest

from service.play.times import SECOND
from tests.service.support import QUICK, House, Placed, house

pytestmark = pytest.mark.anyio
A, B, C, D = range(4)
NOON = 1_764_504_000 * SECOND


async def caught(table: Placed, by: int, whom: int) -> None:
    """A catch that holds: two cards at once, and the turn stays where it is."""
    before = await table.table()
    done = await table.does(by, "catch_uno", seat=whom)
    types = [one["type"] for one in done["events"]]
    assert types[0] == "uno_caught" and set(types[1:]) <= {"cards_drawn", "pile_reshuffled"}
    after = await table.table()
    assert after["seats"][whom]["cards"] == before["seats"][whom]["cards"] + 2
    assert (after["turn"], after["pending"]) == (before["turn"], before["pending"])


@pytest.mark.parametrize("when", ["before", "with", "after"])
async def test_uno_said_before_with_or_after_the_play_is_safe(talon: House, when: str) -> None:
    """Case 78, case 80: a catch is refused, no cards."""
    table = await talon.placed("R5 G2", "B1", "B2", top="R1")
    if when == "before":
        await table.does(A, "call_uno")
    await table.plays(A, "R5", uno=when == "with")
    if when == "after":
        await table.does(A, "call_uno")

    await table.refused(C, "catch_must_be_in_time", "catch_uno", seat=A)


async def test_said_before_and_then_drawn_it_is_void(talon: House) -> None:
    """Case 78: it was said for a play that did not come."""
    table = await talon.placed("R5 G2", "B1 B3", top="R1", draw_pile="R9 Y1")
    await table.does(A, "call_uno")
    await table.does(A, "draw_card")
    assert (await table.table())["seats"][A]["uno"] is False


async def test_too_late_to_say_it_once_caught(talon: House) -> None:
    """Case 81."""
    table = await talon.placed("R5 G2", "B1", "B2", top="R1")
    await table.plays(A, "R5")
    await caught(table, C, A)

    await table.refused(A, "uno_must_be_owed", "call_uno")

    assert (await table.counts())[A] == 3


async def test_the_cards_of_a_draw_two_do_not_close_the_window(talon: House) -> None:
    """Case 83: nor does the skip; C may still catch."""
    table = await talon.placed("RD G1", "B1", "B2", top="R1")
    done = await table.plays(A, "RD")
    assert [seat["cards"] for seat in done["view"]["seats"]] == [1, 3, 1]

    await caught(table, C, A)


async def test_the_next_players_own_act_closes_the_window(talon: House) -> None:
    """Case 83: an answer to a wild draw four too."""
    for answer in ("accept_penalty", "challenge"):
        table = await talon.placed("W4 G1", "B1", "B2", top="R1")
        await table.plays(A, "W4", color="blue")
        await table.does(B, answer)
        await table.refused(C, "catch_must_be_in_time", "catch_uno", seat=A)


async def test_two_players_the_authors_own_next_card_closes_the_window(talon: House) -> None:
    """Case 84: without a grace, A wins at once."""
    table = await talon.placed("RS R5", "B1", top="R1", rules={"target": 50}, scores=(49, 0))
    await table.plays(A, "RS")

    done = await table.plays(A, "R5")

    assert done["view"]["result"]["winners"] == [A]


async def test_two_players_with_a_grace_the_author_waits_or_says_it() -> None:
    """Case 84: time stands still, so the grace does not pass."""
    async with house(QUICK, now=lambda: NOON) as talon:
        table = await talon.placed("RS R5", "B1", top="R1", rules={"uno_grace": 3})
        await table.plays(A, "RS")
        problem = await table.refused(A, "grace_must_have_passed", "play_card", card="R5")
        assert problem["not_before"] == (await table.table())["pending"]["not_before"]

        await table.does(A, "call_uno")

        done = await table.plays(A, "R5")
        assert "round_ended" in [one["type"] for one in done["events"]]


async def test_a_catch_of_nothing_is_refused_and_costs_nothing(talon: House) -> None:
    """Case 89: three cards in hand."""
    table = await talon.placed("R5 G2 G3", "B1", "B2", top="R1", turn=B)

    problem = await table.refused(C, "catch_must_be_in_time", "catch_uno", seat=A)

    assert problem["rule"] == "UNO-8"
    assert await table.counts() == [3, 1, 1]


async def test_nobody_is_fined_by_the_service(talon: House) -> None:
    """Case 90: nobody says a word, and B plays."""
    table = await talon.placed("R5 G2", "R1 B1", "B2", top="R3")
    await table.plays(A, "R5")

    done = await table.plays(B, "R1", uno=True)

    assert [one["type"] for one in done["events"]] == ["card_played"]
    assert (await table.counts())[A] == 1


async def test_an_announcement_is_spent_by_a_draw_two(talon: House) -> None:
    """Case 92: back to one card in silence, A is caught."""
    table = await talon.placed("R9 R5", "RD B1 B2", "R1 R2 B3", top="R3", draw_pile="R8 G8")
    await table.plays(A, "R9", uno=True)
    await table.does(B, "draw_card")
    await table.does(B, "pass_turn")
    await table.plays(C, "R1")
    await table.does(A, "draw_card")
    await table.does(A, "pass_turn")
    assert (await table.table())["seats"][A]["uno"] is False
    await table.plays(B, "RD")
    assert (await table.counts())[A] == 2
    await table.plays(A, "R5")

    await caught(table, C, A)


async def test_who_never_said_it_and_was_not_caught_wins(talon: House) -> None:
    """Case 93: and a catch after the last card is refused."""
    table = await talon.placed("R9", "B1", top="R5", rules={"target": 50}, scores=(49, 0))
    done = await table.plays(A, "R9")
    assert done["view"]["result"]["winners"] == [A]

    await table.refused(B, "match_must_not_be_over", "catch_uno", seat=A)


async def test_only_another_player_of_the_round_catches(talon: House) -> None:
    """Case 95: not a spectator, nobody without a token, nobody who left, not oneself."""
    table = await talon.placed("R5 G2", "B1", "B2", "B3", top="R1")
    await table.does(D, "leave")
    await table.plays(A, "R5")
    catch = {"type": "catch_uno", "seat": A}
    spectator = await talon.person("Spectator")

    answered = await spectator.command(table.match, catch)
    assert (answered.status_code, answered.json()["code"]) == (403, "seat_must_be_yours")
    assert (await talon.stranger.command(table.match, catch)).status_code == 401
    await table.refused(D, "seat_must_be_in_play", "catch_uno", seat=A)
    await table.refused(A, "catch_must_be_by_another", "catch_uno", seat=A)

    await caught(table, C, A)


async def test_a_catch_moves_neither_the_turn_nor_what_is_pending(talon: House) -> None:
    """Case 96: ``caught`` looks at both, in a turn and before an answer."""
    table = await talon.placed("R5 G2", "B1", "B2", top="R1")
    await table.plays(A, "R5")
    await caught(table, C, A)
    assert (await table.table())["turn"] == B

    table = await talon.placed("W4 G2", "B1", "B2", top="R1")
    await table.plays(A, "W4", color="blue")
    await caught(table, C, A)
    assert (await table.table())["pending"] == {"kind": "penalty", "seat": B, "amount": 4}


async def test_who_receives_one_card_by_a_shuffle_owes_nothing(talon: House) -> None:
    """Case 98: the duty goes with laying the second-to-last card."""
    rules = {"edition": "modern-112"}
    table = await talon.placed("WS", "R1", "R2 R3", "R4", top="R9", rules=rules)
    await table.refused(B, "catch_must_be_in_time", "catch_uno", seat=A)
    table = await talon.placed("WS R5", "R1", "R2", "R4", top="R9", rules=rules)
    await table.plays(A, "WS", color="blue")
    assert await table.counts() == [1, 1, 1, 1]

    for seat in (A, C, D):
        await table.refused(B, "catch_must_be_in_time", "catch_uno", seat=seat)
