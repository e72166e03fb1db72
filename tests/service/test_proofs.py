"""The log's proofs over HTTP, checked as somebody does who trusts nobody."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from domain.audit.merkle import is_consistent, is_included, leaf_hash
from domain.audit.notes import ED25519, Checkpoint, NoteKey, checkpoint_in, is_signed_by, opened
from infra.signing import is_signed
from tests.service.support import Client, House

pytestmark = pytest.mark.anyio


async def test_an_empty_log_says_so(talon: House) -> None:
    assert (await checkpoint(talon.stranger)).size == 0


async def test_the_event_of_a_receipt_is_proved_to_be_in_the_log(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    head = (await ann.get(f"/v1/matches/{match}/head")).json()
    await covered(talon)

    answer = await talon.stranger.get(f"/v1/log/proofs/{head['position']}")

    proof = answer.json()
    said = await read(talon.stranger, proof["checkpoint"])
    leaf = leaf_hash(bytes.fromhex(head["hash"]))
    assert (proof["event_hash"], proof["leaf_hash"]) == (head["hash"], leaf.hex())
    assert (proof["index"], proof["size"]) == (head["position"] - 1, said.size)
    assert is_included(leaf, proof["index"], said.size, hashes_of(proof), said.root)


async def test_a_log_proves_that_it_was_only_added_to(
    talon: House, ann: Client, bob: Client
) -> None:
    await talon.running(ann, bob)
    await covered(talon)
    old = await checkpoint(talon.stranger)
    await talon.running(ann, bob)
    await covered(talon)

    proof = (await talon.stranger.get(f"/v1/log/consistency?from={old.size}")).json()

    new = await read(talon.stranger, proof["checkpoint"])
    assert (proof["from"], proof["to"]) == (old.size, new.size)
    assert old.size < new.size
    assert is_consistent(old.size, new.size, old.root, new.root, hashes_of(proof))
    between = f"/v1/log/consistency?from={old.size - 1}&to={old.size + 1}"
    assert (await talon.stranger.get(between)).json()["checkpoint"] is None


async def test_what_is_not_signed_yet_is_not_proved(talon: House) -> None:
    for position in ("0", "1", "-1", "x", "1" * 30, "٣"):
        assert (await talon.stranger.get(f"/v1/log/proofs/{position}")).status_code == 404
    assert (await talon.stranger.get("/v1/log/consistency?to=5")).status_code == 404
    refused = await talon.stranger.get("/v1/log/consistency?from=5")
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "?from"


async def checkpoint(who: Client) -> Checkpoint:
    answer = await who.get("/v1/log/checkpoint")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    return await read(who, answer.text)


async def read(who: Client, text: str) -> Checkpoint:
    """What a checkpoint says, if a key of the log has signed it."""
    note = opened(text)
    said = checkpoint_in(note)
    listed = (await who.get("/v1/log/keys")).json()["keys"]
    keys = [NoteKey(said.origin, ED25519, bytes.fromhex(one["public_key"])) for one in listed]
    assert any(is_signed_by(note, key, is_signed) for key in keys)
    return said


async def covered(talon: House) -> None:
    """Wait until a checkpoint covers all that was added: it does within seconds."""
    position = await talon.position()
    async with asyncio.timeout(30):
        while (await checkpoint(talon.stranger)).size < position:
            await asyncio.sleep(0.05)


def hashes_of(proof: dict[str, Any]) -> list[bytes]:
    return [bytes.fromhex(one) for one in proof["hashes"]]
