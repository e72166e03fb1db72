"""The log and Redis held against each other and against what clients were told."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import asyncpg
import msgspec

from domain.chain import event_hash, genesis
from infra.redis.snapshot import snapshot
from service.app.stores import Stores, open_stores
from service.cli.demo.evidence import record_of
from service.cli.demo.verify import check_chain, check_receipts, verify
from service.cli.demo.wire import PAGE, Item
from service.settings import load
from tests.faults.caller import Caller
from tests.faults.tables import Table, look
from tests.servers import forget_keys

REBUILT = "-rebuilt"
"""What a prefix gets for what is computed from the log alone, to compare with."""
SETTLED_SECONDS = 0.3
"""By then a process has written the views of what it was asked last."""
Rows = list[asyncpg.Record]


async def rows(database: str, statement: str, *values: object) -> Rows:
    """The rows of one statement."""
    connection = await asyncpg.connect(database)
    try:
        return await connection.fetch(statement, *values)
    finally:
        await connection.close()


async def counts(database: str) -> Counter[str]:
    """How many rows each table has that a POST may write to."""
    tables = ("event", "stream_head", "player", "token", "match_facts", "match_seat")
    tables += ("queue_ticket", "webhook")
    parts = [f"SELECT '{name}', count(*) FROM {name}" for name in tables]
    return Counter(dict(map(tuple, await rows(database, " UNION ALL ".join(parts)))))


async def check_log(database: str) -> Rows:
    """The whole log is sound; its events.

    Positions are dense from 1 to where the counter stands; in each stream versions are contiguous,
    times rise from command to command, hashes follow from the bytes and command ids are unique;
    the heads are those of the last events.
    """
    log = await rows(database, "SELECT * FROM event ORDER BY position")
    assert [row["position"] for row in log] == list(range(1, len(log) + 1))
    (counter,) = await rows(database, "SELECT position FROM log_counter")
    assert counter["position"] == len(log)
    streams: dict[UUID, Rows] = defaultdict(list)
    for row in log:
        streams[row["stream_id"]].append(row)
    heads = {}
    for stream, events in streams.items():
        assert [row["version"] for row in events] == list(range(1, len(events) + 1))
        commands = [row["command_id"] for row in events if row["command_id"] is not None]
        assert len(set(commands)) == len(commands)
        heads[stream] = (len(events), _last_hash(stream, events))
    found = await rows(database, "SELECT stream_id, version, head_hash FROM stream_head")
    assert {row["stream_id"]: (row["version"], row["head_hash"]) for row in found} == heads
    return log


def _last_hash(stream: UUID, events: Rows) -> bytes:
    """The hash at the end of a chain, each computed again from the bytes stored."""
    previous = genesis(stream.bytes)
    for row in events:
        command = row["command_id"]
        previous = event_hash(
            stream_id=stream.bytes,
            version=row["version"],
            type=row["type"],
            schema=row["schema"],
            occurred_at=round(row["occurred_at"].timestamp() * 1_000_000),
            actor=row["actor"],
            command_id=None if command is None else command.bytes,
            previous=previous,
            data=row["data"],
        )
        assert previous == row["hash"], (stream, row["version"])
    return previous


async def history(caller: Caller, at: Table, token: str | None, stored: bool = False) -> list[Any]:
    """All items of a match as a viewer reads them."""
    items: list[Any] = []
    form = "stored" if stored else "plain"
    while True:
        after = items[-1]["version"] if items else 0
        query = f"?format={form}&limit={PAGE}&after={after}"
        page = await caller.get_json(f"{at.path}/events{query}", token=token)
        items += page["items"]
        if page["next"] is None:
            return items


async def check_told(caller: Caller, at: Table) -> None:
    """What the people at a table were told stands in its history, which verifies.

    A finished match is verified whole: chain, receipts, seeds, hands, shuffles, scores, result.
    """
    view = await look(at, caller, 0 if at.people else None)
    items = await history(caller, at, None, stored=True)
    read = msgspec.json.decode(msgspec.json.encode(items), type=tuple[Item, ...])
    record = record_of(at.match_id, read)
    assert len(record.events) == view.version
    if view.status == "finished":
        report = verify(record, at.testimony)
        assert report.agrees, report.text()
    else:
        check_chain(record)
        check_receipts(record, at.testimony)


def commands_of(log: Rows, match_id: str) -> Counter[str]:
    """How many commands of each kind of actor a match has."""
    return Counter(
        row["actor"].partition(":")[0]
        for row in log
        if str(row["stream_id"]) == match_id and row["command_id"] is not None
    )


async def standings_of_log(database: str) -> dict[str, dict[str, int]]:
    """The leaderboards as they follow from the ends of matches, by board and player."""
    ended = await rows(
        database, "SELECT stream_id, data FROM event WHERE type = 'match_ended' ORDER BY position"
    )
    points: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for row in ended:
        result = msgspec.json.decode(row["data"])
        joined = await rows(
            database,
            """
            SELECT s.player_id FROM event e JOIN match_seat s ON s.match_id = e.stream_id
                AND s.digest = convert_from(e.data, 'UTF8')::json->>'player'
            WHERE e.stream_id = $1 AND e.type = 'player_joined' ORDER BY e.version
            """,
            row["stream_id"],
        )
        for seat, person in enumerate(joined):
            player = str(person["player_id"])
            points[player] += result["scores"][seat]
            won[player] += seat in result["winners"]
    return {"points": dict(points), "matches_won": dict(won)}


async def check_standings(caller: Caller, database: str, seconds: float = 20) -> None:
    """The leaderboards that the service shows come to be those of the log."""
    wanted = await standings_of_log(database)
    for board, lines in wanted.items():
        assert len(lines) < PAGE
        shown: dict[str, int] = {}
        until = time.monotonic() + seconds
        while shown != lines and time.monotonic() < until:
            page = await caller.get_json(f"/v1/leaderboards/{board}?limit={PAGE}")
            shown = {line["player_id"]: line["points"] for line in page["items"]}
            await asyncio.sleep(0.1)
        assert shown == lines


async def check_redis(settings: Mapping[str, str], seconds: float = 30) -> dict[str, object]:
    """What is in Redis comes to be, byte for byte, what a rebuild from the log makes."""
    prefix = settings["TALON_REDIS_PREFIX"]
    async with _stores(settings, prefix + REBUILT) as empty:
        await empty.rebuilder().run()
        wanted = await _content(empty, prefix + REBUILT)
    async with _stores(settings, prefix) as live:
        found: dict[str, object] = {}
        until = time.monotonic() + seconds
        while found != wanted and time.monotonic() < until:
            await asyncio.sleep(0.1)
            found = await _content(live, prefix)
    keys = wanted.keys() | found.keys()
    assert {key for key in keys if wanted.get(key) != found.get(key)} == set()
    return found


async def _content(stores: Stores, prefix: str) -> dict[str, object]:
    found = await snapshot(stores.server, stores.generations)
    return {key.removeprefix(prefix): content for key, content in found.items()}


@asynccontextmanager
async def _stores(settings: Mapping[str, str], prefix: str) -> AsyncIterator[Stores]:
    async with open_stores(load({**settings, "TALON_REDIS_PREFIX": prefix})) as stores:
        yield stores


def fresh_prefix() -> str:
    """A prefix in Redis that nobody else uses."""
    return f"talon-test-{secrets.token_hex(6)}"


def forget(settings: Mapping[str, str]) -> None:
    """Delete all keys under the prefix of some settings."""
    forget_keys(settings["TALON_REDIS_URL"], settings["TALON_REDIS_PREFIX"])


@asynccontextmanager
async def views_as_before(settings: Mapping[str, str], match_id: str) -> AsyncIterator[None]:
    """After the block, Redis has of a match what it had before: as if the writer were late."""
    async with _stores(settings, settings["TALON_REDIS_PREFIX"]) as stores:
        views = (await stores.generations.current(fresh=True)).views
        key = stores.server.keys.view(views, UUID(match_id).bytes)
        before = await _once_not(stores, key, None)
        yield
        await asyncio.sleep(SETTLED_SECONDS)
        assert await _once_not(stores, key, before)
        await stores.server.command("SET", key, before)


async def _once_not(stores: Stores, key: str, value: bytes | None) -> bytes:
    """What a key holds once that is not ``value`` any more."""
    async with asyncio.timeout(10):
        while (found := await stores.server.command("GET", key)) == value:
            await asyncio.sleep(0.01)
    assert isinstance(found, bytes)
    return found
