"""Leaderboards over HTTP: scopes, one's own line, ties, and what is on none of them."""

from __future__ import annotations

from typing import Any

import pytest

from domain.rankings import Place
from service.identity import Kind
from service.ids import text_of
from service.paging import cursor_of
from tests.service.support import Client, House

pytestmark = pytest.mark.anyio


async def lines(talon: House, board: str, query: str = "") -> list[dict[str, Any]]:
    """What everybody reads on a board, once the log is counted."""
    await talon.caught_up()
    answer = await talon.stranger.get(f"/v1/leaderboards/{board}{query}")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


async def test_a_scope_leaves_out_what_is_not_of_it(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.finished(ann, bob)
    month = (await ann.history(match))[-1]["occurred_at"][:7]
    everything = await lines(talon, "points")

    assert {line["player_id"] for line in everything} == {ann.id, bob.id}
    assert await lines(talon, "points", f"?season={month}&form=free_for_all") == everything
    assert await lines(talon, "points", "?season=2001-01") == []
    assert await lines(talon, "rating", "?form=teams") == []


async def test_an_apps_matches_have_boards_of_their_own(talon: House) -> None:
    app = await talon.holder(Kind.APP)
    persons = []
    for name in ("Ann", "Bob"):
        made = (await app.post("/v1/players", {"name": name})).json()
        persons.append(Client(talon.http, app.token, **{"Talon-Player": made["player_id"]}))
    await talon.finished(*persons)
    await talon.finished(await talon.person(), await talon.person())

    mine = await lines(talon, "rounds_won", f"?app={text_of(bytes.fromhex(app.id))}")

    assert len(mine) == 2 and len(await lines(talon, "rounds_won")) == 4
    assert {line["name"] for line in mine} == {"Ann", "Bob"}
    wrong = await talon.stranger.get("/v1/leaderboards/points?app=mine")
    assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid_field")


async def test_one_players_line_is_the_one_on_the_page(
    talon: House, ann: Client, bob: Client
) -> None:
    await talon.finished(ann, bob)
    cat = await talon.person()
    whole = await lines(talon, "rating")

    for line in whole:
        assert await lines(talon, "rating", f"?player={line['player_id']}") == [line]
        assert line["provisional"] is True and line["tied"] is False
    assert await lines(talon, "rating", f"?player={cat.id}") == []
    assert [line["provisional"] for line in await lines(talon, "points")] == [None, None]


async def test_equal_points_are_tied_and_share_a_rank(talon: House) -> None:
    for _ in range(2):
        await talon.finished(await talon.person(), await talon.person())

    won = await lines(talon, "matches_won")

    assert [(line["rank"], line["points"], line["tied"]) for line in won] == [
        (1, 1, True),
        (1, 1, True),
        (3, 0, True),
        (3, 0, True),
    ]


async def test_what_is_declared_void_is_on_no_board_any_more(
    talon: House, ann: Client, bob: Client
) -> None:
    operator = await talon.holder(Kind.OPERATOR)
    match = await talon.finished(ann, bob)
    assert await lines(talon, "matches_won") != []
    assert (await operator.post(f"/v1/matches/{match}/void")).status_code == 200

    for board in ("points", "matches_won", "rounds_won", "rating"):
        assert await lines(talon, board) == []
    profile = (await talon.stranger.get(f"/v1/players/{ann.id}")).json()
    assert profile["statistics"] == {"points": 0, "matches_won": 0}


@pytest.mark.parametrize("query", ["?season=2026-13", "?season=26-01", "?form=chess", "?player=x"])
async def test_a_filter_that_means_nothing_is_refused(talon: House, query: str) -> None:
    answer = await talon.stranger.get(f"/v1/leaderboards/points{query}")
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "place",
    [Place(2**63, bytes(16)), Place(-(2**63), bytes(16)), Place(0, b""), Place(0, bytes(17))],
)
async def test_a_cursor_that_no_store_could_be_asked_for_is_not_ours(
    talon: House, place: Place
) -> None:
    answer = await talon.stranger.get(f"/v1/leaderboards/points?cursor={cursor_of(place)}")

    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_field")
