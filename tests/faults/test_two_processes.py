"""Two processes on the same servers are one service, however clients choose between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random

import msgspec
import pytest

from service.cli.demo.wire import Answer, NewMatch, read
from tests.faults import audit, posts
from tests.faults.caller import Caller, is_replay
from tests.faults.conftest import SETTINGS
from tests.faults.evening import SEATS, SETTING_UP
from tests.faults.processes import processes
from tests.faults.tables import Table, person, play, tables
from tests.faults.watching import Watch

pytestmark = [pytest.mark.anyio, pytest.mark.servers, pytest.mark.slow]

MATCHES, RIVALS = 4, 3
"""At each match so many clients play at once, all for all seats."""


class Pair(msgspec.Struct):
    """Where the two answer, and their settings."""

    urls: list[str]
    settings: dict[str, str]

    @property
    def database(self) -> str:
        """The database of both."""
        return self.settings["TALON_DATABASE_URL"]


@pytest.fixture(scope="module")
async def pair(
    module_database: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Pair]:
    folder = tmp_path_factory.mktemp("services")
    settings = SETTINGS | {
        "TALON_DATABASE_URL": module_database,
        "TALON_REDIS_URL": redis_url,
        "TALON_REDIS_PREFIX": audit.fresh_prefix(),
        "TALON_DATA": str(folder),
    }
    async with processes(settings, folder, 2) as both:
        yield Pair([process.url for process in both], settings)
    audit.forget(settings)


async def test_matches_are_played_and_watched_at_both_at_once(pair: Pair) -> None:
    callers = [Caller(pair.urls, Random(seed)) for seed in range(MATCHES * RIVALS)]
    playing = await tables(callers[0], MATCHES, SEATS)
    watching = [
        (at, token, Watch([url], at.match_id, token))
        for at in playing
        for token in (None, at.people[0].token, at.people[2].token)
        for url in pair.urls
    ]
    for _, _, watch in watching:
        watch.start()

    await asyncio.gather(
        *(
            play(playing[number % MATCHES], caller, Random(number))
            for number, caller in enumerate(callers)
        )
    )

    log = await audit.check_log(pair.database)
    for at, token, watch in watching:
        assert await watch.ended() == await audit.history(callers[0], at, token)
        assert watch.connections == 1
    for at in playing:
        await audit.check_told(callers[0], at)
        commands = audit.commands_of(log, at.match_id)
        assert commands == {"seat": at.acknowledged + SETTING_UP}
    assert sum(at.doubled for at in playing) > 10
    assert sum(at.claimed for at in playing) == 0
    await audit.check_standings(callers[0], pair.database)
    await audit.check_redis(pair.settings)


async def test_one_key_at_both_at_once_acts_once(pair: Pair) -> None:
    caller = Caller(pair.urls, Random(5))
    for post in await posts.every_post(caller, Random(6)):
        before = await audit.counts(pair.database)
        answers = await caller.at_each(post.path, post.body, token=post.token, key=post.key)
        assert len({answer.body for answer in answers}) == 1, post
        assert {answer.status for answer in answers} <= {200, 201}, post
        assert sum(map(is_replay, answers)) == 1, post
        written = await audit.counts(pair.database) - before
        assert written == posts.written(post, answers[0]), post
    await audit.check_log(pair.database)


async def test_a_seat_given_up_elsewhere_is_not_said_to_be_kept(pair: Pair) -> None:
    here, there = (Caller([url], Random(1)) for url in pair.urls)
    ann, bob = await person(here), await person(here)
    made = await here.post("/v1/matches", {"seats": 2}, token=ann.token)
    path = f"/v1/matches/{read(made, NewMatch, 'a match').match_id}/seats"
    await here.post(path, {}, token=bob.token)
    left = await there.delete(f"{path}/me", token=bob.token)

    again = await here.post(path, {}, token=bob.token)

    assert left.status == 200, left.body
    assert again.status == 200, again.body
    joined = read(again, Answer, "joining again")
    assert [item.type for item in joined.events] == ["player_joined"]


async def test_who_sat_down_elsewhere_a_moment_ago_is_no_stranger_here(pair: Pair) -> None:
    """Though this process, and the views in Redis, have not heard of it yet."""
    here, there = (Caller([url], Random(1)) for url in pair.urls)
    ann, bob = await person(here), await person(here)
    made = await here.post("/v1/matches", {"seats": 2, "visibility": "private"}, token=ann.token)
    at = Table(read(made, NewMatch, "a match").match_id, (ann, bob))
    async with audit.views_as_before(pair.settings, at.match_id):
        invite = {"invite": msgspec.json.decode(made.body)["invite"]}
        await there.post(f"{at.path}/seats", invite, token=bob.token)
        await there.post(f"{at.path}/start", token=ann.token)

    watch = Watch([pair.urls[0]], at.match_id, bob.token)
    watch.start()
    view = await here.get_json(f"{at.path}/view", token=bob.token)
    items = await audit.history(here, at, bob.token)
    await watch.reached(items[-1]["version"])
    await watch.leave()

    (dealt,) = (item for item in items if item["type"] == "round_started")
    assert dealt["mine"]["hand"] == view["you"]["hand"]
    assert watch.items == items
