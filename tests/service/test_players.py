"""Players: creating, naming, tokens, profiles, and being erased."""

from __future__ import annotations

import msgspec
import pytest

from domain.ports import Principal
from service.identity import Kind, token_hash
from tests.service.support import QUICK, Client, House, house, key

pytestmark = pytest.mark.anyio


async def test_a_new_player_gets_an_id_and_a_token_that_works(talon: House) -> None:
    made = await talon.stranger.post("/v1/players", {"name": "Ann Lee"})

    assert made.status_code == 201
    assert made.json()["token"].startswith("talon_")
    assert made.headers["location"] == f"/v1/players/{made.json()['player_id']}"
    me = await Client(talon.http, made.json()["token"]).get("/v1/players/me")
    assert (me.json()["name"], me.json()["player_id"]) == ("Ann Lee", made.json()["player_id"])


@pytest.mark.parametrize(
    "name", ["", " Ann", "Ann ", "A  B", "A\nB", "A\n", "A\u202eB", "x" * 33, None, 7]
)
async def test_a_name_is_1_to_32_plain_characters(talon: House, name: object) -> None:
    answer = await talon.stranger.post("/v1/players", {"name": name})

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "#/name"


@pytest.mark.parametrize("name", ["A", "Ann Lee", "Zoë", "李雷", "👩‍🚀 Ann", "x" * 32])
async def test_a_name_may_be_in_any_script(talon: House, name: str) -> None:
    assert (await talon.stranger.post("/v1/players", {"name": name})).status_code == 201


async def test_registration_can_be_left_to_applications() -> None:
    async with house(msgspec.structs.replace(QUICK, open_registration=False)) as talon:
        refused = await talon.stranger.post("/v1/players", {"name": "Ann"})
        app = await talon.holder(Kind.APP)
        made = await app.post("/v1/players", {"name": "Ann"})

    assert (refused.status_code, refused.json()["code"]) == (403, "registration_closed")
    assert made.status_code == 201


