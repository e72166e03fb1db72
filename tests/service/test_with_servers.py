"""The service on Postgres and Redis: two processes, restarts, and Redis away."""

from __future__ import annotations

import asyncio
import base64
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import msgspec
import pytest

from service.app import build
from service.identity import Kind
from service.settings import Settings, SettingsError
from tests.service.streaming import streamed
from tests.service.support import QUICK, Client, House, key, on_turn, play_on

pytestmark = [pytest.mark.anyio, pytest.mark.servers]


@pytest.fixture
def settings(database: str, redis_url: str, redis_prefix: str, tmp_path: Path) -> Settings:
    return msgspec.structs.replace(
        QUICK,
        database_url=database,
        data=str(tmp_path),
        redis_url=redis_url,
        redis_prefix=redis_prefix,
        seal_key=base64.b64encode(secrets.token_bytes(32)).decode(),
        signing_key=base64.b64encode(secrets.token_bytes(32)).decode(),
    )


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[House]:
    app = build(settings)
    async with app.lifespan():
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://talon") as http:
            yield House(app, http)


def elsewhere(who: Client, other: House) -> Client:
    """The same person, calling another process."""
    same = Client(other.http, who.token)
    same.id = who.id
    return same


async def test_a_match_is_played_to_the_end_over_two_processes(settings: Settings) -> None:
    async with opened(settings) as one, opened(settings) as two:
        ann, bob = await one.person("Ann"), await one.person("Bob")
        match = await one.running(ann, elsewhere(bob, two), rules={"target": 50})

        view = await play_on(match, (ann, elsewhere(bob, two)))

        assert view["status"] == "finished"
        histories = [await ann.history(match), await elsewhere(ann, two).history(match)]
        assert histories[0] == histories[1]


async def test_what_one_process_wrote_another_reads_at_once(settings: Settings) -> None:
    async with opened(settings) as one, opened(settings) as two:
        ann, bob = await one.person("Ann"), await one.person("Bob")
        match = await one.running(ann, bob)
        player = on_turn(await ann.view(match), (ann, bob))
        await elsewhere(player, two).view(match)

        done = await player.command(match, {"type": "draw_card"})
        read = await elsewhere(player, two).get(
            f"/v1/matches/{match}/view?min_version={done.json()['version']}"
        )

        assert read.json() == done.json()["view"]


async def test_a_retry_at_another_process_is_a_retry(settings: Settings) -> None:
    async with opened(settings) as one, opened(settings) as two:
        ann, bob, once = await one.person("Ann"), await one.person("Bob"), key()
        made = {"seats": 2, "visibility": "private", "bots": ["steady"]}
        matches = [
            (await who.post("/v1/matches", made, Idempotency_Key=once)).json()
            for who in (ann, elsewhere(ann, two))
        ]
        match = await one.running(ann, bob)
        player = on_turn(await ann.view(match), (ann, bob))
        draws = [
            (await who.command(match, {"type": "draw_card"}, Idempotency_Key=once)).json()
            for who in (player, elsewhere(player, two))
        ]

        assert matches[0] == matches[1]
        assert draws[0] == draws[1]


async def test_a_stream_hears_of_another_process(settings: Settings) -> None:
    async with opened(settings) as one, opened(settings) as two:
        ann, bob = await one.person("Ann"), await one.person("Bob")
        match = await one.running(ann, bob)
        past = len(await ann.history(match))
        player = on_turn(await ann.view(match), (ann, bob))
        path = f"/v1/matches/{match}/events/stream?after={past}"

        async with streamed(two, elsewhere(ann, two), path) as stream:
            await player.command(match, {"type": "draw_card"})
            (drawn,) = await stream.until(1)

        assert (drawn["version"], drawn["type"]) == (past + 1, "cards_drawn")


async def test_all_is_there_after_a_restart(settings: Settings) -> None:
    async with opened(settings) as before:
        ann, bob, once = await before.person("Ann"), await before.person("Bob"), key()
        match = await before.running(ann, bob)
        player = on_turn(await ann.view(match), (ann, bob))
        draw = {"type": "draw_card"}
        done = await player.command(match, draw, Idempotency_Key=once)

    async with opened(settings) as after:
        same = elsewhere(player, after)
        again = await same.command(match, draw, Idempotency_Key=once)

        assert again.json() == done.json()
        assert again.headers["idempotent-replayed"] == "true"
        assert await same.view(match) == done.json()["view"]


