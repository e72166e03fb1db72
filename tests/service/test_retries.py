"""Safe retries: no POST acts twice under one key, and each answers the same again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from tests.service.support import Client, House, key, on_turn, position

pytestmark = pytest.mark.anyio

Post = Callable[[Any, str], Awaitable[httpx.Response]]


async def posts(talon: House) -> dict[str, tuple[Post, Any, Any]]:
    """Every POST, with a body and another one it must not be confused with."""
    ann, bob = await talon.person("Ann"), await talon.person("Bob")
    open_match, free = await talon.table(ann, seats=3), await talon.table(ann, seats=3)
    running = await talon.running(ann, bob)
    player = on_turn(await ann.view(running), (ann, bob))
    over = await talon.placed("R1 R2", "B1 B2")
    placed_at = (await over.persons[0].view(over.match))["version"]
    await over.does(0, "leave")

    def by(who: Client, path: str) -> Post:
        async def post(body: Any, key: str) -> httpx.Response:
            return await who.post(path, body, Idempotency_Key=key)

        return post

    return {
        "createPlayer": (by(talon.stranger, "/v1/players"), {"name": "Cat"}, {"name": "Dan"}),
        "createToken": (
            by(ann, "/v1/players/me/tokens"),
            {"expires_in": 3600},
            {"expires_in": 7200},
        ),
        "createMatch": (
            by(ann, "/v1/matches"),
            {"seats": 4, "visibility": "private", "bots": ["steady", "random"]},
            {"seats": 4, "visibility": "private"},
        ),
        "placePosition": (
            by(talon.stranger, "/v1/sandbox/matches"),
            position("R1", "B1"),
            position("R1", "B2"),
        ),
        "forkMatch": (
            by(ann, f"/v1/matches/{over.match}/forks"),
            {"version": placed_at},
            {"version": placed_at, "open": True},
        ),
        "joinMatch": (by(bob, f"/v1/matches/{open_match}/seats"), {}, {"invite": "x"}),
        "seatBot": (by(ann, f"/v1/matches/{free}/bots"), {"level": "steady"}, {"level": "random"}),
        "submitCommand": (
            by(player, f"/v1/matches/{running}/commands"),
            {"type": "draw_card"},
            {"type": "pass_turn"},
        ),
    }


OPERATIONS = (
    *("createPlayer", "createToken", "createMatch", "placePosition"),
    *("forkMatch", "joinMatch", "seatBot", "submitCommand"),
)


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_the_same_request_again_gives_the_first_answer(talon: House, operation: str) -> None:
    post, body, _ = (await posts(talon))[operation]
    once = key()

    first = await post(body, once)
    position = await talon.position()
    again = [await post(body, once), await post(body, f'"{once}"')]

    assert first.status_code in (200, 201), first.text
    assert "idempotent-replayed" not in first.headers
    for retry in again:
        assert (retry.status_code, retry.json()) == (first.status_code, first.json())
        assert retry.headers["idempotent-replayed"] == "true"
    assert await talon.position() == position


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_a_key_goes_with_one_body(talon: House, operation: str) -> None:
    post, body, other = (await posts(talon))[operation]
    once = key()
    await post(body, once)

    refused = await post(other, once)

    assert (refused.status_code, refused.json()["code"]) == (422, "key_reused")


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_two_at_the_same_time_are_one(talon: House, operation: str) -> None:
    post, body, _ = (await posts(talon))[operation]
    once = key()

    first, second = await asyncio.gather(post(body, once), post(body, once))

    assert first.json() == second.json()
    assert first.status_code == second.status_code in (200, 201)


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_another_key_acts_again_or_is_refused(talon: House, operation: str) -> None:
    post, body, _ = (await posts(talon))[operation]
    first = await post(body, key())

    second = await post(body, key())

    assert second.json() != first.json()


async def test_the_start_of_a_match_is_retried_with_or_without_a_key(
    talon: House, ann: Client, bob: Client
) -> None:
    match, once = await talon.table(ann, bob), key()

    answers = [
        await ann.post(f"/v1/matches/{match}/start", Idempotency_Key=once),
        await ann.post(f"/v1/matches/{match}/start", Idempotency_Key=once),
        await ann.post(f"/v1/matches/{match}/start", Idempotency_Key=key()),
        await ann.post(f"/v1/matches/{match}/start"),
    ]

    assert all(answer.json() == answers[0].json() for answer in answers)


async def test_the_order_of_keys_and_spacing_make_no_other_body(talon: House, ann: Client) -> None:
    once = key()
    sent = [b'{"seats":2,"visibility":"public"}', b'{ "visibility": "public", "seats": 2 }']

    first, second = [
        await ann.http.post(
            "/v1/matches",
            content=body,
            headers=ann.headers | {"Content-Type": "application/json", "Idempotency-Key": once},
        )
        for body in sent
    ]

    assert first.json() == second.json()


async def test_keys_are_each_principals_own(talon: House, ann: Client, bob: Client) -> None:
    once = key()

    made = [await who.post("/v1/matches", {"seats": 2}, Idempotency_Key=once) for who in (ann, bob)]

    assert made[0].json()["match_id"] != made[1].json()["match_id"]


async def test_a_refusal_is_not_kept(talon: House, ann: Client, bob: Client) -> None:
    match, once = await talon.running(ann, bob), key()
    view = await ann.view(match)
    player, other = (ann, bob) if on_turn(view, (ann, bob)) is ann else (bob, ann)
    draw = {"type": "draw_card"}

    refused = await other.command(match, draw, Idempotency_Key=once)
    await player.command(match, draw)
    done = await player.command(match, {"type": "pass_turn"})
    if done.status_code == 200 and done.json()["view"]["pending"]["kind"] == "turn":
        accepted = await other.command(match, draw, Idempotency_Key=once)
        assert accepted.status_code == 200

    assert refused.status_code == 409


@pytest.mark.parametrize("bad", ["", '""', "x" * 256, "a\u00ffb\x7f"])
async def test_a_key_has_1_to_255_printable_characters(ann: Client, bad: str) -> None:
    refused = await ann.http.post(
        "/v1/matches",
        json={"seats": 2},
        headers={**ann.headers, "Idempotency-Key": bad.encode("latin-1")},  # type: ignore[dict-item]
    )

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_header")


@pytest.mark.parametrize("taken", ["start", "create"])
async def test_no_key_of_a_client_stands_in_the_way_of_a_start(
    talon: House, ann: Client, bob: Client, taken: str
) -> None:
    match = await talon.table(ann, bob)
    seed = {"type": "add_seed", "round": 1, "client_seed": "bHVjaw"}
    assert (await ann.command(match, seed, Idempotency_Key=taken)).status_code == 200

    started = await ann.post(f"/v1/matches/{match}/start")

    assert started.status_code == 200, started.text


async def test_who_has_left_is_not_told_the_version(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.table(ann, bob, visibility="private")
    await bob.call("DELETE", f"/v1/matches/{match}/seats/me")

    answers = [await bob.command(match, {"type": "draw_card"}, If_Match=f'"{at}"') for at in (1, 4)]

    assert [one.status_code for one in answers] == [404, 404]


async def test_a_key_that_is_no_text_is_pointed_at(ann: Client) -> None:
    body = b'{"name": "Ann", "\\ud800": 1, "\\ud800": 2}'
    refused = await ann.http.post(
        "/v1/players", content=body, headers={"Content-Type": "application/json"}
    )
    assert refused.status_code == 422 and refused.json()["code"] == "invalid_field"


async def test_a_stranger_needs_a_uuid_for_a_key(talon: House) -> None:
    refused = await talon.stranger.post(
        "/v1/players", {"name": "Ann"}, Idempotency_Key="my-first-player"
    )

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_header")
