"""Histories: pages, lines, stored bytes, and what each viewer sees of them."""

from __future__ import annotations

import hashlib
import json

import pytest

from domain.chain import event_hash, genesis
from service.identity import Kind
from service.ids import id_in
from tests.service.support import Client, House, on_turn

pytestmark = pytest.mark.anyio


async def test_a_history_comes_in_pages(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    whole = await ann.history(match)

    items, path = [], f"/v1/matches/{match}/events?limit=3"
    while path:
        page = await ann.get(path)
        assert len(page.json()["items"]) <= 3
        items += page.json()["items"]
        path = page.links["next"]["url"] if page.json()["next"] else ""

    assert items == whole
    assert [item["version"] for item in items] == list(range(1, len(items) + 1))


async def test_a_history_is_read_on_from_a_version(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    whole = await ann.history(match)

    page = await ann.get(f"/v1/matches/{match}/events?after=4")
    last = await ann.get(f"/v1/matches/{match}/events?after={len(whole)}")

    assert page.json() == {"items": whole[4:], "next": None}
    assert last.json() == {"items": [], "next": None}
    assert "link" not in last.headers


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("limit=0", "?limit"),
        ("limit=201", "?limit"),
        ("limit=x", "?limit"),
        ("after=-1", "?after"),
        ("after=1&after=2", "?after"),
        ("format=xml", "?format"),
        ("cursor=!", "?cursor"),
        ("cursor=wA", "?cursor"),
        ("cursor=z3__________", "?cursor"),  # 2**63 - 1
        ("offset=3", "?offset"),
    ],
)
async def test_a_wrong_parameter_is_pointed_at(
    talon: House, ann: Client, bob: Client, query: str, pointer: str
) -> None:
    match = await talon.running(ann, bob)

    refused = await ann.get(f"/v1/matches/{match}/events?{query}")

    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field")
    assert refused.json()["errors"][0]["pointer"] == pointer


async def test_lines_hold_one_item_each(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.finished(ann, bob)

    answer = await ann.get(f"/v1/matches/{match}/events", Accept="application/x-ndjson")

    assert answer.headers["content-type"].startswith("application/x-ndjson")
    lines = answer.text.splitlines()
    assert len(lines) == (await ann.view(match))["version"]
    assert json.loads(lines[-1])["type"] == "match_ended"


async def test_stored_bytes_can_be_hashed_by_anybody(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    items = (await talon.stranger.get(f"/v1/matches/{match}/events?format=stored")).json()["items"]
    stream = id_in(match)
    assert stream is not None

    previous = genesis(stream)
    for item in items:
        assert json.loads(item["data"]) == item["event"]
        previous = event_hash(
            stream_id=stream,
            version=item["version"],
            type=item["type"],
            schema=item["schema"],
            occurred_at=_microseconds(item["occurred_at"]),
            actor=item["actor"],
            command_id=None if item["command_id"] is None else bytes.fromhex(item["command_id"]),
            previous=previous,
            data=item["data"].encode(),
        )
        assert previous.hex() == item["hash"]


async def test_everybody_reads_the_same_but_for_what_is_theirs(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    await on_turn(await ann.view(match), (ann, bob)).command(match, {"type": "draw_card"})

    histories = [await who.history(match) for who in (ann, bob, talon.stranger)]

    mine = [[item.pop("mine", None) for item in history] for history in histories]
    assert histories[0] == histories[1] == histories[2]
    assert not any(mine[2])
    hands = [next(seen["hand"] for seen in own if seen and "hand" in seen) for own in mine[:2]]
    assert [len(hand) for hand in hands] == [7, 7]


def id_of_a_command(match: str, kind: str, digest: str, key: str) -> str:
    """What docs/log-format.md says under "Command ids"."""
    parts = [b"talon-command/1", bytes.fromhex(match.replace("-", ""))]
    for text in (kind, digest):
        parts += [bytes([len(text)]), text.encode()]
    return hashlib.sha256(b"".join(parts) + key.encode()).digest()[:16].hex()


async def test_command_ids_are_made_as_the_page_says(
    talon: House, ann: Client, bob: Client
) -> None:
    made = await ann.post("/v1/matches", {"seats": 2}, Idempotency_Key="one")
    match = made.json()["match_id"]
    await bob.post(f"/v1/matches/{match}/seats", {}, Idempotency_Key='"two"')
    await ann.post(f"/v1/matches/{match}/start", Idempotency_Key="three")
    seed = {"type": "add_seed", "round": 2, "client_seed": "bHVjaw"}
    await bob.command(match, seed, Idempotency_Key="four")

    history = await talon.stranger.history(match)
    anns, bobs = [one["event"]["player"] for one in history if one["type"] == "player_joined"]
    ids = {one["type"]: one["command_id"] for one in history if one["command_id"] is not None}

    assert ids == {
        "match_created": id_of_a_command(match, "seat", anns, "\0create"),
        "player_joined": id_of_a_command(match, "seat", bobs, "two"),
        "match_started": id_of_a_command(match, "seat", anns, "\0start"),
        "seed_added": id_of_a_command(match, "seat", bobs, "four"),
    }


async def test_an_app_that_sets_a_table_up_for_others_is_named_as_who_did(
    talon: House,
) -> None:
    app = await talon.holder(Kind.APP)
    made = (await app.post("/v1/matches", {"seats": 2, "bots": ["random", "random"]})).json()
    match = made["match_id"]
    await app.post(f"/v1/matches/{match}/start")

    first = {one["type"]: one for one in await app.history(match) if one["command_id"]}

    for type, key in (("match_created", "\0create"), ("match_started", "\0start")):
        assert first[type]["actor"] == "app"
        assert first[type]["command_id"] == id_of_a_command(match, "app", "", key)


def _microseconds(moment: str) -> int:
    from datetime import UTC, datetime, timedelta

    passed = datetime.fromisoformat(moment) - datetime(1970, 1, 1, tzinfo=UTC)
    return passed // timedelta(microseconds=1)
