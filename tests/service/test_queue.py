"""Quick matches over HTTP: waiting, being matched, leaving, running out."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from domain.waiting import Ticket
from service.play.times import now_us
from service.quick_match import TICKET_SECONDS
from tests.service.support import QUICK, Client, House, house, key, play_on

pytestmark = pytest.mark.anyio

TWO = {"seats": 2, "rules": {"target": 50}}


async def waiting(person: Client, body: dict[str, Any] | None = None) -> dict[str, Any]:
    answer = await person.post("/v1/queue", body or TWO)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    assert answer.headers["location"] == f"/v1/queue/{found['ticket']}"
    return found


async def test_two_who_wait_for_the_same_are_given_a_match_that_runs(
    ann: Client, bob: Client
) -> None:
    first = await waiting(ann)
    second = await waiting(bob)
    asked = (await ann.get(f"/v1/queue/{first['ticket']}")).json()

    assert (first["status"], second["status"], asked["status"]) == ("waiting", *["matched"] * 2)
    assert asked["match_id"] == second["match_id"]
    view = await ann.view(asked["match_id"])
    assert [seat["name"] for seat in view["seats"]] == ["Ann", "Bob"]
    assert (view["status"], view["you"]["seat"]) == ("running", 0)
    assert (await play_on(asked["match_id"], (ann, bob)))["status"] == "finished"


async def test_who_waits_hears_of_the_match_as_soon_as_there_is_one(
    ann: Client, bob: Client
) -> None:
    asking = asyncio.create_task(ann.post("/v1/queue", TWO | {"wait": 30}))
    theirs = await waiting(bob)

    answer = await asyncio.wait_for(asking, 20)

    assert answer.json()["status"] == "matched"
    assert (await bob.get(f"/v1/queue/{theirs['ticket']}?wait=9")).json()["status"] == "matched"


async def test_a_ticket_can_be_waited_on(ann: Client, bob: Client) -> None:
    mine = await waiting(ann)
    asking = asyncio.create_task(ann.get(f"/v1/queue/{mine['ticket']}?wait=30"))
    await waiting(bob)

    assert (await asyncio.wait_for(asking, 20)).json()["status"] == "matched"


async def test_bots_sit_down_only_where_they_are_wished_for(ann: Client, bob: Client) -> None:
    with_bots = await waiting(ann, {"seats": 3, "bots": ["steady", "random"]})
    without = await waiting(bob, {"seats": 3})

    assert (with_bots["status"], without["status"]) == ("matched", "waiting")
    view = await ann.view(with_bots["match_id"])
    assert [seat["bot"] for seat in view["seats"]] == [None, "steady", "random"]


async def test_other_rules_are_another_wish(ann: Client, bob: Client) -> None:
    await waiting(ann)

    assert (await waiting(bob, {"seats": 2}))["status"] == "waiting"


async def test_a_person_has_one_ticket_at_a_time(ann: Client) -> None:
    first = await waiting(ann)

    again = await waiting(ann)
    other = await ann.post("/v1/queue", {"seats": 5})

    assert again["ticket"] == first["ticket"]
    assert (other.status_code, other.json()["code"]) == (409, "already_waiting")


async def test_a_retry_answers_the_ticket_with_its_match(ann: Client, bob: Client) -> None:
    once = key()
    first = await ann.post("/v1/queue", TWO, Idempotency_Key=once)
    await waiting(bob)

    again = await ann.post("/v1/queue", TWO, Idempotency_Key=once)
    changed = await ann.post("/v1/queue", {"seats": 5}, Idempotency_Key=once)

    assert again.json()["ticket"] == first.json()["ticket"]
    assert again.headers["idempotent-replayed"] == "true"
    assert again.json()["status"] == "matched"
    assert (changed.status_code, changed.json()["code"]) == (422, "key_reused")


async def test_who_leaves_is_not_matched(ann: Client, bob: Client) -> None:
    mine = await waiting(ann)

    left = await ann.call("DELETE", f"/v1/queue/{mine['ticket']}")

    assert left.status_code == 204
    assert (await ann.get(f"/v1/queue/{mine['ticket']}")).status_code == 404
    assert (await waiting(bob))["status"] == "waiting"


async def test_a_retry_after_the_wait_is_over_answers_the_same_and_does_not_wait(
    ann: Client, bob: Client
) -> None:
    once = key()
    first = await ann.post("/v1/queue", TWO, Idempotency_Key=once)
    await ann.call("DELETE", f"/v1/queue/{first.json()['ticket']}")

    again = await ann.post("/v1/queue", TWO, Idempotency_Key=once)

    assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
    told = ("ticket", "status", "since")
    assert [again.json()[field] for field in told] == [first.json()[field] for field in told]
    assert (await waiting(bob))["status"] == "waiting"


async def test_after_the_match_is_there_the_match_is_what_to_leave(
    ann: Client, bob: Client
) -> None:
    await waiting(ann)
    matched = await waiting(bob)

    left = await bob.call("DELETE", f"/v1/queue/{matched['ticket']}")

    assert (left.status_code, left.json()["code"]) == (409, "already_matched")


async def test_the_ticket_of_another_is_not_there(ann: Client, bob: Client) -> None:
    mine = await waiting(ann)

    for method in ("GET", "DELETE"):
        assert (await bob.call(method, f"/v1/queue/{mine['ticket']}")).status_code == 404


async def test_who_does_not_ask_any_more_is_no_opponent() -> None:
    later = [0]
    async with house(QUICK, now=lambda: now_us() + later[0]) as talon:
        ann, bob = await talon.person("Ann"), await talon.person("Bob")
        mine = await waiting(ann)
        later[0] = TICKET_SECONDS * 1_000_000

        assert (await waiting(bob))["status"] == "waiting"
        assert (await ann.get(f"/v1/queue/{mine['ticket']}")).status_code == 404
        assert (await waiting(ann))["status"] == "matched"


async def test_who_is_erased_waits_no_more(talon: House, ann: Client, bob: Client) -> None:
    await waiting(ann)
    await ann.call("DELETE", "/v1/players/me")

    assert (await waiting(bob))["status"] == "waiting"


async def test_a_party_of_which_one_is_erased_leaves_the_seat_open(
    talon: House, ann: Client, bob: Client
) -> None:
    """As if the process that paired them had been killed before it set their match up."""
    mine, match = await waiting(ann), bytes(15) + b"m"
    held = await talon.services.queue.ticket(bytes.fromhex(mine["ticket"].replace("-", "")))
    assert held is not None
    other = Ticket(
        bytes(16), bytes.fromhex(bob.id.replace("-", "")), *(held.salt, held.wish),
        held.since + 1, held.until,
    )  # fmt: skip
    await talon.services.queue.enter(other, held.since)
    await talon.services.queue.pair(held.wish, 2, match, held.since + 2)
    await talon.services.registry.begin_erasure(other.player)

    asked = (await ann.get(f"/v1/queue/{mine['ticket']}")).json()

    view = await ann.view(asked["match_id"])
    assert (view["status"], [seat["name"] for seat in view["seats"]]) == ("open", ["Ann"])


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seats": 2, "bots": ["steady"] * 2}, "#/bots"),
        ({"seats": 11}, "#/seats"),
        ({"seats": 2, "wait": 31}, "#/wait"),
    ],
)
async def test_a_wish_must_be_possible(ann: Client, body: dict[str, Any], pointer: str) -> None:
    answer = await ann.post("/v1/queue", body)

    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, pointer)
