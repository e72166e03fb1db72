"""Bots whose process stops, or is killed, are moved on by another, and each time once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from random import Random
from uuid import UUID

import pytest

from domain.commands import ActorKind
from service.cli.demo.wire import NewMatch, read
from service.play.command_ids import command_id
from tests.faults import audit
from tests.faults.caller import Caller
from tests.faults.processes import processes
from tests.faults.tables import Table
from tests.faults.watching import Watch
from tests.house.running import talon

pytestmark = [pytest.mark.anyio, pytest.mark.servers, pytest.mark.slow]

MATCHES, BOTS, TARGET = 3, 4, 300
MOVES = 10
"""Events seen in each phase: far fewer than it takes to win."""
GOES_ON_SECONDS = 30
OVER = 10_000


async def test_bots_play_on_whatever_becomes_of_their_process(
    settings: dict[str, str], tmp_path: Path
) -> None:
    database = settings["TALON_DATABASE_URL"]
    app = talon("token", "app", "--name", "Bots", settings=settings).stdout.strip()
    async with processes(settings, tmp_path, 2) as (one, two):
        urls = [one.url, two.url]
        caller = Caller([one.url], Random(1))
        playing = [await table_of_bots(caller, app) for _ in range(MATCHES)]
        watches = [Watch(urls, at.match_id, None, Random(2)) for at in playing]
        for watch in watches:
            watch.start()
        await moved_on(database, playing)

        one.freeze()  # it still thinks that it has the next move
        await moved_on(database, playing)
        one.thaw()
        await moved_on(database, playing)
        await one.kill()
        await moved_on(database, playing)
        await two.kill()
        one.start()
        await moved_on(database, playing)

        for watch in watches:
            await watch.ended(60)
        two.start()
        await two.ready()
        log = await audit.check_log(database)
        for at, watch in zip(playing, watches, strict=True):
            assert watch.items == await audit.history(caller, at, None)
            await audit.check_told(caller, at)
            assert audit.commands_of(log, at.match_id).keys() == {"service", "app", "bot"}
            check_moved_once(log, at.match_id)
    await audit.check_redis(settings)


async def table_of_bots(caller: Caller, app: str) -> Table:
    """A running match of nobody but bots."""
    body = {"seats": BOTS, "bots": ["steady", "random"] * (BOTS // 2), "rules": {"target": TARGET}}
    made = await caller.post("/v1/matches", body, token=app)
    at = Table(read(made, NewMatch, "a match").match_id, ())
    started = await caller.post(f"{at.path}/start", token=app)
    assert started.status == 200, started.body
    return at


async def moved_on(database: str, playing: list[Table]) -> None:
    """Wait until every match that is not over has had some more moves."""
    before = await versions(database, playing)
    async with asyncio.timeout(GOES_ON_SECONDS):
        while True:
            now = await versions(database, playing)
            if all(now[match] >= min(version + MOVES, OVER) for match, version in before.items()):
                return
            await asyncio.sleep(0.05)


async def versions(database: str, playing: list[Table]) -> Mapping[UUID, int]:
    """Where the matches stand; one that is over has come as far as it will."""
    found = await audit.rows(
        database,
        "SELECT stream_id, version, is_open FROM stream_head WHERE stream_id = ANY ($1)",
        [UUID(at.match_id) for at in playing],
    )
    assert any(row["is_open"] for row in found)
    return {row["stream_id"]: row["version"] if row["is_open"] else OVER for row in found}


def check_moved_once(log: audit.Rows, match_id: str) -> None:
    """Each command of a bot bears the one id of its seat at the version that it was chosen for."""
    stream = UUID(match_id).bytes
    for row in log:
        kind, _, seat = row["actor"].partition(":")
        if str(row["stream_id"]) == match_id and kind == "bot" and row["command_id"]:
            key = f"{row['version'] - 1}:{seat}"
            assert row["command_id"].bytes == command_id(stream, ActorKind.BOT, None, key)