async def test_a_placed_position_is_there_after_a_restart_and_sealed(
    settings: Settings, database: str
) -> None:
    """DECK-3, case 135: whoever opens the database sees no card of it, and play goes on."""
    opening = msgspec.structs.replace(settings, sandbox=True)
    async with opened(opening) as before:
        table = await before.placed("W4 R1", "B8 B9", draw_pile="Y9 Y8", exact_pile=True)
        shown = await table.persons[0].view(table.match)
    kinds = await rows(database, "SELECT round, kind FROM round_secret ORDER BY round")
    sealed = await rows(database, "SELECT sealed FROM round_secret WHERE round = 1")

    async with opened(opening) as after:
        ann, bob = (elsewhere(who, after) for who in table.persons)
        assert await ann.view(table.match) == shown
        await ann.command(table.match, {"type": "draw_card"})
        assert (await ann.view(table.match))["you"]["drawn"] == "Y9"
        assert (await bob.view(table.match))["you"]["hand"] == ["B8", "B9"]

    assert kinds == [(1, "position"), (2, "seed")]
    assert b"B8 B9" not in sealed[0][0] and len(sealed[0][0]) > 32 + 28


async def rows(database: str, query: str) -> list[tuple[Any, ...]]:
    """What the database itself answers."""
    connection = await asyncpg.connect(database)
    try:
        return [tuple(row) for row in await connection.fetch(query)]
    finally:
        await connection.close()


async def test_the_lobby_and_the_boards_follow(settings: Settings) -> None:
    async with opened(settings) as talon:
        ann, bob = await talon.person("Ann"), await talon.person("Bob")
        over = await talon.finished(ann, bob)

        async with asyncio.timeout(20):
            items: list[str] = []
            while over not in items:
                page = await talon.stranger.get("/v1/matches?status=finished")
                items = [item["match_id"] for item in page.json()["items"]]
                await asyncio.sleep(0.1)

        scores = (await ann.view(over))["scores"]
        wanted = {ann.id: scores[0], bob.id: scores[1]}
        async with asyncio.timeout(20):
            found: dict[str, int] = {}
            while found != wanted:
                board = (await talon.stranger.get("/v1/leaderboards/points")).json()["items"]
                found = {line["player_id"]: line["points"] for line in board}
                await asyncio.sleep(0.1)


async def test_without_redis_all_goes_on(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        nobody = f"redis://127.0.0.1:{free.getsockname()[1]}/0"
    async with opened(msgspec.structs.replace(settings, redis_url=nobody)) as talon:
        assert (await talon.stranger.post("/v1/players", {"name": "Ann"})).status_code == 503
        app = await talon.holder(Kind.APP)
        made = [(await app.post("/v1/players", {"name": name})).json() for name in ("Ann", "Bob")]
        ann, bob = (Client(talon.http, one["token"]) for one in made)
        match = await talon.finished(ann, bob)

        ready = await talon.stranger.get("/health/ready")
        lobby = await talon.stranger.get("/v1/matches?status=finished")

        assert (ready.status_code, ready.json()["status"]) == (200, "degraded")
        assert (ready.json()["redis"], ready.json()["log"]) == ("down", "up")
        assert [item["match_id"] for item in lobby.json()["items"]] == [match]


async def test_readiness_ends_when_the_service_is_to_stop(settings: Settings) -> None:
    async with opened(settings) as talon:
        before = await talon.stranger.get("/health/ready")
        talon.app.state.stopping.set()
        after = await talon.stranger.get("/health/ready")

    assert (before.status_code, before.json()["status"]) == (200, "ready")
    assert (after.status_code, after.json()["status"]) == (503, "unavailable")


@pytest.mark.parametrize("missing", ["database_url", "redis_url", "seal_key", "signing_key"])
def test_a_missing_setting_is_named(settings: Settings, missing: str) -> None:
    with pytest.raises(SettingsError, match=missing):
        build(msgspec.structs.replace(settings, **{missing: None}))
