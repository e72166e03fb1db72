"""Commands over HTTP: whole matches, refusals that explain themselves, dry runs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.identity import Kind
from tests.service.support import Client, House, choice, on_turn, play_on

pytestmark = pytest.mark.anyio

JSON = "application/json"
MALFORMED = 400, "malformed_json"
INVALID = 422, "invalid_field"
TYPE = 415, "unsupported_media_type"
BROKEN: dict[str, tuple[bytes, str, tuple[int, str]]] = {
    "malformed": (b'{"type": "draw_card"', JSON, MALFORMED),
    "empty": (b"", JSON, MALFORMED),
    "not a number": (b'{"type": "catch_uno", "seat": NaN}', JSON, MALFORMED),
    "not UTF-8": (b'{"type": "\xff"}', JSON, MALFORMED),
    "half a character": (b'{"type": "\\ud800"}', JSON, MALFORMED),
    "too deep": (b"[" * 15_000, JSON, MALFORMED),
    "a list": (b"[]", JSON, INVALID),
    "no type": (b"{}", JSON, INVALID),
    "unknown type": (b'{"type": "cheat"}', JSON, INVALID),
    "the service's own": (b'{"type": "void_match", "reason": "operator"}', JSON, INVALID),
    "unknown card": (b'{"type":"play_card","card":"R10"}', JSON, INVALID),
    "extra field": (b'{"type":"draw_card","seat":1}', JSON, INVALID),
    "twice the same": (b'{"type":"draw_card","type":"draw_card"}', JSON, INVALID),
    "a text for a number": (b'{"type":"catch_uno","seat":"1"}', JSON, INVALID),
    "a number for a flag": (b'{"type":"play_card","card":"R5","uno":1}', JSON, INVALID),
    "17 KiB": (b" " * 17 * 1024, JSON, (413, "body_too_large")),
    "a form": (b"type=draw_card", "application/x-www-form-urlencoded", TYPE),
    "text": (b'{"type":"draw_card"}', "text/plain", TYPE),
    "untyped": (b'{"type":"draw_card"}', "", TYPE),
}


async def test_two_people_play_a_match_to_the_end(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob, rules={"target": 100})
    seen: list[dict[str, Any]] = []

    view = await play_on(match, (ann, bob), seen.append)

    assert view["status"] == "finished"
    assert max(view["scores"]) >= 100
    assert view["result"]["winners"] == [view["scores"].index(max(view["scores"]))]
    assert all(done["receipt"]["version"] == done["version"] for done in seen)
    history = await ann.history(match)
    assert [item["version"] for item in history] == list(range(1, view["version"] + 1))
    assert history[-1]["type"] == "match_ended"


async def test_a_person_plays_against_bots(talon: House, ann: Client) -> None:
    match = await talon.running(ann, seats=3, bots=["steady", "random"], rules={"target": 50})

    for _ in range(2_000):
        view = await ann.view(match)
        if view["status"] != "running":
            break
        if view["legal"] and view["pending"]["seat"] == 0:
            assert (await ann.command(match, choice(view))).status_code in (200, 409)
        else:
            await ann.get(
                f"/v1/matches/{match}/view?wait=5", If_None_Match=f'"{view["version"]}.0"'
            )

    assert view["status"] == "finished"


async def test_an_accepted_command_answers_version_events_view_and_receipt(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    before = await ann.view(match)
    player = on_turn(before, (ann, bob))
    last = (await player.history(match))[-1]

    done = await player.command(match, {"type": "draw_card"})

    answer, view = done.json(), done.json()["view"]
    assert answer.keys() == {"version", "events", "view", "receipt"}
    assert answer["version"] == before["version"] + 1
    (drawn,) = answer["events"]
    assert drawn["type"] == "cards_drawn"
    assert drawn["mine"]["drawn"] == [view["you"]["drawn"]]
    assert answer["receipt"] == {
        "match_id": match,
        "from_version": before["version"],
        "version": answer["version"],
        "position": drawn["position"],
        "hash": drawn["hash"],
        "previous_hash": last["hash"],
    }
    seat = view["you"]["seat"]
    assert done.headers["etag"] == f'"{answer["version"]}.{seat}"'
    assert done.headers["cache-control"] == "private, no-cache"
    assert done.headers["vary"] == "Authorization, Talon-Player, Talon-Invite"


async def test_a_refusal_names_the_rule_and_what_may_be_played(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    view = await ann.view(match)
    player = on_turn(view, (ann, bob))
    mine = await player.view(match)
    absent = next(card for card in ("R1", "Y1", "G1", "B1") if card not in mine["you"]["hand"])

    refused = await player.command(match, {"type": "play_card", "card": absent})

    problem = refused.json()
    assert refused.status_code == problem["status"] == 409
    assert refused.headers["content-type"] == "application/problem+json"
    assert (problem["code"], problem["rule"]) == ("card_must_be_in_hand", "TURN-1")
    assert problem["type"] == "/problems/card_must_be_in_hand"
    assert problem["source"] == ["S0", "S1", "S2", "S3", "S4"]
    plays = [command["card"] for command in mine["legal"] if command["type"] == "play_card"]
    assert problem["playable"] == plays
    assert (await player.view(match)) == mine


async def test_out_of_turn_is_refused(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    view = await ann.view(match)
    other = bob if on_turn(view, (ann, bob)) is ann else ann

    refused = await other.command(match, {"type": "draw_card"})

    assert (refused.status_code, refused.json()["code"]) == (409, "turn_must_be_yours")
    assert refused.json()["playable"] == []
    assert (await ann.view(match)) == view


@pytest.mark.parametrize(("body", "content_type", "expected"), BROKEN.values(), ids=BROKEN.keys())
async def test_a_broken_request_is_a_clear_problem_and_changes_nothing(
    talon: House,
    ann: Client,
    bob: Client,
    body: bytes,
    content_type: str,
    expected: tuple[int, str],
) -> None:
    match = await talon.running(ann, bob)
    before = await ann.history(match)

    refused = await ann.http.post(
        f"/v1/matches/{match}/commands",
        content=body,
        headers=ann.headers | ({"Content-Type": content_type} if content_type else {}),
    )

    assert (refused.status_code, refused.json()["code"]) == expected
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["detail"]
    assert ("errors" in refused.json()) == (expected == INVALID)
    assert await ann.history(match) == before


async def test_a_body_that_never_ends_is_cut_off(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)

    async def chunks() -> Any:
        for _ in range(100):
            yield b" " * 1_000

    refused = await ann.http.post(
        f"/v1/matches/{match}/commands",
        content=chunks(),
        headers=ann.headers | {"Content-Type": "application/json"},
    )

    assert (refused.status_code, refused.json()["code"]) == (413, "body_too_large")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"type": "cheat"}, "#/type"),
        ({"type": "play_card"}, "#/card"),
        ({"type": "play_card", "card": "R55"}, "#/card"),
        ({"type": "play_card", "card": "W", "color": "pink"}, "#/color"),
        ({"type": "draw_card", "a/b~c": 1}, "#/a~1b~0c"),
        ({"type": "catch_uno", "seat": 10}, "#/seat"),
        ({"type": "catch_uno", "seat": -1}, "#/seat"),
        ({"type": "add_seed", "round": 0, "client_seed": ""}, "#/round"),
        ({"type": "add_seed", "round": 1, "client_seed": "+/"}, "#/client_seed"),
    ],
)
async def test_an_invalid_field_is_pointed_at(
    talon: House, ann: Client, bob: Client, body: Any, pointer: str
) -> None:
    match = await talon.running(ann, bob)

    refused = await ann.command(match, body)

    assert [error["pointer"] for error in refused.json()["errors"]] == [pointer]


async def test_who_leaves_after_the_start_is_told_how(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)

    refused = await ann.call("DELETE", f"/v1/matches/{match}/seats/me")

    assert (refused.status_code, refused.json()["code"]) == (409, "match_must_be_open")
    assert '{"type": "leave"}' in refused.json()["detail"]


async def test_spacing_and_charset_do_not_matter(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    player = on_turn(await ann.view(match), (ann, bob))

    done = await player.http.post(
        f"/v1/matches/{match}/commands",
        content=b'  { "type" : "draw_card" }\n',
        headers=player.headers | {"Content-Type": "Application/JSON; charset=utf-8"},
    )

    assert done.status_code == 200


@pytest.mark.parametrize("token", [None, "talon_unknown"])
async def test_a_command_needs_a_token(
    talon: House, ann: Client, bob: Client, token: str | None
) -> None:
    match = await talon.running(ann, bob)

    refused = await Client(talon.http, token).command(match, {"type": "draw_card"})

    assert refused.status_code == 401


async def test_a_stranger_acts_for_nobody(talon: House, ann: Client, bob: Client) -> None:
    match, cat = await talon.running(ann, bob), await talon.person("Cat")
    before = await ann.history(match)

    for command in ({"type": "draw_card"}, {"type": "call_uno"}, {"type": "catch_uno", "seat": 0}):
        for query in ("", "?dry_run=true"):
            refused = await cat.post(f"/v1/matches/{match}/commands{query}", command)
            assert (refused.status_code, refused.json()["code"]) == (403, "seat_must_be_yours")
            assert "playable" not in refused.json()
    assert await ann.history(match) == before


@pytest.mark.parametrize("match", ["01890a5d-ac96-774b-bcce-b302099a8057", "0", "x" * 36, "0" * 32])
async def test_an_unknown_match_is_not_found(ann: Client, match: str) -> None:
    for answer in (
        await ann.command(match, {"type": "draw_card"}),
        await ann.get(f"/v1/matches/{match}/view"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_a_dry_run_says_accepted_and_nothing_more(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    before = await ann.view(match)
    player, commands = on_turn(before, (ann, bob)), f"/v1/matches/{match}/commands"

    would = await player.post(f"{commands}?dry_run=true", {"type": "draw_card"})
    would_not = await player.post(f"{commands}?dry_run=true", {"type": "pass_turn"})

    assert would.json() == {"would": "accepted", "version": before["version"]}
    assert (would_not.status_code, would_not.json()["code"]) == (409, "pass_must_follow_a_draw")
    assert await ann.view(match) == before


async def test_a_misspelled_parameter_does_not_act(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    before = await ann.view(match)
    player = on_turn(before, (ann, bob))

    for query in ("dryrun=true", "dry_run=maybe", "dry_run=true&dry_run=false"):
        refused = await player.post(f"/v1/matches/{match}/commands?{query}", {"type": "draw_card"})
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field")
        assert refused.json()["errors"][0]["pointer"] == "?" + query.partition("=")[0]
    assert await ann.view(match) == before


async def test_every_legal_command_would_be_accepted(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)

    for _ in range(30):
        view = await ann.view(match)
        if view["status"] != "running":
            break
        player = on_turn(view, (ann, bob))
        legal = (await player.view(match))["legal"]
        for command in legal:
            sent = command | ({"color": "red"} if command.get("card", "R")[0] == "W" else {})
            answer = await player.post(f"/v1/matches/{match}/commands?dry_run=true", sent)
            assert answer.json() == {"would": "accepted", "version": view["version"]}, sent
        await player.command(match, choice(await player.view(match)))


async def test_actions_explain_every_card_that_cannot_be_played(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    player = on_turn(await ann.view(match), (ann, bob))

    actions = (await player.get(f"/v1/matches/{match}/actions")).json()

    view = await player.view(match)
    assert actions["legal"] == view["legal"]
    forbidden = {entry["card"] for entry in actions["forbidden"]}
    playable = {command["card"] for command in view["legal"] if "card" in command}
    assert forbidden | playable == set(view["you"]["hand"])
    assert not forbidden & playable
    assert all(entry["rule"] and entry["source"] for entry in actions["forbidden"])


async def test_a_player_adds_a_seed_to_the_coming_deal(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.table(ann, bob)

    done = await bob.command(match, {"type": "add_seed", "round": 1, "client_seed": "bHVjaw"})

    assert done.json()["view"]["fairness"]["seeds"] == ["", b"luck".hex()]


async def test_an_app_plays_for_its_player(talon: House, ann: Client) -> None:
    app = await talon.holder(Kind.APP)
    zoe = (await app.post("/v1/players", {"name": "Zoe"})).json()["player_id"]
    acting = Client(talon.http, app.token, **{"Talon-Player": zoe})
    match = await talon.running(ann, acting)

    player = on_turn(await ann.view(match), (ann, acting))
    other = acting if player is ann else ann

    assert (await player.command(match, {"type": "draw_card"})).status_code == 200
    assert (await other.command(match, {"type": "draw_card"})).status_code == 409
    assert json.dumps((await acting.view(match))["you"]["hand"])
