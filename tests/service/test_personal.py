"""What a person is given of themselves, and what stays true once they are erased."""

from __future__ import annotations

import json
from typing import Any

import pytest

from domain.audit.checks import check
from domain.audit.merkle import is_consistent, is_included, leaf_hash
from domain.deal import player_digest
from infra.signing import is_signed
from service.identity import Kind
from tests.service.support import Client, House, key
from tests.service.test_proofs import checkpoint, covered, hashes_of, read

pytestmark = pytest.mark.anyio


async def exported(who: Client, **headers: str) -> list[dict[str, Any]]:
    answer = await who.get("/v1/players/me/export", **headers)
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def bytes_of(id: str) -> bytes:
    return bytes.fromhex(id.replace("-", ""))


async def test_all_that_is_kept_is_there(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.finished(ann, bob, tags=["evening"])
    await ann.post("/v1/players/me/tokens", {"expires_in": 3600}, Idempotency_Key=key())
    await ann.post("/v1/queue", {"seats": 5})
    await talon.caught_up()

    lines = await exported(ann)

    kinds = [line["type"] for line in lines]
    assert kinds[0] == "person" and (kinds.count("token"), kinds.count("ticket")) == (2, 1)
    assert (lines[0]["player_id"], lines[0]["name"], lines[0]["app_id"]) == (ann.id, "Ann", None)
    (seat,) = [line for line in lines if line["type"] == "seat"]
    assert (seat["stream"], seat["created"], seat["tags"]) == (match, True, ["evening"])
    assert seat["digest"] == player_digest(bytes.fromhex(seat["salt"]), bytes_of(ann.id))
    history = json.dumps(await bob.history(match))
    assert seat["digest"] in history
    requests = {line["operation"] for line in lines if line["type"] == "request"}
    assert requests == {"createToken"}


async def test_what_one_has_set_up_for_others_is_there(talon: House, ann: Client) -> None:
    mine = (await ann.post("/v1/tournaments", {"format": "swiss", "tags": ["cup"]})).json()
    entered = (await ann.post("/v1/tournaments", {"format": "swiss"})).json()["tournament"]
    await ann.post(f"/v1/tournaments/{entered['tournament_id']}/entrants")

    lines = await exported(ann)

    (creation,) = [line for line in lines if line["type"] == "creation"]
    assert creation["stream"] == mine["tournament"]["tournament_id"]
    assert creation["tags"] == ["cup"]
    (seat,) = [line for line in lines if line["type"] == "seat"]
    assert (seat["stream"], seat["created"]) == (entered["tournament_id"], True)


async def test_results_are_there_once_they_are_counted(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.finished(ann, bob)
    await talon.caught_up()

    lines = await exported(ann)

    (rating,) = [line for line in lines if line["type"] == "rating"]
    assert rating["match_id"] == match
    assert [line["form"] for line in lines if line["type"] == "totals"] == ["free_for_all"]


async def test_nothing_of_anybody_else_is_there(talon: House, ann: Client, bob: Client) -> None:
    await talon.finished(ann, bob)
    await talon.caught_up()

    told = json.dumps(await exported(ann))

    assert bob.id not in told and "Bob" not in told
    assert ann.token is not None and ann.token not in told


async def test_an_app_takes_it_for_its_players_alone(talon: House, ann: Client) -> None:
    app = await talon.holder(Kind.APP)
    zoe = (await app.post("/v1/players", {"name": "Zoe"})).json()["player_id"]

    (person, *_) = await exported(app, Talon_Player=zoe)
    foreign = await app.get("/v1/players/me/export", Talon_Player=ann.id)

    assert person["name"] == "Zoe" and bytes_of(person["app_id"]).hex() == app.id
    assert foreign.status_code == 403


async def test_every_proof_holds_once_a_person_is_erased(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.finished(ann, bob)
    await covered(talon)
    head = (await ann.get(f"/v1/matches/{match}/head")).json()
    record = (await ann.get(f"/v1/matches/{match}/record")).content
    before = await checkpoint(talon.stranger)

    assert (await bob.call("DELETE", "/v1/players/me")).status_code == 204

    await talon.running(ann, await talon.person())
    await covered(talon)
    later = (await ann.get(f"/v1/matches/{match}/record")).content
    proof = (await talon.stranger.get(f"/v1/log/proofs/{head['position']}")).json()
    now = await read(talon.stranger, proof["checkpoint"])
    leaf = leaf_hash(bytes.fromhex(head["hash"]))
    grown = (
        await talon.stranger.get(f"/v1/log/consistency?from={before.size}&to={now.size}")
    ).json()
    assert check(record, is_signed).holds and check(later, is_signed).holds
    assert bytes_of(bob.id).hex() not in later.decode().replace("-", "")
    assert is_included(leaf, proof["index"], now.size, hashes_of(proof), now.root)
    assert is_consistent(before.size, now.size, before.root, now.root, hashes_of(grown))
    assert (await ann.get(f"/v1/matches/{match}/head")).json()["hash"] == head["hash"]
