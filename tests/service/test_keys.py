"""Keys of apps, auditors and operators: changed without a pause, made by operators, ended."""

from __future__ import annotations

from typing import Any

import pytest

from domain.ports import Principal
from service.identity import Kind, new_token, token_hash
from service.ids import new_id, text_of
from tests.service.support import Client, House, key

pytestmark = pytest.mark.anyio


async def test_an_app_changes_its_key_while_the_old_one_still_works(talon: House) -> None:
    app = await talon.holder(Kind.APP)
    zoe = (await app.post("/v1/players", {"name": "Zoe"})).json()["player_id"]

    made = (await app.post("/v1/keys")).json()
    new = Client(talon.http, made["token"])
    both = [await one.get("/v1/players/me", Talon_Player=zoe) for one in (app, new)]
    listed = (await new.get("/v1/keys")).json()["items"]
    (old,) = [one for one in listed if not one["current"]]
    ended = await new.call("DELETE", f"/v1/keys/{old['token_id']}")

    assert made["app_id"] == text_of(bytes.fromhex(app.id))
    assert [answer.status_code for answer in both] == [200, 200]
    assert (len(listed), ended.status_code) == (2, 204)
    assert (await app.get("/v1/keys")).status_code == 401
    assert (await new.get("/v1/players/me", Talon_Player=zoe)).status_code == 200


async def test_a_retry_makes_one_key(talon: House) -> None:
    app, once = await talon.holder(Kind.APP), key()

    first = await app.post("/v1/keys", {}, Idempotency_Key=once)
    again = await app.post("/v1/keys", {}, Idempotency_Key=once)

    assert again.json() == first.json()
    assert len((await app.get("/v1/keys")).json()["items"]) == 2


async def test_no_key_outlasts_the_one_that_makes_it(talon: House) -> None:
    operator = await talon.holder(Kind.OPERATOR)
    brief = (await operator.post("/v1/keys", {"expires_in": 3600})).json()
    other = Client(talon.http, brief["token"])

    for body in ({}, {"expires_in": 7200}, {"kind": "app", "name": "My game"}):
        assert (await other.post("/v1/keys", body)).json()["expires_at"] == brief["expires_at"]


@pytest.mark.parametrize("kind", ["app", "auditor", "operator"])
async def test_an_operator_makes_keys_for_others(talon: House, kind: str) -> None:
    operator = await talon.holder(Kind.OPERATOR)
    named = {"name": "My game"} if kind == "app" else {}

    made = (await operator.post("/v1/keys", {"kind": kind} | named)).json()
    holder = Client(talon.http, made["token"])

    assert (made["kind"], made["expires_at"]) == (kind, None)
    assert ("app_id" in made) == (kind == "app")
    assert len((await holder.get("/v1/keys")).json()["items"]) == 1
    assert len((await operator.get("/v1/keys")).json()["items"]) == 1


@pytest.mark.parametrize(
    "body", [{"kind": "app"}, {"kind": "auditor", "name": "A"}, {"name": "A"}, {"kind": "player"}]
)
async def test_an_app_has_a_name_and_nobody_else(talon: House, body: dict[str, Any]) -> None:
    operator = await talon.holder(Kind.OPERATOR)

    assert (await operator.post("/v1/keys", body)).status_code == 422


async def test_an_operator_makes_a_key_for_an_app_that_has_lost_its_own(talon: House) -> None:
    operator = await talon.holder(Kind.OPERATOR)
    first = (await operator.post("/v1/keys", {"kind": "app", "name": "My game"})).json()
    lost = Client(talon.http, first["token"])
    player = (await lost.post("/v1/players", {"name": "Ann"})).json()["player_id"]
    assert (await lost.call("DELETE", "/v1/keys/current")).status_code == 204

    again = await operator.post("/v1/keys", {"kind": "app", "app_id": first["app_id"]})

    assert again.json()["app_id"] == first["app_id"]
    found = Client(talon.http, again.json()["token"], **{"Talon-Player": player})
    assert (await found.get("/v1/players/me")).json()["name"] == "Ann"
    for body in (
        {"kind": "app", "app_id": player},
        {"kind": "app", "app_id": "mine"},
        {"kind": "app", "app_id": first["app_id"], "name": "Other"},
        {"kind": "auditor", "app_id": first["app_id"]},
    ):
        assert (await operator.post("/v1/keys", body)).status_code == 422
    refused = await found.post("/v1/keys", {"kind": "app", "app_id": first["app_id"]})
    assert refused.status_code == 403


async def test_nobody_ends_the_keys_of_others(talon: House) -> None:
    app, other = await talon.holder(Kind.APP), await talon.holder(Kind.APP)
    (mine,) = (await app.get("/v1/keys")).json()["items"]

    refused = await other.call("DELETE", f"/v1/keys/{mine['token_id']}")

    assert refused.status_code == 404
    assert (await app.call("DELETE", "/v1/keys/current")).status_code == 204
    assert (await app.get("/v1/keys")).status_code == 401


async def test_an_app_acting_for_a_player_has_no_keys(talon: House) -> None:
    app = await talon.holder(Kind.APP)
    zoe = (await app.post("/v1/players", {"name": "Zoe"})).json()["player_id"]

    assert (await app.post("/v1/keys", Talon_Player=zoe)).status_code == 403


async def test_an_apps_brief_key_makes_lasting_tokens_for_players(talon: House) -> None:
    owner, token = new_id(), new_token()
    now = talon.services.now()
    await talon.services.registry.add_token(
        token_hash(token), Principal(Kind.APP, owner), now, now + 60_000_000
    )
    app = Client(talon.http, token)
    zoe = (await app.post("/v1/players", {"name": "Zoe"})).json()["player_id"]

    made = await app.post("/v1/players/me/tokens", {}, Talon_Player=zoe)

    assert made.json()["expires_at"] is None
