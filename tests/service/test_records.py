"""Records, signed heads, receipts and refusals over HTTP: held against the keys and the checks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from domain.audit import statements
from domain.audit.checks import check
from domain.audit.record import read
from domain.audit.statements import PublicKey, key_id_of
from infra.signing import SigningKey, is_signed
from tests.service.support import Client, House, house
from tests.spec import seed_of

pytestmark = pytest.mark.anyio


@pytest.fixture
async def talon() -> Any:
    async with house() as opened:
        yield opened


async def record(who: Client, match: str) -> bytes:
    answer = await who.get(f"/v1/matches/{match}/record")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    return answer.content


async def keys(talon: House) -> dict[str, bytes]:
    listed = (await talon.stranger.get("/v1/log/keys")).json()
    return {key["key_id"]: bytes.fromhex(key["public_key"]) for key in listed["keys"]}


async def test_the_record_of_a_finished_match_holds_under_the_published_key(talon: House) -> None:
    ann, bob = await talon.person("Ann"), await talon.person("Bob")
    match = await talon.finished(ann, bob)

    content = await record(talon.stranger, match)

    report = check(content, is_signed, await keys(talon))
    assert report.faults == ()
    assert (report.match, report.status, report.sealed_from) == (match, "finished", None)
    assert [line.player_id for line in read(content).seats] == [ann.id, bob.id]


async def test_the_record_of_a_running_match_holds_nothing_that_is_hidden(talon: House) -> None:
    ann, bob = await talon.person("Ann"), await talon.person("Bob")
    match = await talon.running(ann, bob)

    content = await record(ann, match)

    assert content == await record(talon.stranger, match)
    events = [json.loads(json.loads(line)["data"]) for line in content.splitlines()[3:-1]]
    assert events == [item["event"] for item in await talon.stranger.history(match)]
    assert b"seed_revealed" not in content
    report = check(content, is_signed)
    assert (report.faults, report.sealed_from) == ((), events_before_the_start(events) + 1)


def events_before_the_start(events: list[dict[str, Any]]) -> int:
    return [event["type"] for event in events].index("match_started")


async def test_a_record_of_a_table_that_still_fills_names_who_sits_there(talon: House) -> None:
    ann, bob, cat = [await talon.person(name) for name in ("Ann", "Bob", "Cat")]
    match = await talon.table(ann, bob, cat)
    left = await bob.call("DELETE", f"/v1/matches/{match}/seats/me")
    assert left.status_code in (200, 204), left.text

    content = await record(ann, match)

    assert check(content, is_signed).faults == ()
    named = [(line.seat, line.player_id) for line in read(content).seats]
    assert named == [(0, ann.id), (1, cat.id)]


async def test_whoever_is_erased_is_in_no_record_and_every_record_still_holds(talon: House) -> None:
    ann, bob = await talon.person("Ann"), await talon.person("Bob")
    match = await talon.finished(ann, bob)
    before = await talon.stranger.get(f"/v1/matches/{match}/record")
    assert (await bob.call("DELETE", "/v1/players/me")).status_code == 204

    known = {"If-None-Match": before.headers["ETag"]}
    after = await talon.stranger.get(f"/v1/matches/{match}/record", **known)

    assert after.status_code == 200 and after.headers["ETag"] != before.headers["ETag"]
    assert bob.id.encode() in before.content and bob.id.encode() not in after.content
    assert check(before.content, is_signed).holds and check(after.content, is_signed).holds


async def test_a_record_that_is_known_is_not_sent_again(talon: House) -> None:
    match = await talon.running(await talon.person(), await talon.person())
    path = f"/v1/matches/{match}/record"
    first = await talon.stranger.get(path)

    again = await talon.stranger.get(path, **{"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]


async def test_a_head_is_signed(talon: House) -> None:
    match = await talon.running(await talon.person(), await talon.person())

    head = (await talon.stranger.get(f"/v1/matches/{match}/head")).json()

    last = (await talon.stranger.history(match))[-1]
    assert (head["version"], head["position"], head["hash"]) == (
        last["version"],
        last["position"],
        last["hash"],
    )
    said = statements.of_head(
        id_of(match), head["version"], head["position"], bytes.fromhex(head["hash"])
    )
    assert signed(await keys(talon), head["signature"], said)


async def test_a_receipt_is_signed_for_who_asks_for_it(talon: House) -> None:
    ann, bob = await talon.person("Ann"), await talon.person("Bob")
    match = await talon.running(ann, bob)
    view = await ann.view(match)
    mine = (ann, bob)[view["pending"]["seat"]]
    path = f"/v1/matches/{match}/commands"

    plain = await mine.post(path, {"type": "add_seed", "round": 2, "client_seed": ""})
    done = await mine.post(
        f"{path}?signed=true", {"type": "add_seed", "round": 2, "client_seed": ""}
    )

    assert "signature" not in plain.json()["receipt"]
    receipt = done.json()["receipt"]
    said = statements.of_receipt(
        id_of(match),
        receipt["from_version"],
        receipt["version"],
        receipt["position"],
        bytes.fromhex(receipt["previous_hash"]),
        bytes.fromhex(receipt["hash"]),
    )
    assert signed(await keys(talon), receipt["signature"], said)


async def test_a_refusal_is_signed_for_who_asks_for_it(talon: House) -> None:
    ann, bob = await talon.person("Ann"), await talon.person("Bob")
    match = await talon.running(ann, bob)
    path = f"/v1/matches/{match}/commands"

    refused = await ann.post(f"{path}?signed=true", {"seat": 1, "type": "catch_uno"})

    assert (refused.status_code, refused.json()["code"]) == (409, "catch_must_be_in_time")
    receipt = refused.json()["receipt"]
    assert receipt["command"] == '{"seat":1,"type":"catch_uno"}'
    assert (receipt["actor"], receipt["code"]) == ("seat:0", "catch_must_be_in_time")
    head = (await ann.get(f"/v1/matches/{match}/head")).json()
    assert (receipt["version"], receipt["hash"]) == (head["version"], head["hash"])
    said = statements.of_refusal(
        id_of(match),
        receipt["version"],
        bytes.fromhex(receipt["hash"]),
        microseconds(receipt["refused_at"]),
        receipt["actor"],
        receipt["code"],
        receipt["command"].encode(),
    )
    assert signed(await keys(talon), receipt["signature"], said)
    assert "receipt" not in (await ann.post(path, {"type": "catch_uno", "seat": 1})).json()


async def test_who_cannot_see_a_match_gets_no_signature(talon: House) -> None:
    ann, bob, eve = [await talon.person() for _ in range(3)]
    match = await talon.running(ann, bob, visibility="private")

    answer = await eve.post(f"/v1/matches/{match}/commands?signed=true", {"type": "draw_card"})

    assert answer.status_code == 404 and "receipt" not in answer.json()


async def test_a_key_that_was_used_once_stays_published(talon: House) -> None:
    former = SigningKey(seed_of("former key"))
    await talon.services.keys.keep(PublicKey(former.key_id, former.public_key, 1_000_000))

    listed = (await talon.stranger.get("/v1/log/keys")).json()

    newest, oldest = listed["keys"]
    assert listed["in_use"] == newest["key_id"] == key_id_of(bytes.fromhex(newest["public_key"]))
    assert newest["valid_until"] is None and oldest["valid_until"] == newest["valid_from"]
    assert (oldest["key_id"], oldest["valid_from"]) == (
        former.key_id,
        "1970-01-01T00:00:01.000000Z",
    )


def id_of(match: str) -> bytes:
    return bytes.fromhex(match.replace("-", ""))


def microseconds(moment: str) -> int:
    from datetime import UTC, datetime, timedelta

    since = datetime.fromisoformat(moment) - datetime(1970, 1, 1, tzinfo=UTC)
    return since // timedelta(microseconds=1)


def signed(published: dict[str, bytes], signature: dict[str, str], said: bytes) -> bool:
    key = published[signature["key_id"]]
    return is_signed(key, said, bytes.fromhex(signature["signature"]))
