"""Limits: told with every answer, exact over processes, open for play and closed to newcomers."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.buckets import Bucket, Taken
from domain.ports import Unavailable
from infra.memory_buckets import MemoryBuckets
from service.address import address_of
from service.identity import ANONYMOUS, Caller, Kind
from service.limits import LEASE_US, Limits
from service.problems import ProblemError
from service.settings import Settings
from tests.service.streaming import streamed
from tests.service.support import QUICK, Client, House, house
from tests.service.talking import talking

pytestmark = pytest.mark.anyio

SECOND = 1_000_000
FEW = replace(QUICK, limit_player=60, limit_address=1_000, limit_registration=1_000)


class Counted(MemoryBuckets):
    """Buckets that count how often they are asked, by a clock that stands still."""

    def __init__(self) -> None:
        self.now = 1_000 * SECOND
        self.asked = 0
        super().__init__(lambda: self.now)

    async def take(self, bucket: Bucket, least: int, most: int) -> Taken:
        self.asked += 1
        return await super().take(bucket, least, most)


class Away:
    """Buckets whose server is away."""

    async def take(self, bucket: Bucket, least: int, most: int) -> Taken:
        raise Unavailable


def without_redis(talon: House) -> None:
    services = talon.services
    talon.app.state.services = replace(services, limits=Limits(services.settings, Away()))


async def spent(limits: Limits, buckets: Counted, cost: int = 1) -> bool:
    """Whether somebody may spend; false if they have spent too much."""
    try:
        await limits.spend(limits.player, "ann", cost, buckets.now)
    except ProblemError as error:
        assert error.problem.status == 429
        return False
    return True


async def test_every_answer_tells_what_is_left(talon: House, ann: Client) -> None:
    for path in ("/v1/players/me", "/v1/matches", "/v1/matches/nothing"):
        answer = await ann.get(path)
        assert answer.headers["RateLimit-Policy"] == '"player";q=30000;w=60'
        assert answer.headers["RateLimit"].startswith('"player";r=299')
    stranger = await talon.stranger.get("/v1/matches")
    assert stranger.headers["RateLimit-Policy"].startswith('"address";')
    assert "RateLimit" not in (await talon.stranger.get("/health/live")).headers


async def test_who_asks_for_too_much_is_told_when_to_come_back() -> None:
    async with house(FEW) as talon:
        ann, bob = await talon.person(), await talon.person()
        answers = [await ann.get("/v1/players/me") for _ in range(80)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused and answers[0].status_code == 200
        problem = refused[0].json()
        assert problem["code"] == "too_many_requests"
        assert 1 <= int(refused[0].headers["Retry-After"]) <= 60
        assert refused[0].headers["RateLimit"].startswith('"player";r=0;t=')
        assert refused[0].headers["content-type"] == "application/problem+json"
        assert (await bob.get("/v1/players/me")).status_code == 200


async def test_setting_a_match_up_costs_more() -> None:
    async with house(FEW) as talon:
        ann = await talon.person()
        made = [await ann.post("/v1/matches", {"seats": 2}) for _ in range(5)]
        assert [answer.status_code for answer in made[:3]] == [201, 201, 201]
        assert made[-1].status_code == 429
        costs = (await talon.stranger.get("/v1/limits")).json()["costs"]
        assert costs["createMatch"] == 20


async def test_the_limits_in_force_are_published() -> None:
    async with house(replace(FEW, limit_address=0, streams_max=7)) as talon:
        told = (await talon.stranger.get("/v1/limits")).json()
    rates = {rate["policy"]: rate for rate in told["rates"]}
    assert rates["player"] == {"policy": "player", "per": "player", "quota": 60, "window": 60}
    assert rates["registration"]["window"] == 600
    assert "address" not in rates
    assert {"name": "streams_per_player", "value": 7} in told["items"]


async def test_what_is_not_limited_tells_no_limit() -> None:
    async with house(replace(QUICK, limit_player=0, limit_address=0)) as talon:
        ann = await talon.person()
        assert "RateLimit" not in (await ann.get("/v1/players/me")).headers


async def test_an_address_registers_so_many_players() -> None:
    async with house(replace(QUICK, limit_registration=3)) as talon:
        made = [await talon.stranger.post("/v1/players", {"name": "Ann"}) for _ in range(5)]
        assert [answer.status_code for answer in made] == [201, 201, 201, 429, 429]
        assert made[0].headers["RateLimit-Policy"] == '"registration";q=3;w=600'
        app = await talon.holder(Kind.APP)
        assert (await app.post("/v1/players", {"name": "Bob"})).status_code == 201


async def test_without_redis_play_goes_on_and_registering_waits(talon: House, ann: Client) -> None:
    match = await talon.table(ann)
    without_redis(talon)
    seed = {"type": "add_seed", "round": 1, "client_seed": "bHVjaw"}
    played = await ann.command(match, seed)
    assert played.status_code == 200 and "RateLimit" not in played.headers
    closed = await talon.stranger.post("/v1/players", {"name": "Bob"})
    assert (closed.status_code, closed.json()["code"]) == (503, "unavailable")
    assert int(closed.headers["Retry-After"]) >= 1


async def test_tokens_that_are_not_valid_cost_their_address_more() -> None:
    async with house(replace(QUICK, limit_address=200)) as talon:
        guesser = Client(talon.http, "talon_guess")
        answers = [(await guesser.get("/v1/players/me")).status_code for _ in range(30)]
        assert answers[:10] == [401] * 10 and answers[-1] == 429


@pytest.mark.parametrize("processes", [1, 2, 5])
async def test_no_more_is_spent_over_all_processes_than_there_is(processes: int) -> None:
    buckets, dice = Counted(), random.Random(processes)
    settings = Settings(limit_player=600)
    limits = [Limits(settings, buckets) for _ in range(processes)]
    done, began = 0, buckets.now
    while buckets.now < began + 180 * SECOND:
        buckets.now += dice.randrange(20_000)
        done += await spent(dice.choice(limits), buckets)
    assert done <= 600 + 600 * 3
    assert done >= 0.9 * 600 * 3


async def test_somebody_who_plays_fast_seldom_waits_for_redis() -> None:
    buckets = Counted()
    limits = Limits(Settings(), buckets)
    for _ in range(2_000):
        buckets.now += SECOND // 20
        assert await spent(limits, buckets)
    assert buckets.asked < 2_000 / 40


class Far(Counted):
    """Buckets that take a while to answer."""

    async def take(self, bucket: Bucket, least: int, most: int) -> Taken:
        await asyncio.sleep(0)
        return await super().take(bucket, least, most)


async def test_many_requests_at_once_share_what_is_taken() -> None:
    buckets = Far()
    limits = Limits(Settings(limit_player=2_000), buckets)
    assert all(await asyncio.gather(*(spent(limits, buckets) for _ in range(256))))
    assert buckets.asked < 20
    rest = await buckets.take(Bucket("player:ann", 2_000, 60_000), 1, 2_000)
    assert 2_000 - 256 - 2_000 // 20 <= rest.tokens <= 2_000 - 256


async def test_who_is_told_to_wait_costs_nothing_until_then() -> None:
    buckets = Counted()
    limits = Limits(Settings(limit_player=60), buckets)
    while await spent(limits, buckets):
        pass
    asked = buckets.asked
    for _ in range(50):
        buckets.now += SECOND // 100
        assert not await spent(limits, buckets)
    assert buckets.asked == asked
    buckets.now += SECOND
    assert await spent(limits, buckets)


async def test_what_was_taken_and_not_spent_is_not_kept_for_later() -> None:
    buckets = Counted()
    limits = Limits(Settings(limit_player=100), buckets)
    for _ in range(4):
        assert await spent(limits, buckets)
    buckets.now += LEASE_US + 600 * SECOND
    done = 0
    while await spent(limits, buckets):
        done += 1
    assert done == 100


async def test_what_costs_more_than_all_there_is_takes_all() -> None:
    buckets = Counted()
    limits = Limits(Settings(limit_player=10), buckets)
    assert await spent(limits, buckets, cost=20)
    assert not await spent(limits, buckets)


def test_who_asks_decides_the_policy() -> None:
    limits = Limits(Settings(), Counted())
    person = Caller(Kind.PLAYER, b"a", b"a")
    assert limits.policy_of(person) is limits.player
    assert limits.policy_of(Caller(Kind.APP, b"b", b"a")) is limits.player
    assert limits.policy_of(Caller(Kind.APP, b"b")) is limits.app
    assert limits.policy_of(ANONYMOUS) is limits.address


@pytest.mark.parametrize(
    ("peer", "forwarded", "proxies", "address"),
    [
        ("192.0.2.1", None, 0, "192.0.2.1"),
        ("192.0.2.1", "203.0.113.9", 0, "192.0.2.1"),
        ("192.0.2.1", "203.0.113.9", 1, "203.0.113.9"),
        ("192.0.2.1", "198.51.100.7, 203.0.113.9", 1, "203.0.113.9"),
        ("192.0.2.1", "6.6.6.6, 198.51.100.7, 203.0.113.9", 2, "198.51.100.7"),
        ("192.0.2.1", "203.0.113.9", 2, "192.0.2.1"),
        ("192.0.2.1", None, 1, "192.0.2.1"),
        ("192.0.2.1", "no address", 1, "unknown"),
        ("2001:db8:1:2:3:4:5:6", None, 0, "2001:db8:1:2::"),
        ("::ffff:192.0.2.1", None, 0, "192.0.2.1"),
        (None, None, 0, "unknown"),
    ],
)
def test_an_address_is_believed_as_far_as_the_proxies_are(
    peer: str | None, forwarded: str | None, proxies: int, address: str
) -> None:
    scope: dict[str, Any] = {"client": None if peer is None else (peer, 5), "headers": []}
    if forwarded is not None:
        scope["headers"].append((b"x-forwarded-for", forwarded.encode()))
    assert address_of(scope, proxies) == address


async def test_a_player_takes_part_in_so_many_unfinished_matches() -> None:
    async with house(replace(QUICK, open_matches_max=2)) as talon:
        ann, bob = await talon.person(), await talon.person()
        keys = [{"Idempotency_Key": f"k{number}"} for number in range(3)]
        made = [await ann.post("/v1/matches", {"seats": 2}, **key) for key in keys[:2]]
        theirs = await talon.table(bob)
        await talon.caught_up()
        refused = await ann.post("/v1/matches", {"seats": 2}, **keys[2])
        assert (refused.status_code, refused.json()["code"]) == (409, "too_many_matches")
        joined = await ann.post(f"/v1/matches/{theirs}/seats")
        assert joined.json()["code"] == "too_many_matches"
        again = await ann.post("/v1/matches", {"seats": 2}, **keys[1])
        assert again.json()["match_id"] == made[1].json()["match_id"]

        match = made[0].json()["match_id"]
        assert (await ann.call("DELETE", f"/v1/matches/{match}/seats/me")).status_code == 200
        await talon.caught_up()
        assert (await ann.post("/v1/matches", {"seats": 2}, **keys[2])).status_code == 201


async def test_a_player_follows_so_many_streams_at_once() -> None:
    async with house(replace(QUICK, streams_max=1)) as talon:
        ann, bob = await talon.person(), await talon.person()
        path = f"/v1/matches/{await talon.table(ann, bob)}/events/stream"
        async with streamed(talon, ann, path) as stream:
            await stream.until(1)
            refused = await ann.get(path)
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")
            assert int(refused.headers["Retry-After"]) >= 1
            async with streamed(talon, bob, path) as other:
                await other.until(1)
        async with streamed(talon, ann, path) as stream:
            await stream.until(1)


async def test_a_socket_is_a_stream_and_its_commands_count() -> None:
    async with house(replace(QUICK, streams_max=1, limit_player=60)) as talon:
        ann, bob = await talon.person(), await talon.person()
        match = await talon.table(bob, ann)
        async with talking(talon, ann, match) as socket:
            stream = await ann.get(f"/v1/matches/{match}/events/stream")
            assert stream.json()["code"] == "too_many_streams"
            answers = [
                await socket.asks(f"{number}", {"type": "pass_turn"}) for number in range(70)
            ]
    assert answers[0]["problem"]["code"] == "match_must_be_running"
    assert answers[-1]["problem"]["code"] == "too_many_requests"
    assert answers[-1]["retry_after"] >= 1


async def test_every_way_into_a_match_asks_for_room() -> None:
    """A quick match, a rematch and a fork are matches, too."""
    async with house(replace(QUICK, open_matches_max=1)) as talon:
        ann, bob = await talon.person(), await talon.person()
        over = await talon.running(ann, bob)
        for person in (ann, bob):
            await person.command(over, {"type": "leave"})
        await talon.caught_up()
        assert (await ann.post("/v1/matches", {"seats": 2})).status_code == 201
        await talon.caught_up()

        for path, body in (
            ("/v1/queue", {"seats": 2}),
            (f"/v1/matches/{over}/rematch", None),
            (f"/v1/matches/{over}/forks", {"version": await _first_turn(ann, over)}),
        ):
            refused = await ann.post(path, body)
            assert (refused.status_code, refused.json()["code"]) == (409, "too_many_matches"), path

        other = await bob.post("/v1/queue", {"seats": 2, "bots": ["random"]}, Idempotency_Key="q")
        assert other.json()["status"] == "matched"
        await talon.caught_up()
        again = await bob.post("/v1/queue", {"seats": 2, "bots": ["random"]}, Idempotency_Key="q")
        assert again.json()["match_id"] == other.json()["match_id"]


async def _first_turn(person: Client, match: str) -> int:
    """The version at which the first turn of a match begins."""
    events = (await person.get(f"/v1/matches/{match}/events")).json()["items"]
    version: int = next(one["version"] for one in events if one["type"] == "round_started")
    return version


async def test_what_sets_a_match_up_costs_the_same(ann: Client) -> None:
    costs = (await ann.get("/v1/limits")).json()["costs"]

    every = {"createMatch", "enterQueue", "playAgain", "forkMatch", "placePosition"}
    assert {costs[one] for one in every} == {20}
