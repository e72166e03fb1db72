"""Spectators of a match with a delay see nothing sooner, whatever they ask and however."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from service.identity import Kind
from service.play.times import SECOND, now_us
from tests.service.streaming import streamed
from tests.service.support import QUICK, Client, House, house, on_turn, play_on

pytestmark = pytest.mark.anyio
DELAY = 60


class Clock:
    """The service's clock, moved on by the test; events in a row are a microsecond apart."""

    def __init__(self) -> None:
        self.at = now_us()

    def __call__(self) -> int:
        return self.at

    def move_on(self, seconds: int) -> None:
        self.at += seconds * SECOND


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def talon(clock: Clock) -> AsyncIterator[House]:
    async with house(QUICK, now=clock) as opened:
        yield opened


async def delayed(talon: House, clock: Clock, ann: Client, bob: Client) -> tuple[str, int]:
    """A match whose first moves everybody has seen, and how far it has come for spectators."""
    match = await talon.running(ann, bob, spectator_delay=DELAY)
    seen = (await ann.view(match))["version"]
    clock.move_on(DELAY + 1)
    player = on_turn(await ann.view(match), (ann, bob))
    assert (await player.command(match, {"type": "draw_card"})).status_code == 200
    return match, seen


async def test_a_table_is_found_and_joined_at_once(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.table(ann, bob, spectator_delay=DELAY)

    assert await talon.stranger.view(match) == {
        key: value for key, value in (await ann.view(match)).items() if key not in ("you", "legal")
    }


async def test_the_start_is_seen_when_its_time_has_come(
    talon: House, clock: Clock, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob, spectator_delay=DELAY)
    clock.move_on(DELAY - 1)
    before = await talon.stranger.view(match)
    clock.move_on(2)

    assert (before["status"], before["top"]) == ("open", None)
    assert (await talon.stranger.view(match))["status"] == "running"


async def test_no_answer_to_a_spectator_is_newer_than_the_delay(
    talon: House, clock: Clock, ann: Client, bob: Client
) -> None:
    match, seen = await delayed(talon, clock, ann, bob)
    cat, base = await talon.person("Cat"), f"/v1/matches/{match}"
    reads = ("", "/view", "/head", "/events", f"/view?at={seen}", "/events?limit=200")

    for who in (talon.stranger, cat, await talon.holder(Kind.APP)):
        for path in reads:
            answer = await who.get(base + path)
            assert answer.headers["etag"] == f'"{seen}.s"', path
            read = answer.json()
            assert (read["items"][-1] if "items" in read else read)["version"] == seen, path
        assert [item["version"] for item in await who.history(match)] == [*range(1, seen + 1)]


async def test_no_refusal_tells_a_spectator_how_far_the_match_is(
    talon: House, clock: Clock, ann: Client, bob: Client
) -> None:
    match, seen = await delayed(talon, clock, ann, bob)
    now, base = (await ann.view(match))["version"], f"/v1/matches/{match}"
    cat = await talon.person("Cat")

    at = await cat.get(f"{base}/view?at={now}")
    newer = await cat.get(f"{base}/events?min_version={now}")
    stream = await cat.get(f"{base}/events/stream?after={now}")
    joins = [await cat.post(f"{base}/seats", If_Match=f'"{v}"') for v in (seen, now, now + 1)]
    act = await cat.command(match, {"type": "draw_card"}, If_Match=f'"{now + 1}"')

    assert at.json()["detail"] == f"The match has versions 1 to {seen} so far."
    assert (newer.json()["version"], stream.json()["version"]) == (seen, seen)
    assert len({join.text for join in joins}) == 1
    assert (act.status_code, "version" in act.json()) == (403, False)


async def test_a_fork_shows_nothing_sooner_either(
    talon: House, clock: Clock, ann: Client, bob: Client
) -> None:
    match, seen = await delayed(talon, clock, ann, bob)
    assert (await bob.command(match, {"type": "leave"})).status_code == 200
    over, cat = (await ann.view(match))["version"], await talon.person("Cat")
    path = f"/v1/matches/{match}/forks"

    soon = [await cat.post(path, {"version": version}) for version in (seen, over, over + 1)]
    hosts = await ann.post(path, {"version": over})
    clock.move_on(DELAY + 1)
    later = await cat.post(path, {"version": over + 1})

    assert {answer.json()["code"] for answer in soon} == {"match_not_over"}
    assert hosts.json()["code"] == "no_fork_here"  # it is over, and she may know
    assert later.json()["code"] == "no_such_version"


async def test_seats_their_app_and_who_audits_see_it_as_it_is(
    talon: House, clock: Clock, ann: Client, bob: Client
) -> None:
    app = await talon.holder(Kind.APP)
    made = await app.post("/v1/players", {"name": "Host"})
    host = Client(talon.http, made.json()["token"])
    match, _ = await delayed(talon, clock, host, bob)
    now = (await host.view(match))["version"]

    for who in (bob, app, await talon.holder(Kind.AUDITOR), await talon.holder(Kind.OPERATOR)):
        assert (await who.view(match))["version"] == now
        assert (await who.history(match))[-1]["version"] == now


async def test_a_spectators_stream_and_long_poll_keep_the_delay(
    talon: House, clock: Clock, ann: Client, bob: Client
) -> None:
    match, seen = await delayed(talon, clock, ann, bob)
    path = f"/v1/matches/{match}/events/stream"
    poll = asyncio.create_task(
        talon.stranger.get(f"/v1/matches/{match}/view?wait=20", If_None_Match=f'"{seen}.s"')
    )

    async with streamed(talon, talon.stranger, path) as stream:
        await stream.until(seen)
        while stream.text.count(": still here") < 2:
            await asyncio.sleep(0.05)
        assert len(stream.events) == seen and not poll.done()
        clock.move_on(DELAY + 1)
        assert (await stream.until(seen + 1))[-1]["version"] == seen + 1
    assert (await poll).json()["version"] == seen + 1


async def test_a_spectators_stream_ends_when_they_have_seen_the_end(
    talon: House, clock: Clock, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob, spectator_delay=DELAY, rules={"target": 50})
    await play_on(match, (ann, bob))

    async with streamed(talon, talon.stranger, f"/v1/matches/{match}/events/stream") as stream:
        await asyncio.sleep(0.1)
        assert all(event["type"] != "match_started" for event in stream.events)
        clock.move_on(DELAY + 1)
        assert await stream.ended() == "match_over"
        events = [dict(event) for event in stream.events]

    assert [event.pop("id") for event in events] == [event["version"] for event in events]
    assert events == await talon.stranger.history(match)
    assert events[-1]["type"] == "match_ended"


@pytest.mark.parametrize("delay", [-1, 3_601, 1.5, "60"])
async def test_a_delay_is_up_to_an_hour_of_seconds(
    talon: House, ann: Client, delay: object
) -> None:
    refused = await ann.post("/v1/matches", {"seats": 2, "spectator_delay": delay})

    assert refused.status_code == 422
    assert json.loads(refused.text)["errors"][0]["pointer"] == "#/spectator_delay"
