"""Other forms of play over HTTP: what is refused at creation, clocks, graces, kept seats."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.support import Client, House, choice, on_turn, play_on

pytestmark = pytest.mark.anyio

TOGETHER: list[tuple[str, str, dict[str, Any]]] = [
    ("teams_must_have_four_seats", "TEAM-1", {"seats": 3, "rules": {"form": "teams"}}),
    (
        "lowest_must_be_free_for_all",
        "SCORE-2",
        {"seats": 4, "rules": {"form": "elimination", "scoring": "lowest"}},
    ),
    ("pairings_must_rotate", "ROT-1", {"seats": 4, "rules": {"cycles": 2}}),
]
FORMS: list[dict[str, Any]] = [
    {"form": "teams", "target": 50},
    {"form": "rotating_partners", "rounds_per_pairing": 1, "starting_hand": 5},
    {"form": "elimination", "target": 50},
    {"scoring": "lowest", "target": 50},
]


@pytest.mark.parametrize(("code", "rule", "body"), TOGETHER)
async def test_options_that_do_not_go_together_are_refused_with_the_reason(
    ann: Client, code: str, rule: str, body: dict[str, Any]
) -> None:
    refused = await ann.post("/v1/matches", body)
    problem = refused.json()
    assert (refused.status_code, problem["code"], problem["rule"]) == (422, code, rule)
    assert problem["source"] and problem["detail"]
    assert (await ann.get(f"/v1/rules/{rule}")).status_code == 200


@pytest.mark.parametrize("rules", FORMS, ids=str)
async def test_a_match_of_every_form_is_played_to_its_end(
    talon: House, rules: dict[str, Any]
) -> None:
    persons = [await talon.person() for _ in range(4)]
    match = await talon.running(*persons, rules=rules)
    view = await play_on(match, tuple(persons))
    assert view["status"] == "finished" and view["form"] == rules.get("form", "free_for_all")
    places = view["result"]["places"]
    assert view["result"]["winners"] == [seat for seat in range(4) if places[seat] == 1]


async def test_a_view_says_until_when_it_waits(talon: House, ann: Client, bob: Client) -> None:
    clock = {"turn": 5, "answer": 1_209_600}
    match = await talon.running(ann, bob, rules={"clock": clock})
    view = await ann.view(match)
    assert view["options"]["clock"] == clock
    last = (await ann.history(match))[-1]["occurred_at"]
    assert view["pending"]["deadline"] > last
    untimed = await talon.running(ann, bob)
    assert "deadline" not in (await ann.view(untimed))["pending"]


@pytest.mark.parametrize("clock", [{"turn": 4, "answer": 10}, {"turn": 30}, 30])
async def test_a_clock_has_both_times_within_their_limits(ann: Client, clock: Any) -> None:
    refused = await ann.post("/v1/matches", {"seats": 2, "rules": {"clock": clock}})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field")


async def test_who_begins_a_turn_within_a_grace_is_told_when_it_ends(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob, rules={"uno_grace": 10, "starting_hand": 5})
    for _ in range(500):
        view = await ann.view(match)
        person = on_turn(view, (ann, bob))
        mine = await person.view(match, view["version"])
        done = await person.command(match, choice(mine))
        if done.status_code != 200:
            break
    problem = done.json()
    assert (done.status_code, problem["code"]) == (409, "grace_must_have_passed")
    assert problem["rule"] == "UNO-7" and problem["not_before"] == mine["pending"]["not_before"]
    caught = [
        (await who.command(match, one)).status_code
        for who in (ann, bob)
        for one in (await who.view(match))["legal"]
        if one["type"] == "catch_uno"
    ]
    assert caught == [200]
    assert (await person.command(match, choice(mine))).status_code == 200


async def test_a_bot_keeps_the_seat_of_who_has_left_until_they_return(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob, rules={"on_leave": "bot"})
    assert (await bob.command(match, {"type": "leave"})).status_code == 200
    view = await bob.view(match)
    assert view["legal"] == [{"type": "return"}] and view["seats"][1]["state"] == "away"
    refused = await bob.command(match, {"type": "draw_card"})
    assert (refused.status_code, refused.json()["code"]) == (409, "seat_must_be_taken_back")
    back = await bob.command(match, {"type": "return"})
    assert back.status_code == 200 and back.json()["view"]["seats"][1]["bot"] is None
    again = await bob.command(match, {"type": "return"})
    assert again.json()["code"] == "seat_must_be_kept_by_a_bot"


async def test_who_is_erased_leaves_a_seat_that_a_bot_plays(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob, rules={"on_leave": "bot"})
    assert (await bob.call("DELETE", "/v1/players/me")).status_code == 204
    seat = (await ann.view(match))["seats"][1]
    assert (seat["state"], seat["player_id"], seat["bot"]) == ("away", None, "steady")
