"""The sandbox over HTTP: positions put on the table, or refused, and played on."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.deal import commitment
from domain.options import Form
from service.identity import Kind
from tests.laws.audit import Auditor
from tests.service.support import QUICK, Client, House, house, key, play_on, position

pytestmark = pytest.mark.anyio
PATH = "/v1/sandbox/matches"


async def test_a_position_is_on_the_table_as_it_was_sent(talon: House) -> None:
    asked = position(
        "B7 W4 Y1",
        "G2",
        top="W",
        color="green",
        discard="R1 R2",
        draw_pile="Y9 Y8",
        turn=1,
        dealer=1,
        direction=-1,
        scores=(20, 480),
        said_uno=(1,),
    )

    made = await talon.stranger.post(PATH, asked)

    assert made.status_code == 201 and made.json().keys() == {"match_id", "tokens", "version"}
    assert made.headers["Location"] == f"/v1/matches/{made.json()['match_id']}"
    ann, bob = (Client(talon.http, token) for token in made.json()["tokens"])
    view = await ann.view(made.json()["match_id"], made.json()["version"])
    assert view["version"] == made.json()["version"]
    assert (view["status"], view["practice"], view["round"]) == ("running", True, 1)
    assert (view["top"], view["color"], view["direction"]) == ("W", "green", -1)
    assert (view["turn"], view["dealer"], view["host"]) == (1, 1, 0)
    assert (view["draw_pile"], view["discard_pile"]) == (108 - 4 - 3, 3)
    assert view["pending"] == {"kind": "turn", "seat": 1}
    assert view["you"]["hand"] == ["B7", "W4", "Y1"]
    assert [seat["name"] for seat in view["seats"]] == ["Ann", "Bob"]
    assert [seat["score"] for seat in view["seats"]] == view["scores"] == [20, 480]
    assert [seat["uno"] for seat in view["seats"]] == [False, True]
    assert (await bob.view(view["match_id"]))["you"] == {"seat": 1, "hand": ["G2"]}


async def test_the_pile_is_drawn_from_as_it_was_sent(talon: House) -> None:
    table = await talon.placed("B7", "B1 B2", draw_pile="Y9 W", turn=1)

    drawn = await table.does(1, "draw_card")

    assert drawn["view"]["you"]["drawn"] == "Y9"
    assert await table.hand(1) == "B1 B2 Y9"


async def test_an_exact_pile_is_all_there_is(talon: House) -> None:
    """PILE-1: then the discards are shuffled, whose order the salt decides."""
    table = await talon.placed("B7 B8", "B1 B2", discard="G1 G2", draw_pile="Y9", exact_pile=True)
    assert (await table.table())["draw_pile"] == 1

    await table.does(0, "draw_card")
    await table.does(0, "pass_turn")
    await table.does(1, "draw_card")

    view = await table.table()
    assert (view["draw_pile"], view["discard_pile"], view["top"]) == (1, 1, "R7")
    held = set((await table.hand(1)).split()) - {"B1", "B2"}
    assert held <= {"G1", "G2"} and len(held) == 1


FORMS: list[tuple[dict[str, Any], int]] = [
    ({}, 2),
    ({}, 10),
    ({"edition": "modern-112", "customizable": "swap_hands"}, 3),
    ({"scoring": "lowest"}, 3),
    ({"form": "teams"}, 4),
    ({"form": "rotating_partners", "rounds_per_pairing": 1}, 4),
    ({"form": "elimination"}, 5),
    ({"enforcement": "table", "uno_grace": 3}, 3),
    ({"stacking": "mixed", "seven_zero": True, "jump_in": True, "force_play": True}, 4),
    ({"draw_until_playable": True, "starting_hand": 5, "wild_draw_four": "strict"}, 3),
    ({"clock": {"turn": 1_000, "answer": 1_000}, "on_leave": "bot", "reveal": "round"}, 3),
]


@pytest.mark.parametrize(("rules", "seats"), FORMS)
async def test_a_position_may_be_placed_in_every_form_and_with_every_option(
    talon: House, rules: dict[str, Any], seats: int
) -> None:
    hands = [f"{color}{number}" for number in (1, 2, 3) for color in "RYGB"][:seats]

    table = await talon.placed(*hands, top="R9", rules=rules)

    view = await table.table()
    assert {name: view["options"][name] for name in rules} == rules
    assert view["form"] == rules.get("form", Form.FREE_FOR_ALL)
    assert await table.counts() == [1] * seats
    assert (await table.plays(0, "R1"))["version"] > view["version"]


async def test_a_placed_match_is_played_to_its_end_and_verifies_from_its_history(
    talon: House,
) -> None:
    table = await talon.placed("R1 G3", "B1", "Y1", rules={"target": 100}, scores=(0, 60, 90))

    view = await play_on(table.match, tuple(table.persons))

    assert view["status"] == "finished"
    history = await talon.stranger.get(
        f"/v1/matches/{table.match}/events?format=stored", Accept="application/x-ndjson"
    )
    items = [msgspec.json.decode(line) for line in history.text.splitlines()]
    match_id = bytes.fromhex(table.match.replace("-", ""))
    checks = Auditor(match_id, [item["data"].encode() for item in items]).audit()
    assert checks["position_placed"] == 1
    events = [item["event"] for item in items]
    bound = next(one for one in events if one["type"] == "round_committed")
    shown = next(one for one in events if one["type"] == "seed_revealed")
    secret = bytes.fromhex(shown["seed"])
    assert commitment(match_id, 1, secret) == bound["commitment"]
    assert secret[32:].startswith(b"R1 G3/B1/Y1/")


async def test_nothing_hidden_is_in_the_history_before_the_end(talon: House) -> None:
    table = await talon.placed("W4 R1", "B8 B9", "G8", discard="Y3", draw_pile="Y9")

    placed = next(one for one in await table.events() if one["type"] == "position_placed")

    assert placed["event"]["hands"] == [2, 2, 1]
    assert placed["event"]["discard"] == ["Y3", "R7"]
    assert "mine" not in placed
    text = str([one["event"] for one in await table.events()])
    assert not any(f"'{card}'" in text for card in ("W4", "R1", "B8", "B9", "G8", "Y9"))
    for seat, hand in enumerate((["W4", "R1"], ["B8", "B9"], ["G8"])):
        own = next(one for one in await table.events(seat) if one["type"] == "position_placed")
        assert own["mine"] == {"hand": hand}


async def test_a_placed_match_is_in_no_ranking(talon: House) -> None:
    table = await talon.placed("R1", "B1 B2", rules={"target": 50}, scores=(48, 0), said_uno=(0,))
    player_id = (await table.persons[0].get("/v1/players/me")).json()["player_id"]

    done = await table.plays(0, "R1")
    await talon.caught_up()

    assert done["view"]["result"]["winners"] == [0]
    for board in ("points", "matches_won"):
        ranks = (await talon.stranger.get(f"/v1/leaderboards/{board}")).json()
        assert ranks["items"] == []
    profile = (await talon.stranger.get(f"/v1/players/{player_id}")).json()
    assert profile["statistics"] == {"points": 0, "matches_won": 0}
    listed = (await talon.stranger.get("/v1/matches?status=finished")).json()["items"]
    assert [(one["match_id"], one["practice"]) for one in listed] == [(table.match, True)]


WRONG: list[tuple[dict[str, Any], list[str]]] = [
    (position("R7 R7", "B1"), ["#/top"]),
    (position("WS", "WC"), ["#/seats/0/hand/0", "#/seats/1/hand/0"]),
    (position("B1", "B2", draw_pile="B0 B0"), ["#/draw_pile/1"]),
    (position("B1", "B2", discard="Y0 Y0"), ["#/discard/1"]),
    (position("B1", ""), ["#/seats/1/hand"]),
    (position("B1", "B2", top="W4"), ["#/color"]),
    (position("B1", "B2", color="blue"), ["#/color"]),
    (position("B1", "B2", turn=2, dealer=3), ["#/dealer", "#/turn"]),
    (position("B1", "B2 B3", said_uno=(1,)), ["#/seats/1/said_uno"]),
    (position("B1", "B2", scores=(0, 500)), ["#/seats/1/score"]),
    (position("B1", "B2", top="R10"), ["#/top"]),
    (position("B1", "B2", direction=2), ["#/direction"]),
    (position("B1"), ["#/seats"]),
    (position("B1", "B2", rules={"target": 1}), ["#/rules/target"]),
    (position("B1", "B2") | {"pile": []}, ["#/pile"]),
    ({"seats": [], "top": "R7"}, ["#/seats"]),
]


@pytest.mark.parametrize(("body", "pointers"), WRONG)
async def test_what_is_wrong_with_a_position_is_pointed_at(
    talon: House, body: dict[str, Any], pointers: list[str]
) -> None:
    answer = await talon.stranger.post(PATH, body)

    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_field")
    assert [error["pointer"] for error in answer.json()["errors"]] == pointers
    assert await talon.position() == 0


async def test_options_that_do_not_go_together_are_refused_by_their_rule(talon: House) -> None:
    teams = await talon.stranger.post(PATH, position("B1", "B2", rules={"form": "teams"}))
    assert (teams.status_code, teams.json()["rule"]) == (422, "TEAM-1")

    both = {"force_play": True, "drawn_card": "may"}
    forced = await talon.stranger.post(PATH, position("B1", "B2", rules=both))
    assert (forced.status_code, forced.json()["rule"]) == (422, "HOUSE-5")


async def test_a_retry_answers_the_same_match_and_tokens(talon: House) -> None:
    asked, once = position("B1", "B2"), key()

    first = await talon.stranger.post(PATH, asked, Idempotency_Key=once)
    again = await talon.stranger.post(PATH, asked, Idempotency_Key=once)
    other = await talon.stranger.post(PATH, position("B1", "B3"), Idempotency_Key=once)

    assert first.json() == again.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    await talon.caught_up()
    assert len((await talon.stranger.get("/v1/matches?status=running")).json()["items"]) == 1


async def test_an_apps_sandbox_has_its_own_players(talon: House) -> None:
    app = await talon.holder(Kind.APP)

    made = (await app.post(PATH, position("B1", "B2"))).json()

    ann = Client(talon.http, made["tokens"][0])
    me = (await ann.get("/v1/players/me")).json()
    assert me["by_app"]
    acting = Client(talon.http, app.token, **{"Talon-Player": me["player_id"]})
    assert (await acting.view(made["match_id"]))["you"]["hand"] == ["B1"]


NAMED = msgspec.structs.replace(QUICK, database_url="postgresql://somewhere/talon")


@pytest.mark.parametrize(
    ("settings", "status"),
    [
        (QUICK, 201),
        (NAMED, 403),
        (msgspec.structs.replace(QUICK, sandbox=False), 403),
        (msgspec.structs.replace(NAMED, sandbox=True), 201),
    ],
)
async def test_the_sandbox_is_open_unless_a_database_is_named_or_it_is_set_otherwise(
    settings: Any, status: int
) -> None:
    async with house(settings) as talon:
        answer = await talon.stranger.post(PATH, position("B1", "B2"))

    assert answer.status_code == status
    if status == 403:
        assert answer.json()["code"] == "sandbox_closed"
        assert "TALON_SANDBOX=true" in answer.json()["detail"]


async def test_where_registration_is_closed_only_apps_place_positions() -> None:
    async with house(msgspec.structs.replace(QUICK, open_registration=False)) as talon:
        stranger = await talon.stranger.post(PATH, position("B1", "B2"))
        app = await (await talon.holder(Kind.APP)).post(PATH, position("B1", "B2"))

    assert (stranger.status_code, stranger.json()["code"]) == (403, "registration_closed")
    assert app.status_code == 201
