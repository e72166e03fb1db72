"""Ids in paths: with hyphens, or without, as events of tournaments name their matches."""

from __future__ import annotations

import pytest

from service.ids import id_in, new_id, text_of
from tests.service.support import Client, House

pytestmark = pytest.mark.anyio


async def test_a_match_is_found_by_its_id_without_hyphens(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.table(ann, bob)
    bare = match.replace("-", "")

    for path in ("", "/view", "/events", "/head"):
        usual, other = [await ann.get(f"/v1/matches/{id}{path}") for id in (match, bare)]
        assert (other.status_code, other.content) == (200, usual.content), path
    left = await ann.command(bare, {"type": "leave"})
    assert left.json()["view"]["match_id"] == match


def test_nothing_else_is_an_id() -> None:
    id = new_id()
    usual, bare = text_of(id), id.hex()

    assert id_in(usual) == id_in(bare) == id_in(usual.upper()) == id
    for text in ("", bare[:-1], bare + "0", f"{usual}-", f"{bare[:8]}-{bare[8:]}", f"{bare}\n"):
        assert id_in(text) is None, text
