"""Forks: playing on from a point of a match that is over, against bots."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from domain.audit.checks import check
from infra.signing import is_signed
from tests.service.support import Client, House, Placed, choice

pytestmark = pytest.mark.anyio

PILE = "G1 G2 G3 G4"
QUIET = {"bots": "random"}


async def over(talon: House, **more: Any) -> tuple[Placed, int]:
    """A match that began in a position and is over, and the version of that position.

    Ann has drawn a card and Bob has left.
    """
    position = {"top": "R7", "turn": 0, "draw_pile": PILE, "exact_pile": True}
    placed = await talon.placed("B7 R2 W4", "Y2 Y3", **(position | more))
    version = (await placed.persons[0].view(placed.match))["version"]
    await placed.does(0, "draw_card")
    await placed.does(1, "leave")
    return placed, version


async def fork(who: Client, match: str, version: int, **more: Any) -> httpx.Response:
    return await who.post(f"/v1/matches/{match}/forks", {"version": version} | more)


async def test_a_fork_goes_on_from_the_hands_of_that_version(talon: House) -> None:
    placed, version = await over(talon)
    ann = placed.persons[0]

    made = await fork(ann, placed.match, version)

    assert made.status_code == 201, made.text
    match, view = made.json()["match_id"], made.json()["view"]
    assert made.headers["location"] == f"/v1/matches/{match}"
    assert (view["practice"], view["status"], view["top"]) == (True, "running", "R7")
    assert (view["you"]["seat"], view["you"]["hand"]) == (0, ["B7", "R2", "W4"])
    assert [(seat["bot"], seat["cards"]) for seat in view["seats"]] == [(None, 3), ("steady", 2)]
    assert view["draw_pile"] == 4
    assert (await ann.command(match, {"type": "play_card", "card": "R2"})).status_code == 200


async def test_cards_that_nobody_had_drawn_are_shuffled_anew(talon: House) -> None:
    rest = "G1 G2 G3 G4 G5 G6 G7 G8 G9 Y1 Y4 Y5 Y6 Y7 Y8 Y9 B1 B2 B3 B4 B5 B6 B8 B9"
    placed, version = await over(talon, draw_pile=rest)
    first = set()

    for _ in range(8):
        made = (await fork(placed.persons[0], placed.match, version)).json()
        done = await placed.persons[0].command(made["match_id"], {"type": "draw_card"})
        first.add(done.json()["events"][0]["mine"]["drawn"][0])

    assert first <= set(rest.split())
    assert len(first) > 1  # eight times the same of 24: less than once in a billion runs


async def test_an_open_fork_leaves_the_pile_as_it_was(talon: House) -> None:
    placed, version = await over(talon)
    ann = placed.persons[0]

    made = (await fork(ann, placed.match, version, open=True)).json()
    done = await ann.command(made["match_id"], {"type": "draw_card"})

    assert done.json()["events"][0]["mine"]["drawn"] == ["G1"]


async def test_each_plays_their_own_seat_or_the_one_they_name(talon: House) -> None:
    placed, version = await over(talon)
    ann, bob = placed.persons
    cat = await talon.person("Cat")

    seats = [
        (await fork(who, placed.match, version, **more)).json()["seat"]
        for who, more in ((ann, {}), (bob, {}), (cat, {}), (ann, {"seat": 1}), (cat, {"seat": 1}))
    ]

    assert seats == [0, 1, 0, 1, 1]


async def test_a_fork_may_have_other_rules(talon: House) -> None:
    placed, version = await over(talon)
    ann = placed.persons[0]

    made = (await fork(ann, placed.match, version, rules={"stacking": "same"})).json()
    wrong = await fork(ann, placed.match, version, rules={"form": "teams"})

    created = (await ann.history(made["match_id"]))[0]["event"]
    assert created["options"]["stacking"] == "same"
    assert wrong.status_code == 422


async def test_a_fork_is_played_to_the_end_and_its_record_holds(talon: House) -> None:
    placed, version = await over(talon, draw_pile="", exact_pile=False, rules={"target": 50})
    ann = placed.persons[0]
    match = (await fork(ann, placed.match, version, **QUIET)).json()["match_id"]

    view = await ann.view(match)
    for _ in range(3_000):
        if view["status"] != "running":
            break
        if view["legal"] and view["pending"]["seat"] == view["you"]["seat"]:
            done = await ann.command(match, choice(view))
            assert done.status_code in (200, 409), done.text
        tag = f'"{view["version"]}.0"'
        await ann.get(f"/v1/matches/{match}/view?wait=1", If_None_Match=tag)
        view = await ann.view(match)

    assert view["status"] == "finished"
    content = (await ann.get(f"/v1/matches/{match}/record")).content
    listed = (await talon.stranger.get("/v1/log/keys")).json()["keys"]
    keys = {key["key_id"]: bytes.fromhex(key["public_key"]) for key in listed}
    assert check(content, is_signed, keys).faults == ()


async def test_a_match_that_goes_on_has_no_forks(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)

    answer = await fork(ann, match, (await ann.view(match))["version"])

    assert (answer.status_code, answer.json()["code"]) == (409, "match_not_over")


async def test_a_fork_begins_where_nothing_else_is_due(talon: House) -> None:
    placed, version = await over(talon)

    for other in (1, version + 1, version + 2):
        answer = await fork(placed.persons[0], placed.match, other)
        assert (answer.status_code, answer.json()["code"]) == (409, "no_fork_here"), other


async def test_there_is_no_fork_of_a_version_that_is_not_there(talon: House) -> None:
    placed, version = await over(talon)

    answer = await fork(placed.persons[0], placed.match, version + 99)

    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_version")


async def test_a_seat_that_is_not_there_cannot_be_played(talon: House) -> None:
    placed, version = await over(talon)

    answer = await fork(placed.persons[0], placed.match, version, seat=2)

    assert answer.json()["errors"][0]["pointer"] == "#/seat"
