"""What projections ask of Postgres: the lead, and the log with the rest left out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import asyncpg
import pytest

from domain.ports import Unavailable
from infra.postgres.log import PostgresLog
from infra.postgres.pool import connect
from infra.projections.postgres_leader import PostgresLeader
from infra.projections.postgres_scan import TABLE_EVENTS, PostgresScan
from infra.projections.scan import Changed, FollowScan, LogGap, TableEvents
from infra.sealing import Sealer
from tests.infra.club import Club

pytestmark = [pytest.mark.anyio, pytest.mark.servers]


@pytest.fixture
async def log(database: str) -> AsyncIterator[PostgresLog]:
    log = await PostgresLog.open(database, Sealer(bytes(32)), pool_size=3)
    yield log
    await log.close()


def candidate(url: str) -> PostgresLeader:
    return PostgresLeader(lambda: connect(url))


async def test_one_leads_until_it_resigns_and_the_next_has_a_higher_epoch(database: str) -> None:
    one, other = candidate(database), candidate(database)
    first = await one.epoch()
    assert first is not None
    assert await other.epoch() is None
    assert await one.epoch() == first
    await one.resign()
    second = await other.epoch()
    assert second is not None and second > first
    assert await one.epoch() is None
    await one.resign()
    await other.resign()


async def test_who_loses_the_connection_loses_the_lead(database: str) -> None:
    one, other = candidate(database), candidate(database)
    first = await one.epoch()
    owner = await asyncpg.connect(database)
    await owner.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
    )
    await owner.close()
    second = await until_leading(other)
    assert first is not None and second > first
    with suppress(Unavailable):  # It may notice only when it asks.
        assert await one.epoch() is None
    assert await one.epoch() is None
    await one.resign()
    await other.resign()


async def until_leading(leader: PostgresLeader) -> int:
    for _ in range(100):
        epoch = await leader.epoch()
        if epoch is not None:
            return epoch
        await asyncio.sleep(0.02)
    raise AssertionError("the lead did not become free")


async def test_a_database_that_is_away_is_unavailable() -> None:
    nobody = candidate("postgresql://root@127.0.0.1:1/none")
    with pytest.raises(Unavailable):
        await nobody.epoch()


async def test_both_scans_see_the_same(log: PostgresLog) -> None:
    await Club(log).evening(1, matches=12)
    all_events, only_some = FollowScan(log), PostgresScan(log.pool)
    head = await log.position()
    assert await only_some.position() == head
    whole = await all_events.table_events(0, 10_000)
    assert await only_some.table_events(0, 10_000) == whole
    assert whole.end == head > len(whole.events) > 50
    for after, limit in ((0, 7), (13, 40), (head - 3, 10), (head, 5)):
        assert await only_some.changed(after, limit) == await all_events.changed(after, limit)


async def test_pages_of_events_are_complete_up_to_their_end(log: PostgresLog) -> None:
    await Club(log).evening(2, matches=12)
    scan, head = PostgresScan(log.pool), await log.position()
    whole = await scan.table_events(0, 10_000)
    paged: list[TableEvents] = [await scan.table_events(0, 3)]
    while paged[-1].end < head:
        paged.append(await scan.table_events(paged[-1].end, 3))
    assert [event for page in paged for event in page.events] == list(whole.events)
    assert await scan.table_events(head, 3) == TableEvents(head, (), is_last=True)
    assert await scan.changed(head + 5, 3) == Changed(head + 5, {})


async def test_a_hole_in_the_log_is_noticed(log: PostgresLog, database: str) -> None:
    await Club(log).play("ANN", "BOB", scores=(1, 0))
    owner = await asyncpg.connect(database)
    await owner.execute(
        "ALTER TABLE event DISABLE TRIGGER USER; DELETE FROM event WHERE position = 2"
    )
    await owner.close()
    with pytest.raises(LogGap):
        await PostgresScan(log.pool).changed(0, 100)


async def test_the_events_of_the_boards_are_found_by_their_own_index(
    log: PostgresLog, database: str
) -> None:
    owner = await asyncpg.connect(database)
    await owner.execute(
        "SET enable_seqscan = off; SET enable_sort = off; SET enable_bitmapscan = off"
    )
    plan = await owner.fetch(f"EXPLAIN {TABLE_EVENTS}", 0, 0, 1_000_000, 1_000)
    await owner.close()
    assert any("event_of_table" in row[0] for row in plan)
