"""Cases of advice, of people who go away, and of connections that are lost, over HTTP."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from service.play.times import SECOND
from tests.service.streaming import streamed
from tests.service.support import QUICK, House, Placed, house

pytestmark = pytest.mark.anyio
A, B, C, D = range(4)
NOON = 1_764_504_000 * SECOND


class Time:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        return self.now


async def test_advice_costs_two_cards_where_the_host_rules_so(talon: House) -> None:
    """Case 119: nobody is fined by itself, and there is no chat to advise in."""
    hands = ("R1 R2", "B1 B2", "G1 G2", "Y1 Y2")
    table = await talon.placed(*hands, top="R5", turn=B, rules={"form": "teams"})
    ruling = {"seat": C, "reason": "named_a_color"}
    await table.refused(B, "host_must_ask", "penalize_advice", **ruling)

    done = await table.does(A, "penalize_advice", **ruling)

    assert [one["type"] for one in done["events"]] == ["advice_penalized", "cards_drawn"]
    assert await table.counts() == [2, 2, 4, 2]
    assert (await table.table())["turn"] == B
    document = (await talon.stranger.get("/openapi.json")).json()
    assert not [path for path in document["paths"] if "chat" in path or "message" in path]


async def test_the_tournament_of_eight_is_no_form_of_one_match(talon: House) -> None:
    """A table has partners of four: eight in pairs are a tournament (T8-1)."""
    ann = await talon.person()
    for form in ("teams", "rotating_partners"):
        refused = await ann.post("/v1/matches", {"seats": 8, "rules": {"form": form}})
        assert (refused.status_code, refused.json()["rule"]) == (
            422,
            "TEAM-1" if form == "teams" else "ROT-1",
        )


async def test_a_leavers_cards_go_under_the_pile_and_score_for_nobody(talon: House) -> None:
    """Case 122: six cards, and the total stays 108."""
    hands = ("R9", "B1", "G1", "Y1 Y2 Y3 Y4 W W4")
    table = await talon.placed(*hands, top="R5", draw_pile="B9", said_uno=(A,))
    before = await table.table()

    left = (await table.does(D, "leave"))["view"]

    assert left["draw_pile"] == before["draw_pile"] + 6
    counts = sum(seat["cards"] for seat in left["seats"])
    assert counts + left["draw_pile"] + left["discard_pile"] == 108
    ended = (await table.plays(A, "R9"))["events"][1]["event"]
    assert ended["gains"] == [2, 0, 0, 0]


async def test_somebody_else_leaves_and_the_turn_stays(talon: House) -> None:
    """Case 123: direction and what is pending too."""
    hands = ("R9 R8", "B1 W4 B3", "G1 G2", "Y1 Y2")
    table = await talon.placed(*hands, top="R5", turn=C, direction=-1)
    await table.does(A, "leave")
    view = await table.table()
    assert (view["turn"], view["direction"]) == (C, -1)
    await table.does(C, "draw_card")
    await table.does(C, "pass_turn")
    await table.plays(B, "W4", color="blue")
    pending = (await table.table())["pending"]
    assert pending == {"kind": "penalty", "seat": D, "amount": 4}  # A is passed over

    await table.does(C, "leave")

    assert (await table.table())["pending"] == pending


async def test_three_silences_are_one_removal_and_one_advance() -> None:
    """Case 125: B runs out of time for the third time in a row, and C plays once."""
    time = Time()
    async with house(QUICK, now=time) as talon:
        hands = ("R1 R2 R3 R4", "B1 B2", "R5 R6 R7 R8")
        rules = {"clock": {"turn": 10, "answer": 10}}
        table = await talon.placed(*hands, top="R9", turn=B, rules=rules)
        for round_of in range(3):
            await _time_runs_out(table, time, B)
            if round_of < 2:
                await table.plays(C, ("R5", "R6")[round_of])
                await table.plays(A, ("R1", "R2")[round_of])
        await table.plays(C, "R7")
        history = [(one["type"], one["event"].get("seat")) for one in await table.events()]

    assert history.count(("clock_ran_out", B)) == 3
    assert [one for one in history if one[0] == "player_left"] == [("player_left", B)]
    assert history.count(("card_played", C)) == 3
    removed = history.index(("player_left", B))
    assert history[removed:] == [
        *(("player_left", B), ("hand_returned", B), ("card_played", C)),
    ]


async def _time_runs_out(table: Placed, time: Time, seat: int) -> None:
    """The clock passes the deadline of a seat, and the service acts."""
    before = await table.table()
    assert before["pending"]["seat"] == seat
    time.now += 11 * SECOND
    async with asyncio.timeout(30):
        while (await table.table())["version"] == before["version"]:
            await asyncio.sleep(0.05)


async def test_down_to_one_the_match_is_over_without_hand_points(talon: House) -> None:
    """Case 126: B held 111 points; the same from three down to one."""
    table = await talon.placed("R1", "B6 B8 R7 RR W4 YS", top="R9")
    result = (await table.does(B, "leave"))["view"]
    assert (result["status"], result["result"]["reason"]) == ("finished", "forfeit")
    assert (result["result"]["winners"], result["scores"]) == ([A], [0, 0])

    table = await talon.placed("R1", "B6", "W4", top="R9")
    assert (await table.does(C, "leave"))["view"]["status"] == "running"
    assert (await table.does(B, "leave"))["view"]["result"]["winners"] == [A]


@pytest.mark.parametrize(
    ("kept", "guilty", "counts"),
    [("R1", True, [1, 1, 1, 0]), ("B1", False, [7, 1, 1, 0])],
)
async def test_the_author_leaves_and_is_judged_on_the_stored_hand(
    talon: House, kept: str, guilty: bool, counts: list[int]
) -> None:
    """Case 128: nobody draws, or the challenger; never who moved before."""
    table = await talon.placed("Y1", "Y2", "Y3", f"W4 {kept}", top="R9", turn=D)
    await table.plays(D, "W4", color="green")
    await table.does(D, "leave")

    done = await table.does(A, "challenge")

    assert done["events"][0]["event"]["guilty"] is guilty
    assert done["events"][0]["mine"] == {"shown": [kept]}
    assert await table.counts() == counts
    assert (await table.table())["turn"] == (A if guilty else B)


async def test_leaving_names_who_left_to_everybody(talon: House) -> None:
    """Case 131: and the match goes on with two."""
    table = await talon.placed("R1", "B1", "G1", top="R9")
    await table.does(C, "leave")

    for viewer in (A, B, C, None):
        left = [one for one in await table.events(viewer) if one["type"] == "player_left"]
        assert [one["event"]["seat"] for one in left] == [C]
    view = await table.table()
    assert view["status"] == "running"
    assert [seat["state"] for seat in view["seats"]] == ["playing", "playing", "left"]


async def test_the_end_of_an_old_connection_ends_no_new_one(talon: House) -> None:
    """Case 132: the new one is there first; hand and seat are kept, and it hears what comes."""
    table = await talon.placed("R1 R2", "B1 B2", top="R9")
    path = f"/v1/matches/{table.match}/events/stream"
    past = len(await table.events())
    async with streamed(talon, table.persons[B], path + f"?after={past}") as new:
        async with streamed(talon, table.persons[B], path):
            pass  # the old one says good-bye only now
        await table.plays(A, "R1", uno=True)
        (heard,) = await new.until(1)

    assert heard["type"] == "card_played"
    assert await table.hand(B) == "B1 B2"
    assert [seat["state"] for seat in (await table.table())["seats"]] == ["playing"] * 2


async def test_everybody_drops_and_comes_back_to_the_same_table() -> None:
    """Case 134: 40 seconds later nothing has happened, and nobody has left."""
    time = Time()
    async with house(QUICK, now=time) as talon:
        table = await talon.placed("R1 R2", "B1 B2", "G1 G2", "Y1 Y2", top="R9")
        before = [await who.view(table.match) for who in table.persons]
        path = f"/v1/matches/{table.match}/events/stream"
        async with AsyncExitStack() as connections:
            for who in table.persons:
                await connections.enter_async_context(streamed(talon, who, path))
        time.now += 40 * SECOND

        assert [await who.view(table.match) for who in table.persons] == before
        await table.plays(A, "R1", uno=True)
