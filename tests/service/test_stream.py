"""The live stream: no gap, no double, heartbeats nobody hears, and a clean end."""

from __future__ import annotations

import asyncio

import pytest

from tests.service.streaming import streamed
from tests.service.support import Client, House, on_turn, play_on

pytestmark = pytest.mark.anyio


async def test_a_stream_begins_with_the_past_and_goes_on(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    past = await ann.history(match)
    player = on_turn(await ann.view(match), (ann, bob))

    async with streamed(talon, ann, f"/v1/matches/{match}/events/stream") as stream:
        await stream.until(len(past))
        await player.command(match, {"type": "draw_card"})
        events = await stream.until(len(past) + 1)

    assert stream.status == 200
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.text.startswith("retry: ")
    assert [event.pop("id") for event in events] == list(range(1, len(past) + 2))
    assert events == await ann.history(match)


async def test_a_stream_goes_on_after_the_last_event_seen(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    path = f"/v1/matches/{match}/events/stream"

    async with streamed(talon, bob, path, Last_Event_ID="5") as by_header:
        first = (await by_header.until(1))[0]
    async with streamed(talon, bob, f"{path}?after=5") as by_query:
        second = (await by_query.until(1))[0]
    async with streamed(talon, bob, f"{path}?after=1", Last_Event_ID="5") as by_both:
        third = (await by_both.until(1))[0]

    assert first["version"] == second["version"] == third["version"] == 6


async def test_silence_is_broken_by_comments_only(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    past = len(await ann.history(match))

    async with streamed(talon, ann, f"/v1/matches/{match}/events/stream?after={past}") as stream:
        async with asyncio.timeout(5):
            while ": " not in stream.text.partition("\n\n")[2]:
                await asyncio.sleep(0.05)

    assert stream.events == []
    for block in stream.text.split("\n\n")[1:-1]:
        assert block.startswith(":")


async def test_a_stream_ends_with_the_match(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob, rules={"target": 50})

    async with streamed(talon, talon.stranger, f"/v1/matches/{match}/events/stream") as stream:
        await play_on(match, (ann, bob))
        assert await stream.ended() == "match_over"

    assert [event["version"] for event in stream.events] == [
        item["version"] for item in await ann.history(match)
    ]
    assert stream.events[-1]["type"] == "match_ended"


async def test_who_has_it_all_is_told_not_to_come_again(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.finished(ann, bob)
    version = (await ann.view(match))["version"]

    again = await ann.get(f"/v1/matches/{match}/events/stream", Last_Event_ID=str(version))

    assert (again.status_code, again.content) == (204, b"")


async def test_a_stream_ends_when_the_service_stops(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)

    async with streamed(talon, ann, f"/v1/matches/{match}/events/stream") as stream:
        await stream.until(3)
        talon.app.state.stopping.set()
        assert await stream.ended() == "service_stopping"


async def test_a_stream_is_nobodys_who_left(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)

    async with streamed(talon, ann, f"/v1/matches/{match}/events/stream") as stream:
        await stream.until(3)
        stream.leave()
        async with asyncio.timeout(5):
            while talon.services.play.hub._followers:  # type: ignore[attr-defined]
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("by_header", [True, False])
async def test_a_stream_does_not_wait_for_a_version_that_is_not_there(
    talon: House, ann: Client, bob: Client, by_header: bool
) -> None:
    match = await talon.running(ann, bob)
    path, version = f"/v1/matches/{match}/events/stream", (await ann.view(match))["version"]

    async with asyncio.timeout(5):
        if by_header:
            refused = await ann.get(path, Last_Event_ID=str(version + 1))
        else:
            refused = await ann.get(f"{path}?after={version + 1}")

    assert (refused.status_code, refused.json()["code"]) == (412, "version_not_reached")
    assert refused.json()["version"] == version


async def test_head_of_a_stream_ends_at_once(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)

    for path, media in (("events/stream", "text/event-stream"), ("events", "application/x-ndjson")):
        async with asyncio.timeout(5):
            head = await ann.call("HEAD", f"/v1/matches/{match}/{path}", Accept=media)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"].startswith(media)


@pytest.mark.parametrize("last", ["x", "-1", "1.5", "1" * 20])
async def test_an_id_that_is_no_version_is_refused(
    talon: House, ann: Client, bob: Client, last: str
) -> None:
    match = await talon.running(ann, bob)

    refused = await ann.get(f"/v1/matches/{match}/events/stream", Last_Event_ID=last)

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_header")
