"""A POST sent again under its key acts once, wherever the first was broken off."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random

import msgspec
import pytest

from domain.commands import PLAYER_COMMANDS, Command
from service.cli.demo.client import Client, ConnectionLost, Response
from tests.faults import audit, posts
from tests.faults.caller import Caller, is_replay
from tests.faults.conftest import SETTINGS
from tests.faults.more_posts import more_posts
from tests.faults.on_their_own import an_app, an_operator
from tests.faults.posts import Post
from tests.faults.processes import Process, processes
from tests.faults.stopping_proxy import Side, StoppingProxy
from tests.faults.tables import person, table
from tests.faults.tournament_posts import tournament_posts
from tests.house.running import CHECKOUT

pytestmark = [pytest.mark.anyio, pytest.mark.servers, pytest.mark.slow]
KEPT_HEADERS = ("Location", "ETag", "Content-Type")
AS_IT_STANDS = {"queue": "ticket", "rematch": "match_id"}
"""Answered, when sent again, with the same ticket or match as it stands by then."""
DELIVERED = {
    "/v1/webhooks/{webhook_id}/test",
    "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry",
}
"""Their answers tell what has become of a delivery by then: see tests/service/test_webhooks.py."""


def tag_of(command: type[Command]) -> object:
    return command.__struct_config__.tag


def documented(method: str) -> set[str]:
    """The paths that have a method."""
    document = json.loads((CHECKOUT / "openapi" / "openapi.json").read_text())
    return {path for path, methods in document["paths"].items() if method in methods}


def template(path: str) -> str:
    """A path as the interface's description writes it."""
    path = re.sub(r"/webhooks/[0-9a-f-]{36}", "/webhooks/{webhook_id}", path)
    path = re.sub(r"/tournaments/[0-9a-f-]{36}", "/tournaments/{tournament_id}", path)
    path = re.sub(r"/rounds/\d+/tables/\d+", "/rounds/{round}/tables/{table}", path)
    path = re.sub(r"/entrants/\d+", "/entrants/{entrant}", path)
    return re.sub(r"/matches/[0-9a-f-]{36}", "/matches/{match_id}", path)


async def test_the_answer_that_a_crash_has_swallowed_is_given_again(
    settings: dict[str, str], tmp_path: Path
) -> None:
    settings |= {"TALON_SANDBOX": "true"}
    app, operator = await an_app(settings), await an_operator(settings)
    async with processes(settings, tmp_path) as (process,):
        caller = Caller([process.url], Random(1))
        sent = [*await posts.every_post(caller, Random(2)), *await more_posts(caller, app)]
        sent += await tournament_posts(caller, operator)
        assert {post.name for post in sent} > {tag_of(command) for command in PLAYER_COMMANDS}
        assert {template(post.path) for post in sent} == documented("post") - DELIVERED
        first = [await send(caller, post) for post in sent]
        before = await audit.counts(settings["TALON_DATABASE_URL"])

        await process.kill()
        process.start()
        await process.ready()
        again = [await send(caller, post) for post in sent]

        assert {post.name: answer.status for post, answer in zip(sent, first, strict=True)} == {
            post.name: 201 if post.name in posts.CREATE else 200 for post in sent
        }
        assert not any(map(is_replay, first))
        for post, one, other in zip(sent, first, again, strict=True):
            if id := AS_IT_STANDS.get(post.name):
                assert json.loads(other.body)[id] == json.loads(one.body)[id], post.name
            else:
                assert told(other) == told(one) and is_replay(other), post.name
        assert await audit.counts(settings["TALON_DATABASE_URL"]) == before
        await audit.check_log(settings["TALON_DATABASE_URL"])


async def send(caller: Caller, post: Post) -> Response:
    return await caller.post(post.path, post.body, token=post.token, key=post.key)


def told(answer: Response) -> tuple[object, ...]:
    """All of an answer but what is about the connection and the one request."""
    return answer.status, answer.body, *(answer.header(name) for name in KEPT_HEADERS)


class House(msgspec.Struct):
    """A service behind a proxy that can stop it at any statement."""

    process: Process
    proxy: StoppingProxy
    caller: Caller
    database: str
    settings: dict[str, str]