async def test_a_new_name_shows_in_matches_at_once(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.table(ann, bob)

    renamed = await ann.call("PATCH", "/v1/players/me", {"name": "Anna"})

    assert renamed.json()["name"] == "Anna"
    assert [seat["name"] for seat in (await bob.view(match))["seats"]] == ["Anna", "Bob"]


async def test_another_token_is_as_good_as_the_first(ann: Client) -> None:
    made = await ann.post("/v1/players/me/tokens", {"expires_in": 3600})

    assert made.status_code == 201
    assert made.json()["expires_at"].endswith("Z")
    other = Client(ann.http, made.json()["token"])
    assert (await other.get("/v1/players/me")).json()["player_id"] == ann.id


@pytest.mark.parametrize("asked", [{}, {"expires_in": 7200}, {"expires_in": 3600}])
async def test_no_token_outlasts_the_one_that_makes_it(ann: Client, asked: dict[str, int]) -> None:
    brief = (await ann.post("/v1/players/me/tokens", {"expires_in": 3600})).json()
    other = Client(ann.http, brief["token"])

    made = (await other.post("/v1/players/me/tokens", asked)).json()
    shorter = (await other.post("/v1/players/me/tokens", {"expires_in": 60})).json()

    assert shorter["expires_at"] < made["expires_at"] == brief["expires_at"]


async def test_a_token_that_was_revoked_elsewhere_makes_no_other(talon: House, ann: Client) -> None:
    assert (await ann.get("/v1/players/me")).status_code == 200
    mine = Principal(Kind.PLAYER, bytes.fromhex(ann.id.replace("-", "")))
    await talon.services.registry.revoke_token(
        token_hash(str(ann.token)), mine, talon.services.now()
    )

    assert (await ann.post("/v1/players/me/tokens", {})).status_code == 401


async def test_tokens_are_listed_without_themselves(ann: Client) -> None:
    made = (await ann.post("/v1/players/me/tokens", {"expires_in": 3600})).json()

    listed = await ann.get("/v1/players/me/tokens")

    newest, first = listed.json()["items"]
    assert (newest["token_id"], newest["expires_at"]) == (made["token_id"], made["expires_at"])
    assert (newest["current"], first["current"], first["expires_at"]) == (False, True, None)
    assert made["token"] not in listed.text and str(ann.token) not in listed.text


async def test_a_token_is_revoked_by_its_id(ann: Client) -> None:
    once = key()
    made = (await ann.post("/v1/players/me/tokens", {}, Idempotency_Key=once)).json()
    other = Client(ann.http, made["token"])
    assert (await other.get("/v1/players/me")).status_code == 200

    revoked = await ann.call("DELETE", f"/v1/players/me/tokens/{made['token_id']}")
    again = await ann.call("DELETE", f"/v1/players/me/tokens/{made['token_id']}")
    await ann.post("/v1/players/me/tokens", {}, Idempotency_Key=once)

    assert (revoked.status_code, again.status_code) == (204, 404)
    assert (await other.get("/v1/players/me")).status_code == 401
    assert (await ann.get("/v1/players/me")).status_code == 200


async def test_the_token_of_the_request_is_revoked_as_the_current_one(ann: Client) -> None:
    assert (await ann.call("DELETE", "/v1/players/me/tokens/current")).status_code == 204
    assert (await ann.get("/v1/players/me")).status_code == 401


async def test_nobody_revokes_the_tokens_of_others(talon: House, ann: Client, bob: Client) -> None:
    (mine,) = (await ann.get("/v1/players/me/tokens")).json()["items"]

    refused = await bob.call("DELETE", f"/v1/players/me/tokens/{mine['token_id']}")

    assert refused.status_code == 404
    assert (await ann.get("/v1/players/me")).status_code == 200


async def test_an_app_ends_the_tokens_of_its_players_and_not_its_own(talon: House) -> None:
    app = await talon.holder(Kind.APP)
    zoe = (await app.post("/v1/players", {"name": "Zoe"})).json()
    acting = Client(talon.http, app.token, **{"Talon-Player": zoe["player_id"]})
    (token,) = (await acting.get("/v1/players/me/tokens")).json()["items"]

    own = await acting.call("DELETE", "/v1/players/me/tokens/current")
    hers = await acting.call("DELETE", f"/v1/players/me/tokens/{token['token_id']}")

    assert (own.status_code, hers.status_code) == (404, 204)
    assert (await Client(talon.http, zoe["token"]).get("/v1/players/me")).status_code == 401
    assert (await acting.get("/v1/players/me")).status_code == 200


async def test_a_profile_tells_no_more_than_name_and_record(talon: House, ann: Client) -> None:
    answer = await talon.stranger.get(f"/v1/players/{ann.id}")

    assert answer.json().keys() == {"player_id", "name", "created_at", "statistics"}
    assert answer.json()["statistics"] == {"points": 0, "matches_won": 0}


async def test_an_erased_player_is_gone_and_the_history_stands(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.finished(ann, bob)
    before = [item["hash"] for item in await bob.history(match)]

    erased = await ann.call("DELETE", "/v1/players/me")

    assert erased.status_code == 204
    assert (await ann.get("/v1/players/me")).status_code == 401
    assert (await talon.stranger.get(f"/v1/players/{ann.id}")).status_code == 404
    seat = (await bob.view(match))["seats"][0]
    assert (seat["player_id"], seat["name"]) == (None, None)
    assert [item["hash"] for item in await bob.history(match)] == before


async def test_erasure_gives_up_seats_in_open_matches(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.table(ann, bob)

    assert (await ann.call("DELETE", "/v1/players/me")).status_code == 204

    seats = (await bob.view(match))["seats"]
    assert [seat["name"] for seat in seats] == ["Bob"]


async def test_erasure_leaves_running_matches(talon: House, ann: Client, bob: Client) -> None:
    cat = await talon.person("Cat")
    match = await talon.running(ann, bob, cat)

    assert (await ann.call("DELETE", "/v1/players/me")).status_code == 204

    view = await bob.view(match)
    assert view["status"] == "running"
    assert [(seat["state"], seat["name"]) for seat in view["seats"]] == [
        ("left", None),
        ("playing", "Bob"),
        ("playing", "Cat"),
    ]


async def test_a_retry_after_erasure_brings_nobody_back(talon: House) -> None:
    once = key()
    made = await talon.stranger.post("/v1/players", {"name": "Ann"}, Idempotency_Key=once)
    ann = Client(talon.http, made.json()["token"])
    await ann.call("DELETE", "/v1/players/me")

    await talon.stranger.post("/v1/players", {"name": "Ann"}, Idempotency_Key=once)

    assert (await ann.get("/v1/players/me")).status_code == 401
