"""Matches before their start: setting up, inviting, joining, leaving, bots, starting, the lobby."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest

from tests.service.support import Client, House

pytestmark = pytest.mark.anyio


async def test_the_creator_takes_seat_0_and_is_the_host(ann: Client) -> None:
    made = await ann.post("/v1/matches", {"seats": 3, "rules": {"target": 200}})

    answer = made.json()
    assert made.status_code == 201
    assert made.headers["location"] == f"/v1/matches/{answer['match_id']}"
    assert made.headers["etag"] == f'"{answer["version"]}.0"'
    assert (answer["seat"], answer["view"]["host"], answer["view"]["you"]["seat"]) == (0, 0, 0)
    assert answer["view"]["options"]["target"] == 200
    assert answer["view"]["seats"][0]["player_id"] == ann.id
    assert [item["type"] for item in answer["events"]] == [
        "match_created",
        "player_joined",
        "round_committed",
    ]
    assert answer["receipt"]["version"] == answer["version"] == 3
    assert "invite" not in answer


async def test_bots_come_with_the_match(ann: Client) -> None:
    made = await ann.post("/v1/matches", {"seats": 3, "bots": ["steady", "random"]})

    answer = made.json()
    assert [seat["bot"] for seat in answer["view"]["seats"]] == [None, "steady", "random"]
    assert [item["version"] for item in answer["events"]] == list(range(1, answer["version"] + 1))
    receipt = answer["receipt"]
    assert (receipt["from_version"], receipt["version"]) == (0, 5)
    assert receipt["hash"] == answer["events"][-1]["hash"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seats": 1}, "#/seats"),
        ({"seats": 11}, "#/seats"),
        ({"seats": "2"}, "#/seats"),
        ({}, "#/seats"),
        ({"seats": 2, "bots": ["steady", "steady"]}, "#/bots"),
        ({"seats": 2, "bots": ["perfect"]}, "#/bots/0"),
        ({"seats": 2, "rules": {"target": 49}}, "#/rules/target"),
        ({"seats": 2, "rules": {"jokers": 2}}, "#/rules/jokers"),
        ({"seats": 2, "visibility": "secret"}, "#/visibility"),
        ({"seats": 2, "tags": ["Not a tag"]}, "#/tags/0"),
    ],
)
async def test_a_match_that_cannot_be_is_refused(ann: Client, body: Any, pointer: str) -> None:
    refused = await ann.post("/v1/matches", body)

    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field")
    assert refused.json()["errors"][0]["pointer"] == pointer


async def test_joining_twice_keeps_the_seat(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.table(ann, seats=3)

    first = await bob.post(f"/v1/matches/{match}/seats")
    second = await bob.post(f"/v1/matches/{match}/seats")

    assert (first.json()["seat"], second.json()["seat"]) == (1, 1)
    assert second.json()["version"] == first.json()["version"]
    assert second.json()["events"] == []


async def test_of_two_who_want_the_last_seat_one_gets_it(
    talon: House, ann: Client, bob: Client
) -> None:
    match, cat = await talon.table(ann), await talon.person("Cat")

    answers = await asyncio.gather(
        *(person.post(f"/v1/matches/{match}/seats") for person in (bob, cat))
    )

    assert sorted(answer.status_code for answer in answers) == [200, 409]
    (refused,) = (answer for answer in answers if answer.status_code == 409)
    assert refused.json()["code"] == "seat_must_be_free"
    assert refused.json()["rule"] == "SETUP-1"


async def test_seats_close_up_when_somebody_leaves(talon: House, ann: Client, bob: Client) -> None:
    cat = await talon.person("Cat")
    match = await talon.table(ann, bob, cat)

    left = await bob.call("DELETE", f"/v1/matches/{match}/seats/me")

    assert "you" not in left.json()["view"]
    assert (await cat.view(match))["you"]["seat"] == 1
    assert (await cat.get(f"/v1/matches/{match}/view")).headers["etag"].endswith('.1"')
    again = await bob.post(f"/v1/matches/{match}/seats")
    assert again.json()["seat"] == 2


async def test_the_host_seats_bots_and_nobody_else_does(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.table(ann, bob, seats=3)

    refused = await bob.post(f"/v1/matches/{match}/bots", {"level": "steady"})
    seated = await ann.post(f"/v1/matches/{match}/bots", {"level": "steady"})

    assert (refused.status_code, refused.json()["code"]) == (403, "host_must_ask")
    assert (seated.status_code, seated.json()["seat"]) == (200, 2)


async def test_a_match_starts_once_all_seats_are_taken(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.table(ann)
    early = await ann.post(f"/v1/matches/{match}/start")
    await bob.post(f"/v1/matches/{match}/seats")
    not_the_host = await bob.post(f"/v1/matches/{match}/start")

    started = await ann.post(f"/v1/matches/{match}/start")

    assert (early.status_code, early.json()["code"]) == (409, "seats_must_be_taken")
    assert (not_the_host.status_code, not_the_host.json()["code"]) == (403, "host_must_ask")
    assert started.json()["view"]["status"] == "running"
    assert len(started.json()["view"]["you"]["hand"]) in (7, 9)


async def test_a_second_start_answers_the_same(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.table(ann, bob)
    first = await ann.post(f"/v1/matches/{match}/start")
    view = await ann.view(match)
    on_turn = (ann, bob)[view["pending"]["seat"]]
    await on_turn.command(match, (await on_turn.view(match))["legal"][-1])

    second = await ann.post(f"/v1/matches/{match}/start")

    assert second.status_code == 200
    assert second.json() == first.json()


async def test_who_comes_after_the_start_is_refused(talon: House, ann: Client, bob: Client) -> None:
    match, cat = await talon.running(ann, bob), await talon.person("Cat")

    refused = await cat.post(f"/v1/matches/{match}/seats")

    assert (refused.status_code, refused.json()["rule"]) == (409, "AWAY-6")


async def test_a_private_match_is_joined_by_invite(talon: House, ann: Client, bob: Client) -> None:
    made = (await ann.post("/v1/matches", {"seats": 3, "visibility": "private"})).json()
    seats, cat = f"/v1/matches/{made['match_id']}/seats", await talon.person("Cat")

    for invite in (None, "wrong", made["invite"][:-1]):
        refused = await bob.post(seats, {"invite": invite})
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    in_the_body = await bob.post(seats, {"invite": made["invite"]})
    in_a_header = await cat.post(seats, Talon_Invite=made["invite"])

    assert (in_the_body.json()["seat"], in_a_header.json()["seat"]) == (1, 2)


async def listed(talon: House, path: str) -> list[dict[str, Any]]:
    """The list at ``path`` as a stranger sees it, once it has caught up."""
    await talon.caught_up()
    items: list[dict[str, Any]] = (await talon.stranger.get(path)).json()["items"]
    return items


async def test_the_lobby_lists_public_matches_by_status(
    talon: House, ann: Client, bob: Client
) -> None:
    private = await talon.table(ann, visibility="private")
    waiting, begun = await talon.table(ann), await talon.running(ann, bob)
    over = await talon.finished(ann, bob)

    by_status = {
        status: {item["match_id"] for item in await listed(talon, f"/v1/matches?status={status}")}
        for status in ("open", "running", "finished")
    }

    assert by_status == {"open": {waiting}, "running": {begun}, "finished": {over}}
    assert private not in set().union(*by_status.values())


async def test_ones_own_private_matches_are_in_the_lobby_for_oneself(
    talon: House, ann: Client, bob: Client
) -> None:
    first = await talon.table(ann, visibility="private")
    public = await talon.table(bob)
    second = await talon.table(ann, bob, seats=3, visibility="private")
    await talon.caught_up()

    async def lobby(who: Client) -> list[str]:
        seen, path = [], "/v1/matches?limit=1"
        while path:
            page = await who.get(path)
            seen += [item["match_id"] for item in page.json()["items"]]
            path = page.links["next"]["url"] if page.json()["next"] else ""
        return seen

    assert await lobby(ann) == [second, public, first]
    assert await lobby(bob) == [second, public]
    assert await lobby(talon.stranger) == [public]


async def test_the_lobby_comes_in_pages(talon: House, ann: Client) -> None:
    made = [await talon.table(ann) for _ in range(5)]
    await talon.caught_up()

    seen, path = [], "/v1/matches?limit=2"
    while path:
        page = await talon.stranger.get(path)
        seen += [item["match_id"] for item in page.json()["items"]]
        path = page.links["next"]["url"] if page.json()["next"] else ""

    assert seen == made[::-1]


async def test_a_list_shows_who_sits_there(talon: House, ann: Client) -> None:
    await talon.table(ann, bots=["steady"])

    (item,) = await listed(talon, "/v1/matches")

    assert item["seats"] == [
        {"seat": 0, "player_id": ann.id, "name": "Ann", "bot": None},
        {"seat": 1, "player_id": None, "name": None, "bot": "steady"},
    ]


async def test_a_players_matches_are_filtered(talon: House, ann: Client, bob: Client) -> None:
    cat = await talon.person("Cat")
    with_bob, with_cat = await talon.running(ann, bob), await talon.table(ann, cat, tags=["cup"])
    private = await talon.table(ann, cat, visibility="private")
    await talon.caught_up()

    async def found(who: Client, query: str) -> set[str]:
        answer = await who.get(f"/v1/players/{ann.id}/matches?{query}")
        return {item["match_id"] for item in answer.json()["items"]}

    assert await found(talon.stranger, "") == {with_bob, with_cat}
    assert await found(cat, "") == {with_bob, with_cat, private}
    assert await found(ann, f"opponent={bob.id}") == {with_bob}
    with_bot = await talon.table(ann, bots=["steady"])
    await talon.caught_up()
    assert with_bot not in await found(ann, f"opponent={cat.id}")
    assert await found(ann, f"opponent={UUID(int=7)}") == set()
    assert await found(ann, f"opponent={ann.id}") == set()
    assert await found(ann, "status=running") == {with_bob}
    assert await found(ann, "tag=cup") == {with_cat}
    assert await found(ann, "until=2026-01-01T00:00:00Z") == set()
    assert await found(ann, "since=2026-01-01T00:00:00Z&tag=cup") == {with_cat}


async def test_a_players_matches_are_found_by_their_rules(
    talon: House, ann: Client, bob: Client
) -> None:
    plain = await talon.table(ann, bob)
    house_rules = {"jump_in": True, "stacking": "same", "target": 200}
    special = await talon.table(ann, bob, rules=house_rules)
    await talon.caught_up()

    async def found(rules: str) -> list[str]:
        answer = await ann.get(f"/v1/players/{ann.id}/matches?rules={rules}")
        assert answer.status_code == 200, answer.text
        return [item["match_id"] for item in answer.json()["items"]]

    assert await found("form:free_for_all") == [special, plain]
    assert await found("jump_in:true,stacking:same,target:200") == [special]
    assert await found("jump_in:true,stacking:off") == []
    for wrong in ("clock:none", "color:red", "form", "form:teams,"):
        refused = await ann.get(f"/v1/players/{ann.id}/matches?rules={wrong}")
        assert refused.json()["errors"][0]["pointer"] == "?rules"


async def test_the_next_page_tells_nothing_of_a_private_match(talon: House, ann: Client) -> None:
    private = await talon.table(ann, visibility="private")
    public = await talon.table(ann)
    await talon.caught_up()

    path = f"/v1/players/{ann.id}/matches?limit=1"
    strangers, own = (await talon.stranger.get(path)).json(), (await ann.get(path)).json()

    assert [one["match_id"] for one in strangers["items"]] == [public]
    assert strangers["next"] is None
    following = await ann.get(f"{path}&cursor={own['next']}")
    assert [one["match_id"] for one in following.json()["items"]] == [private]
    foreign = await ann.get(f"{path}&cursor=xAA")
    assert foreign.status_code == 422


async def test_a_players_matches_come_in_pages(talon: House, ann: Client) -> None:
    made = [await talon.table(ann) for _ in range(3)]
    await talon.caught_up()

    seen, path = [], f"/v1/players/{ann.id}/matches?limit=2&status=open"
    while path:
        page = await ann.get(path)
        seen += [item["match_id"] for item in page.json()["items"]]
        path = page.links["next"]["url"] if page.json()["next"] else ""

    assert seen == made[::-1]
