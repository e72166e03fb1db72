"""Statistics and ratings over HTTP: what counts, what does not, and who is gone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from domain.options import Form
from service.identity import Kind
from tests.service.support import Client, House, choice, position

pytestmark = pytest.mark.anyio


async def statistics(talon: House, person: Client) -> dict[str, Any]:
    """What everybody may read about a person, once the log is counted."""
    await talon.caught_up()
    answer = await talon.stranger.get(f"/v1/players/{person.id}/statistics")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def ratings(talon: House, person: Client, query: str = "") -> list[dict[str, Any]]:
    """A person's rated matches, newest first."""
    await talon.caught_up()
    answer = await talon.stranger.get(f"/v1/players/{person.id}/ratings{query}")
    assert answer.status_code == 200, answer.text
    lines: list[dict[str, Any]] = answer.json()["items"]
    return lines


async def test_a_finished_match_is_in_the_figures_of_both(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.finished(ann, bob)
    history = await ann.history(match)
    ended = history[-1]["event"]
    rounds = [item["event"] for item in history if item["type"] == "round_ended"]

    for seat, person in enumerate((ann, bob)):
        found = await statistics(talon, person)
        counts = found["all"]
        assert counts["matches"] == 1
        assert counts["matches_won"] == int(seat in ended["winners"])
        assert counts["points"] == ended["scores"][seat]
        assert counts["rounds"] == counts["cards_left"]["rounds"] == len(rounds)
        assert counts["rounds_won"] == sum(one["winner"] == seat for one in rounds)
        left = counts["cards_left"]
        assert left["average"] == f"{left['total'] / left['rounds']:.2f}"
        assert found["forms"] == [{"form": str(Form.FREE_FOR_ALL), "counts": counts}]
        assert found["with_bots"]["matches"] == 0


async def test_who_wins_is_rated_higher_and_both_are_provisional(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.finished(ann, bob)
    winner, loser = (
        (ann, bob) if (await ann.view(match))["result"]["winners"] == [0] else (bob, ann)
    )

    (best,), (worst,) = await ratings(talon, winner), await ratings(talon, loser)

    assert best["overall"]["rating"] > 1_500 > worst["overall"]["rating"]
    assert best["overall"]["uncertainty"] == worst["overall"]["uncertainty"] < 500
    assert best["overall"] == best["in_form"]
    assert best["overall"]["provisional"] is True
    assert (best["place"], worst["place"], best["match_id"]) == (1, 2, match)
    assert (await statistics(talon, winner))["rating"] == best["overall"]


async def test_a_match_with_a_bot_stands_apart_and_practice_counts_for_nothing(
    talon: House, ann: Client
) -> None:
    match = await talon.running(ann, seats=2, bots=["random"], rules={"target": 50})
    async with asyncio.timeout(60):
        while (view := await ann.view(match))["status"] == "running":
            if view["legal"]:
                await ann.command(match, choice(view))
            await asyncio.sleep(0.001)
    placed = await talon.stranger.post("/v1/sandbox/matches", position("R1", "G1"))
    seated = Client(talon.http, placed.json()["tokens"][0])
    seated.id = (await seated.get("/v1/players/me")).json()["player_id"]
    won = await seated.command(placed.json()["match_id"], {"type": "play_card", "card": "R1"})
    assert won.status_code == 200, won.text

    mine = await statistics(talon, ann)
    assert (mine["all"]["matches"], mine["with_bots"]["matches"], mine["forms"]) == (0, 1, [])
    assert mine["rating"] is None and await ratings(talon, ann) == []
    nothing = await statistics(talon, seated)
    assert nothing["all"]["matches"] == nothing["with_bots"]["matches"] == 0


async def test_a_void_match_counts_no_more_and_later_ones_are_rated_without_it(
    talon: House, ann: Client, bob: Client
) -> None:
    operator = await talon.holder(Kind.OPERATOR)
    first = await talon.finished(ann, bob)
    second = await talon.finished(ann, bob)
    before = await ratings(talon, ann)

    done = await operator.post(f"/v1/matches/{first}/void", {"reason": "cheating"})

    assert done.status_code == 200, done.text
    (left,) = await ratings(talon, ann)
    assert left["match_id"] == second
    assert left["overall"] != before[0]["overall"]
    assert left["overall"]["uncertainty"] == before[1]["overall"]["uncertainty"]
    assert (await statistics(talon, ann))["all"]["matches"] == 1


async def test_the_history_of_ratings_comes_in_pages_and_by_form(
    talon: House, ann: Client, bob: Client
) -> None:
    for _ in range(3):
        await talon.finished(ann, bob)
    whole = await ratings(talon, ann)
    lines, path = [], f"/v1/players/{ann.id}/ratings?limit=1&form=free_for_all"
    while path:
        page = await talon.stranger.get(path)
        lines += page.json()["items"]
        path = page.links["next"]["url"] if page.json()["next"] else ""

    assert lines == whole and len(lines) == 3
    assert await ratings(talon, ann, "?form=teams") == []


async def test_a_private_match_is_named_to_those_for_whom_it_exists(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.finished(ann, bob, visibility="private")
    (line,) = await ratings(talon, ann)
    mine = (await bob.get(f"/v1/players/{ann.id}/ratings")).json()["items"]

    assert line["match_id"] is None
    assert [one["match_id"] for one in mine] == [match]


async def test_an_erased_player_has_neither_and_the_others_keep_theirs(
    talon: House, ann: Client, bob: Client
) -> None:
    await talon.finished(ann, bob)
    await talon.caught_up()
    assert (await ann.call("DELETE", "/v1/players/me")).status_code == 204

    for path in ("statistics", "ratings"):
        assert (await talon.stranger.get(f"/v1/players/{ann.id}/{path}")).status_code == 404
    assert len(await ratings(talon, bob)) == 1
    totals = await talon.services.tallies.statistics(bytes.fromhex(ann.id.replace("-", "")))
    assert totals == ()
