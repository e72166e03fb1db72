"""Tournaments where two things happen at once, or a thing is asked for twice."""

from __future__ import annotations

from typing import Any

import pytest

from service.identity import Kind
from service.tournaments import handle
from tests.service.support import Client, House, key
from tests.service.tournaments import four, running, set_up

pytestmark = pytest.mark.anyio


class ErasedAsTheySitDown:
    """Erases a person from another process, right after a seat at a table is held for them."""

    def __init__(self, talon: House, person: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        self.registry: Any = talon.services.registry
        self.player = bytes.fromhex(person.id.replace("-", ""))
        self.hold_seat = self.registry.hold_seat
        monkeypatch.setattr(self.registry, "hold_seat", self.held_and_erased)

    async def held_and_erased(self, holder: Any) -> Any:
        first = await self.hold_seat(holder)
        if holder.player == self.player:
            await self.registry.begin_erasure(self.player)
        return first


async def test_nobody_waits_for_who_is_erased_while_a_table_is_set_up(
    talon: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, *_ = await four(talon)
    held = await set_up(ann)
    await held.enter(ann, bob)
    ErasedAsTheySitDown(talon, bob, monkeypatch)

    await held.does("/start")
    await held.until(lambda seen: seen["version"] >= 8)
    (table,) = await held.tables()
    await running(table["match_id"], ann)
    assert (await ann.command(table["match_id"], {"type": "leave"})).status_code == 200

    assert len(table["voided"]) == 1
    assert (await held.over())["status"] == "finished"


async def test_a_substitute_is_named_once_however_often_it_is_asked_for(talon: House) -> None:
    app = await talon.holder(Kind.APP)
    made = (await app.post("/v1/players", {"name": "Eve"})).json()
    held = await set_up(app)
    await held.enter(*await four(talon))
    await held.does("/start")
    path, body, once = (
        f"{held.path}/entrants/0/replacement",
        {"player_id": made["player_id"]},
        key(),
    )

    first = await app.post(path, body, Idempotency_Key=once)
    again = await app.post(path, body, Idempotency_Key=once)
    other = await app.post(path, body, Idempotency_Key=key())

    assert (first.status_code, again.status_code, other.status_code) == (200, 200, 409)
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"


async def test_a_match_declared_void_after_its_table_ended_counts_no_more(talon: House) -> None:
    operator = await talon.holder(Kind.OPERATOR)
    people = await four(talon)
    held = await set_up(people[0], "swiss", rounds=1)
    await held.enter(*people)
    await held.does("/start")
    first, second = await held.tables()
    for table in (first, second):
        await running(table["match_id"], people[table["seats"][0]])
    left = await people[first["seats"][1]].command(first["match_id"], {"type": "leave"})
    assert left.status_code == 200, left.text
    await held.until(lambda seen: seen["version"] >= 10)
    ended = (await held.tables())[0]

    voided = await operator.post(f"/v1/matches/{first['match_id']}/void", {})
    assert voided.status_code == 200, voided.text
    await held.until(lambda seen: seen["version"] >= 12)

    again = (await held.tables())[0]
    await held.holds()
    assert ended["status"] == "over"
    assert again["voided"] == [first["match_id"]] != [again["match_id"]]


async def test_standings_are_counted_once_for_each_version(talon: House) -> None:
    ann, bob, *_ = await four(talon)
    held = await set_up(ann, "swiss", rounds=1)
    await held.enter(ann, bob)
    before = await held.look("/standings")
    await held.does("/start")
    (table,) = await held.tables()
    await running(table["match_id"], ann)
    tournaments = talon.services.tournaments
    followed = await tournaments.current(bytes.fromhex(held.id.replace("-", "")))

    assert tournaments.standings(followed) is tournaments.standings(followed)
    shown = await held.look("/standings")
    assert (await ann.command(table["match_id"], {"type": "leave"})).status_code == 200
    await held.over()
    later = await held.look("/standings")

    assert before["items"] == []
    assert [line["points"] for line in shown["items"]] == [0, 0]
    assert later["items"][0]["points"] == 2


async def test_so_many_tournaments_are_remembered_as_have_few_events(
    talon: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handle, "EVENTS_KEPT", 3)
    ann, *_ = await four(talon)
    some = [await set_up(ann, "swiss") for _ in range(5)]
    for held in some:
        await held.enter(ann)

    tournaments = talon.services.tournaments
    assert len(tournaments._recent) <= 2
    assert {(await held.look())["version"] for held in some} == {2}
