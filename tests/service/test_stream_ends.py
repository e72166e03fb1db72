"""Why a stream ends, who is told so, and what it turns into when its viewer changes."""

from __future__ import annotations

import asyncio
import json

import pytest

from domain.ports import Unavailable
from service import live, watching
from service.call import Call
from service.identity import Caller
from tests.service.streaming import streamed
from tests.service.support import Client, House, on_turn

pytestmark = pytest.mark.anyio


@pytest.fixture
def reviewed_always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who watches is found out anew with everything that is sent."""
    monkeypatch.setattr(watching, "REVIEW_SECONDS", 0.0)


async def test_a_stream_ends_with_its_token(
    talon: House, ann: Client, bob: Client, reviewed_always: None
) -> None:
    match = await talon.running(ann, bob)

    async with streamed(talon, ann, f"/v1/matches/{match}/events/stream") as stream:
        await stream.until(3)
        assert (await ann.call("DELETE", "/v1/players/me/tokens/current")).status_code == 204
        assert await stream.ended() == "token_invalid"

    assert stream.end == {
        "type": "end",
        "reason": "token_invalid",
        "detail": "The token is revoked or has run out, or its person is erased.",
    }


async def test_who_is_erased_sees_nothing_more(
    talon: House, ann: Client, bob: Client, reviewed_always: None
) -> None:
    match = await talon.running(ann, bob, await talon.person("Cat"))

    async with streamed(talon, bob, f"/v1/matches/{match}/events/stream") as stream:
        await stream.until(3)
        assert (await bob.call("DELETE", "/v1/players/me")).status_code == 204
        assert await stream.ended() == "token_invalid"


async def test_who_gives_up_a_seat_at_a_private_table_sees_it_no_more(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.table(ann, bob, seats=3, visibility="private")

    async with streamed(talon, bob, f"/v1/matches/{match}/events/stream") as stream:
        await stream.until(2)
        assert (await bob.call("DELETE", f"/v1/matches/{match}/seats/me")).status_code == 200
        assert await stream.ended() == "not_yours"

    assert all(event["type"] != "player_left" for event in stream.events)


async def test_who_gives_up_a_seat_at_a_public_table_watches_on_as_everybody_does(
    talon: House, ann: Client, bob: Client
) -> None:
    cat = await talon.person("Cat")
    match = await talon.table(ann, bob)

    async with streamed(talon, bob, f"/v1/matches/{match}/events/stream") as stream:
        assert (await bob.call("DELETE", f"/v1/matches/{match}/seats/me")).status_code == 200
        assert (await cat.post(f"/v1/matches/{match}/seats")).status_code == 200
        assert (await ann.post(f"/v1/matches/{match}/start")).status_code == 200
        whole = await talon.stranger.history(match)
        events = await stream.until(len(whole))

    assert [event | {"id": event["version"]} for event in whole] == events
    assert all("mine" not in event for event in events)


async def test_who_sits_down_while_watching_is_dealt_their_hand_on_the_same_stream(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.table(ann)

    async with streamed(talon, bob, f"/v1/matches/{match}/events/stream") as stream:
        await stream.until(1)
        assert (await bob.post(f"/v1/matches/{match}/seats")).status_code == 200
        assert (await ann.post(f"/v1/matches/{match}/start")).status_code == 200
        mine = await bob.history(match)
        events = await stream.until(len(mine))

    assert [event | {"id": event["version"]} for event in mine] == events
    assert any("hand" in event.get("mine", {}) for event in events)


async def test_a_reader_that_is_far_too_slow_is_told_so(
    talon: House, ann: Client, bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "SLOW_SECONDS", 0.05)
    match = await talon.running(ann, bob)
    past = len(await ann.history(match))
    player = on_turn(await ann.view(match), (ann, bob))

    async with streamed(talon, ann, f"/v1/matches/{match}/events/stream") as stream:
        await stream.until(past)
        stream.stall()
        assert (await player.command(match, {"type": "draw_card"})).status_code == 200
        await asyncio.sleep(0.2)
        stream.read_on()
        assert await stream.ended() == "too_slow"


async def test_a_reader_that_takes_nothing_at_all_is_dropped(
    talon: House, ann: Client, bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "GIVE_UP_SECONDS", 0.1)
    match = await talon.running(ann, bob)

    async with streamed(talon, ann, f"/v1/matches/{match}/events/stream") as stream:
        stream.stall()
        player = on_turn(await ann.view(match), (ann, bob))
        await player.command(match, {"type": "draw_card"})
        async with asyncio.timeout(10):
            while talon.services.play.hub._followers:  # type: ignore[attr-defined]
                await asyncio.sleep(0.01)


async def test_a_stream_of_lines_has_an_item_a_line_and_its_last_line_says_why(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    past = await ann.history(match)
    path, form = f"/v1/matches/{match}/events/stream", "application/x-ndjson"

    async with streamed(talon, ann, path, Accept=form, Last_Event_ID="2") as stream:
        async with asyncio.timeout(10):
            while "\n\n" not in stream.text:  # an empty line breaks the silence
                await asyncio.sleep(0.02)
        talon.app.state.stopping.set()
        async with asyncio.timeout(10):
            await stream.is_over.wait()

    assert stream.headers["content-type"] == form
    *items, last = [json.loads(line) for line in stream.text.splitlines() if line]
    assert items == past[2:]
    assert (last["type"], last["reason"]) == ("end", "service_stopping")


async def test_no_stream_ends_because_nobody_can_be_asked_who_watches(
    talon: House,
    ann: Client,
    bob: Client,
    reviewed_always: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = await talon.running(ann, bob)
    past = len(await ann.history(match))
    player = on_turn(await ann.view(match), (ann, bob))

    async def away(call: Call, now: int) -> Caller:
        raise Unavailable

    async with streamed(talon, ann, f"/v1/matches/{match}/events/stream") as stream:
        await stream.until(past)
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(Call, "again", away)
            beats = stream.text.count(": still here")
            async with asyncio.timeout(10):
                while stream.text.count(": still here") == beats:
                    await asyncio.sleep(0.05)
        await player.command(match, {"type": "draw_card"})
        await stream.until(past + 1)
        assert not stream.is_over.is_set()