@pytest.fixture(scope="module")
async def house(
    module_database: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[House]:
    folder = tmp_path_factory.mktemp("service")
    async with StoppingProxy(module_database) as proxy:
        settings = SETTINGS | {
            "TALON_DATABASE_URL": proxy.url,
            "TALON_REDIS_URL": redis_url,
            "TALON_REDIS_PREFIX": audit.fresh_prefix(),
            "TALON_DATA": str(folder),
        }
        async with processes(settings, folder) as (process,):
            caller = Caller([process.url], Random(3))
            yield House(process, proxy, caller, module_database, settings)
        audit.forget(settings)


async def a_player(caller: Caller) -> Post:
    return posts.post("player", "/v1/players", {"name": "Ann"})


async def a_token(caller: Caller) -> Post:
    ann = await person(caller)
    return posts.post("token", "/v1/players/me/tokens", {"expires_in": 600}, ann.token)


async def a_match(caller: Caller) -> Post:
    ann = await person(caller)
    body = {"seats": 3, "visibility": "private", "bots": ["steady", "random"]}
    return posts.post("match", "/v1/matches", body, ann.token)


async def a_join(caller: Caller) -> Post:
    return await posts.join(caller, await person(caller), await person(caller))


async def a_bot(caller: Caller) -> Post:
    return await posts.seat_bot(caller, await person(caller))


async def a_start(caller: Caller) -> Post:
    return await posts.start(caller, await person(caller), await person(caller))


async def a_command(caller: Caller) -> Post:
    at = await table(caller, (await person(caller), await person(caller)))
    body = {"type": "add_seed", "round": 2, "client_seed": "YQ"}
    return posts.post("command", f"{at.path}/commands", body, at.people[1].token, at)


WRITES = {
    a_player: ("reserve", "add_player"),
    a_token: ("reserve", "add_token"),
    a_match: ("reserve", "add_match", "hold_seat", "append"),
    a_join: ("hold_seat", "append"),
    a_bot: ("append",),
    a_start: ("append",),
    a_command: ("append",),
}
"""What each POST writes, in this order, each a commit of its own."""
NEVER_SENT = ("a_player-before-reserve", "a_command-before-append")
POINTS = [
    pytest.param(make, writes, place, side, id=f"{make.__name__}-{side}-{writes[place]}")
    for make, writes in WRITES.items()
    for place in range(len(writes))
    for side in Side
]
KILLS = [point for point in POINTS if point.values[3] is Side.AFTER or point.id in NEVER_SENT]
"""Killed just before a later write is killed just after the one before it."""


@pytest.mark.parametrize(("make", "writes", "place", "side"), KILLS)
async def test_a_post_killed_at_any_of_its_writes_is_carried_out_once(
    house: House,
    make: Callable[[Caller], Awaitable[Post]],
    writes: tuple[str, ...],
    place: int,
    side: Side,
) -> None:
    post = await make(house.caller)
    before = await audit.counts(house.database)
    await killed_at(house, post, writes[place], side)
    broken_off = await audit.counts(house.database)
    assert (broken_off == before) == (side is Side.BEFORE or writes[place] == "reserve")

    answer = await send(house.caller, post)

    assert is_replay(answer) or (side, writes[place]) != (Side.AFTER, "append")
    await check_done_once(house, post, before, answer)


@pytest.mark.parametrize(("make", "writes", "place", "side"), POINTS)
async def test_a_post_whose_write_is_cut_off_is_carried_out_once(
    house: House,
    make: Callable[[Caller], Awaitable[Post]],
    writes: tuple[str, ...],
    place: int,
    side: Side,
) -> None:
    post = await make(house.caller)
    before = await audit.counts(house.database)
    house.proxy.stop_at(writes[place], 1, side)
    asking = asyncio.create_task(send(house.caller, post))
    await house.proxy.stopped()
    house.proxy.cut()

    await check_done_once(house, post, before, await asking)


async def check_done_once(house: House, post: Post, before: Counter[str], answer: Response) -> None:
    """A POST was answered well, has left what it should and once, and says so again."""
    assert answer.status == (201 if post.name in posts.CREATE else 200), answer
    done = await audit.counts(house.database)
    assert done - before == posts.written(post, answer)
    again = await send(house.caller, post)
    assert is_replay(again)
    assert told(again) == told(answer)
    assert await audit.counts(house.database) == done
    await audit.check_log(house.database)


async def killed_at(house: House, post: Post, write: str, side: Side) -> None:
    """Send a POST to a service that is killed at a write, so that nobody ever answers it."""
    client = Client(house.process.url)
    house.proxy.stop_at(write, 1, side)
    headers = {"Idempotency-Key": post.key}
    body = None if post.body is None else msgspec.json.encode(post.body)
    asking = asyncio.create_task(
        client.request("POST", post.path, token=post.token, body=body, headers=headers)
    )
    await house.proxy.stopped()
    assert not asking.done()
    await house.process.kill()
    house.process.start()
    with pytest.raises(ConnectionLost):
        await asking
    client.close()


async def test_a_match_is_set_up_with_its_bots_or_not_at_all(house: House) -> None:
    ann, stranger = await person(house.caller), await person(house.caller)
    body = {"seats": 2, "bots": ["steady"]}
    post = posts.post("match", "/v1/matches", body, ann.token)
    await killed_at(house, post, "append", Side.AFTER)
    (facts,) = await audit.rows(
        house.database, "SELECT match_id FROM match_facts WHERE created_by = $1", ann.player_id
    )
    seats = f"/v1/matches/{facts['match_id']}/seats"
    intruder = await house.caller.post(seats, {}, token=stranger.token)

    answer = await send(house.caller, post)

    assert intruder.status == 409
    assert answer.status == 201, answer.body
    assert msgspec.json.decode(answer.body)["view"]["seats"][1]["bot"] == "steady"


async def test_what_a_killed_process_had_not_shown_is_shown_without_being_asked_for(
    house: House,
) -> None:
    post = await a_command(house.caller)
    await killed_at(house, post, "append", Side.AFTER)
    await house.process.ready()
    await audit.check_redis(house.settings)
