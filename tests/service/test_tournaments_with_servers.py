"""Tournaments on Postgres and Redis, with two processes, and after one is gone."""

from __future__ import annotations

from collections import Counter

import pytest

from service.identity import Kind
from service.settings import Settings
from tests.service.streaming import streamed
from tests.service.test_with_servers import elsewhere, opened, settings
from tests.service.tournaments import Held, set_up

__all__ = ["settings"]
pytestmark = [pytest.mark.anyio, pytest.mark.servers]


async def test_two_processes_take_a_tournament_on_and_each_table_is_played_once(
    settings: Settings,
) -> None:
    async with opened(settings) as one, opened(settings) as two:
        app = await one.holder(Kind.APP)
        held = await set_up(app, "swiss", bots=["random"] * 6, seeding="lot")
        await held.does("/start")

        ended = await held.over()

        there = Held(elsewhere(app, two), {"tournament": {"tournament_id": held.id}})
        assert await there.look("/standings") == await held.look("/standings")
        assert (await there.look())["result"] == ended["result"]
        events = (await there.look("/events"))["items"]
        kinds = Counter(one["type"] for one in events)
        assert kinds["table_opened"] == kinds["table_ended"] == 9
        assert len({one["event"]["match"] for one in events if one["type"] == "table_ended"}) == 9
        listed = (await app.get("/v1/tournaments?status=finished")).json()["items"]
        assert [one["tournament_id"] for one in listed] == [held.id]


async def test_a_tournament_goes_on_in_a_process_that_starts_later(settings: Settings) -> None:
    async with opened(settings) as one:
        app = await one.holder(Kind.APP)
        held = await set_up(app, bots=["random"] * 8, rules={"target": 500})
        await held.does("/start")
        before = await held.look()

    async with opened(settings) as two:
        there = Held(elsewhere(app, two), {"tournament": {"tournament_id": held.id}})
        ended = await there.over()

    assert (before["status"], ended["status"], ended["round"]) == ("running", "finished", 3)


async def test_a_stream_hears_what_another_process_does(settings: Settings) -> None:
    async with opened(settings) as one, opened(settings) as two:
        app = await one.holder(Kind.APP)
        held = await set_up(app, bots=["random"] * 2)
        async with streamed(two, elsewhere(app, two), f"{held.path}/events/stream") as stream:
            await held.does("/start")
            ended = await held.over()
            reason = await stream.ended()

        history = (await held.look("/events"))["items"]
        assert reason == "tournament_over"
        assert [event["version"] for event in stream.events] == [one["version"] for one in history]
        assert ended["status"] == "finished"
