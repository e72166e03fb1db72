"""Matches in which the service itself must act: bots' moves, and clocks that run out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from domain.commands import ActorKind
from service.cli.demo.wire import Answer, NewMatch, read
from service.play.command_ids import command_id
from tests.faults import audit
from tests.faults.caller import Caller
from tests.faults.tables import Table
from tests.house.running import talon

BOTS = 4
MOVES = 10
"""Events waited for: far fewer than it takes to win."""
GOES_ON_SECONDS = 30
OVER = 10_000
"""What counts as the version of a match that is over: it has come as far as it will."""


async def an_app(settings: Mapping[str, str]) -> str:
    """The token of an application, which may set up tables for others."""
    made = await asyncio.to_thread(talon, "token", "app", "--name", "Bots", settings=settings)
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


async def an_operator(settings: Mapping[str, str]) -> str:
    """The token of an operator."""
    made = await asyncio.to_thread(talon, "token", "operator", settings=settings)
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


async def table_of_bots(caller: Caller, app: str, target: int) -> Table:
    """A running match of nobody but bots."""
    body = {"seats": BOTS, "bots": ["steady", "random"] * (BOTS // 2), "rules": {"target": target}}
    made = await caller.post("/v1/matches", body, token=app)
    at = Table(read(made, NewMatch, "a match").match_id, ())
    started = await caller.post(f"{at.path}/start", token=app)
    at.version = read(started, Answer, "a start").version
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
    """Whatever the service did bears the one id of what was due at the version it was done at."""
    stream = UUID(match_id).bytes
    for row in log:
        if str(row["stream_id"]) != match_id or row["command_id"] is None:
            continue
        kind, _, seat = row["actor"].partition(":")
        due = {"bot": f"{row['version'] - 1}:{seat}", "service": f"clock:{row['version'] - 1}"}
        if kind in due:
            id = command_id(stream, ActorKind(kind), None, due[kind])
            assert row["command_id"].bytes == id


async def ran_out(database: str, at: Table, times: int) -> list[datetime]:
    """When the clock of a match ran out, once it has that often."""
    runs: audit.Rows = []
    async with asyncio.timeout(GOES_ON_SECONDS):
        while len(runs) < times:
            await asyncio.sleep(0.05)
            runs = await audit.rows(
                database,
                "SELECT occurred_at FROM event WHERE stream_id = $1 AND type = 'clock_ran_out'"
                " ORDER BY version",
                UUID(at.match_id),
            )
    return [row["occurred_at"] for row in runs]
