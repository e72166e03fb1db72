"""Rematches: one for each match, the same rules, bots and people, whose seats are kept."""

from __future__ import annotations

import asyncio

import pytest

from domain.events import Seat
from service.identity import Kind
from tests.service.support import Client, House, key

pytestmark = pytest.mark.anyio

PRIVATE = {"visibility": "private", "tags": ["friday-league"]}


async def over(talon: House, *persons: Client, **more: object) -> str:
    """A match that is over, since everybody has left."""
    match = await talon.running(*persons, **more)
    for person in persons:
        await person.command(match, {"type": "leave"})
    assert (await persons[0].view(match))["status"] != "running"
    return match


async def again(person: Client, match: str, status: int) -> str:
    answer = await person.post(f"/v1/matches/{match}/rematch")
    assert answer.status_code == status, answer.text
    rematch: str = answer.json()["match_id"]
    assert answer.headers["location"] == f"/v1/matches/{rematch}"
    assert answer.headers["etag"] == f'"{answer.json()["version"]}.{answer.json()["seat"]}"'
    return rematch


async def test_a_rematch_has_the_same_rules_people_and_bots(
    talon: House, ann: Client, bob: Client
) -> None:
    rules = {"target": 100, "stacking": "same"}
    match = await over(talon, ann, bob, seats=3, bots=["random"], rules=rules)

    rematch = await again(bob, match, 201)
    assert await again(ann, match, 200) == rematch

    view = await ann.view(rematch)
    assert [(seat["name"], seat["bot"]) for seat in view["seats"]] == [
        ("Bob", None),
        (None, "random"),
        ("Ann", None),
    ]
    assert view["form"] == (await ann.view(match))["form"]
    created = (await ann.history(rematch))[0]["event"]
    assert created["options"] == (await ann.history(match))[0]["event"]["options"]
    assert (await bob.post(f"/v1/matches/{rematch}/start")).status_code == 200


async def test_a_match_has_one_rematch(talon: House, ann: Client, bob: Client) -> None:
    match = await over(talon, ann, bob)

    found = await asyncio.gather(
        *(person.post(f"/v1/matches/{match}/rematch") for person in (ann, bob) * 3)
    )

    assert sorted(answer.status_code for answer in found) == [200] * 5 + [201]
    (rematch,) = {answer.json()["match_id"] for answer in found}
    assert len((await ann.view(rematch))["seats"]) == 2


async def test_asking_again_changes_nothing(talon: House, ann: Client, bob: Client) -> None:
    match, once = await over(talon, ann, bob), key()
    first = await ann.post(f"/v1/matches/{match}/rematch", Idempotency_Key=once)

    retry = await ann.post(f"/v1/matches/{match}/rematch", Idempotency_Key=once)

    assert retry.json() == first.json()


async def test_seats_are_kept_until_those_who_played_have_joined(
    talon: House, ann: Client, bob: Client
) -> None:
    cat = await talon.person("Cat")
    match = await over(talon, ann, bob)
    rematch = await again(ann, match, 201)

    stranger = await cat.post(f"/v1/matches/{rematch}/seats")
    joined = await bob.post(f"/v1/matches/{rematch}/seats")

    assert (stranger.status_code, stranger.json()["code"]) == (409, "seat_is_kept")
    assert (joined.status_code, joined.json()["seat"]) == (200, 1)


async def test_the_seat_of_who_is_erased_is_kept_for_nobody(
    talon: House, ann: Client, bob: Client
) -> None:
    cat, dan = await talon.person("Cat"), await talon.person("Dan")
    match = await over(talon, ann, bob, dan)
    await bob.call("DELETE", "/v1/players/me")
    rematch = await again(ann, match, 201)

    first = await cat.post(f"/v1/matches/{rematch}/seats")
    second = await (await talon.person("Eve")).post(f"/v1/matches/{rematch}/seats")

    assert (first.status_code, second.json()["code"]) == (200, "seat_is_kept")
    assert (await dan.post(f"/v1/matches/{rematch}/seats")).json()["seat"] == Seat(2)


async def test_the_host_may_seat_a_bot_for_who_does_not_come(
    talon: House, ann: Client, bob: Client
) -> None:
    rematch = await again(ann, await over(talon, ann, bob), 201)

    seated = await ann.post(f"/v1/matches/{rematch}/bots", {"level": "steady"})

    assert seated.status_code == 200


async def test_a_private_rematch_is_there_for_those_who_played(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await over(talon, ann, bob, **PRIVATE)
    rematch = await again(ann, match, 201)
    cat = await talon.person("Cat")

    assert (await bob.get(f"/v1/matches/{rematch}")).status_code == 200
    assert (await cat.get(f"/v1/matches/{rematch}")).status_code == 404
    assert (await cat.post(f"/v1/matches/{rematch}/seats")).status_code == 404
    assert (await bob.post(f"/v1/matches/{rematch}/seats")).status_code == 200
    await talon.caught_up()
    tagged = await ann.get(f"/v1/players/{ann.id}/matches?tag=friday-league")
    assert [one["match_id"] for one in tagged.json()["items"]] == [rematch, match]


async def test_an_app_sets_up_the_rematch_of_its_table(
    talon: House, ann: Client, bob: Client
) -> None:
    app = await talon.holder(Kind.APP)
    match = (await app.post("/v1/matches", {"seats": 2})).json()["match_id"]
    for person in (ann, bob):
        await person.post(f"/v1/matches/{match}/seats")
    await app.post(f"/v1/matches/{match}/start")
    await ann.command(match, {"type": "leave"})

    made = await app.post(f"/v1/matches/{match}/rematch")

    assert (made.status_code, made.json()["seat"]) == (201, None)
    assert await again(ann, match, 200) == made.json()["match_id"]


async def test_a_match_that_goes_on_has_no_rematch(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)

    answer = await ann.post(f"/v1/matches/{match}/rematch")

    assert (answer.status_code, answer.json()["code"]) == (409, "match_not_over")


async def test_only_who_played_asks_for_a_rematch(talon: House, ann: Client, bob: Client) -> None:
    match = await over(talon, ann, bob)

    refused = await (await talon.person("Cat")).post(f"/v1/matches/{match}/rematch")

    assert (refused.status_code, refused.json()["code"]) == (403, "seat_must_be_yours")
