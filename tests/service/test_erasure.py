"""Being erased while one sits down, here or by way of another process."""

from __future__ import annotations

from typing import Any

import pytest

from service.identity import Kind
from tests.service.support import Client, House, key

pytestmark = pytest.mark.anyio


class Meanwhile:
    """Erases a person from another process, right after a seat is held for them here."""

    def __init__(self, talon: House, monkeypatch: pytest.MonkeyPatch) -> None:
        self.registry: Any = talon.services.registry
        self.hold_seat = self.registry.hold_seat
        monkeypatch.setattr(self.registry, "hold_seat", self.held_and_erased)

    async def held_and_erased(self, holder: Any) -> Any:
        first = await self.hold_seat(holder)
        await self.registry.begin_erasure(holder.player)
        return first


async def erased_elsewhere(talon: House, person: Client) -> None:
    """What another process does to the registry: this one still knows the token."""
    assert (await person.get("/v1/players/me")).status_code == 200
    await talon.services.registry.begin_erasure(bytes.fromhex(person.id.replace("-", "")))


async def test_who_is_erased_sits_down_nowhere(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.table(bob)
    await erased_elsewhere(talon, ann)

    joined = await ann.post(f"/v1/matches/{match}/seats")
    made = await ann.post("/v1/matches", {"seats": 2})

    assert (joined.status_code, made.status_code) == (403, 403)
    assert [seat["name"] for seat in (await bob.view(match))["seats"]] == ["Bob"]


async def test_who_is_erased_while_they_sit_down_gets_up_again(
    talon: House, ann: Client, bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await talon.table(bob)
    Meanwhile(talon, monkeypatch)

    joined = await ann.post(f"/v1/matches/{match}/seats")

    assert joined.status_code == 403
    assert [seat["name"] for seat in (await bob.view(match))["seats"]] == ["Bob"]


async def test_the_match_of_a_creator_who_is_erased_meanwhile_is_abandoned(
    talon: House, ann: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    Meanwhile(talon, monkeypatch)

    made = await ann.post("/v1/matches", {"seats": 2})
    await talon.caught_up()

    assert made.status_code == 403
    listed = (await talon.stranger.get("/v1/matches?status=open")).json()["items"]
    assert [match["match_id"] for match in listed] == []


async def test_an_erasure_may_be_asked_again_by_the_app_too(talon: House) -> None:
    app = await talon.holder(Kind.APP)
    zoe = (await app.post("/v1/players", {"name": "Zoe"})).json()["player_id"]

    answers = [
        await app.call("DELETE", "/v1/players/me", Talon_Player=zoe),
        await app.call("DELETE", "/v1/players/me", Talon_Player=zoe),
        await app.get("/v1/players/me", Talon_Player=zoe),
        await app.post("/v1/matches", {"seats": 2}, Talon_Player=zoe),
    ]

    assert [answer.status_code for answer in answers] == [204, 204, 404, 403]


async def test_a_refused_join_leaves_no_trace_of_the_person(
    talon: House, ann: Client, bob: Client
) -> None:
    cat = await talon.person("Cat")
    match = await talon.table(ann, bob)

    refused = await cat.post(f"/v1/matches/{match}/seats", Idempotency_Key=key())

    assert (refused.status_code, refused.json()["code"]) == (409, "seat_must_be_free")
    of_cat = bytes.fromhex(cat.id.replace("-", ""))
    assert await talon.services.registry.matches_of(of_cat, None, 10) == ()


async def test_nothing_leads_to_an_erased_opponent(talon: House, ann: Client, bob: Client) -> None:
    await talon.table(ann, bob)
    await talon.caught_up()
    found = await ann.get(f"/v1/players/{ann.id}/matches?opponent={bob.id}")

    await bob.call("DELETE", "/v1/players/me")
    gone = await ann.get(f"/v1/players/{ann.id}/matches?opponent={bob.id}")

    assert (len(found.json()["items"]), gone.json()["items"]) == (1, [])
