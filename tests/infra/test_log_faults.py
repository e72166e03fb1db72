"""The log while connections break, locks hang and servers die: what it says is what happened."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from domain.ports import DuplicateCommand, OutcomeUnknown, Unavailable, WrongVersion
from infra.postgres import log as log_module
from infra.postgres import writer as writer_module
from infra.postgres.log import PositionGap, PostgresLog
from infra.sealing import Sealer
from tests.contract.pen import STARTED, Pen, calls, fresh_id, head_after, proposal
from tests.infra.cutting_proxy import CuttingProxy

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

SEALER = Sealer(bytes(range(32)))


@pytest.fixture
async def log(database: str) -> AsyncIterator[PostgresLog]:
    log = await PostgresLog.open(database, SEALER, pool_size=3)
    yield log
    await log.close()


class Lock:
    """The owner's hold on the counter: every append waits."""

    def __init__(self, owner: asyncpg.Connection[Any]) -> None:
        self._owner = owner

    async def waiting(self) -> int:
        """The server's process of the append that waits, once there is one."""
        for _ in range(200):
            pid = await self._owner.fetchval("SELECT pid FROM pg_locks WHERE NOT granted")
            if pid is not None:
                return int(pid)
            await asyncio.sleep(0.01)
        raise AssertionError("no append waits")

    async def end(self, pid: int) -> None:
        """End a process of the server, and with it its connection."""
        await self._owner.execute("SELECT pg_terminate_backend($1)", pid)


@asynccontextmanager
async def counter_locked(url: str) -> AsyncIterator[Lock]:
    """As the owner of the database, hold the counter row for a while."""
    owner = await asyncpg.connect(url)
    try:
        async with owner.transaction():
            await owner.execute("SELECT FROM log_counter FOR UPDATE")
            yield Lock(owner)
    finally:
        await owner.close(timeout=2)


async def test_a_connection_that_ends_in_mid_append_leaves_the_outcome_unknown(
    log: PostgresLog, database: str
) -> None:
    pen = Pen(log)
    await pen.write(STARTED)
    async with counter_locked(database) as lock:
        appending = asyncio.create_task(pen.write(*calls(0)))
        await lock.end(await lock.waiting())
        with pytest.raises(OutcomeUnknown):
            await appending
    assert len((await log.read(pen.stream)).events) == 1  # the look-up says: it did not happen
    assert [each.version for each in await pen.write(*calls(0))] == [2]


@pytest.mark.parametrize("cut", [True, False], ids=["cut", "silent"])
async def test_an_append_whose_answer_is_lost_stands_and_is_found(
    database: str, cut: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "ANSWER_SECONDS", 0.5)
    async with CuttingProxy(database, cut) as proxy:
        log = await PostgresLog.open(proxy.url, SEALER, pool_size=3)
        pen, command = Pen(log), fresh_id()
        await pen.write(STARTED)
        proxy.lose_next_answer()
        with pytest.raises(OutcomeUnknown):
            await pen.write(*calls(0), command=command)
        proxy.heal()
        (event,) = (await read_again(log, pen.stream))[1:]
        assert event.command_id == command
        with pytest.raises(DuplicateCommand):
            await pen.write(*calls(0), command=command)
        pen.head = head_after((event,))
        assert [each.version for each in await pen.write(*calls(1))] == [3]
        await log.close()


async def read_again(log: PostgresLog, stream: bytes) -> tuple[Any, ...]:
    """The events, once the pool has noticed which of its connections are gone."""
    for _ in range(5):
        with contextlib.suppress(Unavailable):
            return (await log.read(stream)).events
    return (await log.read(stream)).events


async def test_all_commands_of_a_lost_batch_hear_so_and_later_ones_are_appended(
    log: PostgresLog, database: str
) -> None:
    pens = [Pen(log) for _ in range(6)]
    async with counter_locked(database) as lock:
        first = asyncio.create_task(pens[0].write(STARTED))
        alone = await lock.waiting()
        batch = [asyncio.create_task(pen.write(STARTED)) for pen in pens[1:5]]
        await asyncio.sleep(0)
        await lock.end(alone)
        with pytest.raises(OutcomeUnknown):
            await first
        together = await lock.waiting()
        last = asyncio.create_task(pens[5].write(STARTED))
        await asyncio.sleep(0)
        await lock.end(together)
        outcomes = await asyncio.gather(*batch, return_exceptions=True)
        assert [type(each) for each in outcomes] == [OutcomeUnknown] * 4
    assert [each.position for each in await last] == [1]


async def test_a_counter_that_stays_locked_makes_the_log_unavailable(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(log_module._WRITER_SETTINGS, "lock_timeout", "200ms")
    log = await PostgresLog.open(database, SEALER, pool_size=3)
    pen = Pen(log)
    async with counter_locked(database):
        with pytest.raises(Unavailable):
            await pen.write(STARTED)
    assert [each.version for each in await pen.write(STARTED)] == [1]
    await log.close()


async def test_a_command_that_waited_too_long_is_not_appended(
    log: PostgresLog, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = Pen(log), Pen(log)
    async with counter_locked(database) as lock:
        one = asyncio.create_task(first.write(STARTED))
        await lock.waiting()
        monkeypatch.setattr(writer_module, "QUEUE_SECONDS", 0.05)
        two = asyncio.create_task(second.write(STARTED))
        await asyncio.sleep(0.1)
    assert [each.position for each in await one] == [1]
    with pytest.raises(Unavailable):
        await two
    assert await log.position() == 1


async def test_a_full_queue_takes_no_more(
    log: PostgresLog, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "QUEUE_COMMANDS", 2)
    async with counter_locked(database) as lock:
        running = asyncio.create_task(Pen(log).write(STARTED))
        await lock.waiting()
        queued = [asyncio.create_task(Pen(log).write(STARTED)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Unavailable):
            await Pen(log).write(STARTED)
    assert len(await asyncio.gather(running, *queued)) == 3


async def test_a_caller_that_goes_away_does_not_disturb_the_others(
    log: PostgresLog, database: str
) -> None:
    gone, queued, stays = Pen(log), Pen(log), Pen(log)
    async with counter_locked(database) as lock:
        one = asyncio.create_task(gone.write(STARTED))
        await lock.waiting()
        two = asyncio.create_task(queued.write(STARTED))
        three = asyncio.create_task(stays.write(STARTED))
        await asyncio.sleep(0)
        one.cancel()
        two.cancel()
    assert [each.version for each in await three] == [1]
    assert set(await log.heads([gone.stream, queued.stream, stays.stream])) == {
        gone.stream,  # it was on its way
        stays.stream,
    }


async def test_a_command_with_impossible_content_fails_alone(
    log: PostgresLog, database: str
) -> None:
    good = [Pen(log) for _ in range(3)]
    async with counter_locked(database) as lock:
        first = asyncio.create_task(Pen(log).write(STARTED))
        await lock.waiting()
        batch = [
            asyncio.create_task(good[0].write(STARTED)),
            asyncio.create_task(Pen(log).write(STARTED, secrets={0: b"no round"})),
            asyncio.create_task(good[1].write(STARTED)),
            asyncio.create_task(Pen(log).write(STARTED, due_at=2**70)),
            asyncio.create_task(good[2].write(STARTED)),
        ]
        await asyncio.sleep(0)
    await first
    outcomes = await asyncio.gather(*batch, return_exceptions=True)
    assert [type(each) for each in outcomes[::2]] == [tuple, tuple, tuple]
    assert isinstance(outcomes[1], asyncpg.CheckViolationError)
    assert isinstance(outcomes[3], asyncpg.DataError)
    assert [each.position for each in await log.follow(0, 10)] == [1, 2, 3, 4]


async def test_a_retry_at_the_right_head_spoils_no_batch(log: PostgresLog, database: str) -> None:
    pen, other, command = Pen(log), Pen(log), fresh_id()
    await pen.write(STARTED, command=command)
    async with counter_locked(database) as lock:
        first = asyncio.create_task(Pen(log).write(STARTED))
        await lock.waiting()
        retry = asyncio.create_task(pen.write(*calls(0), command=command))
        neighbor = asyncio.create_task(other.write(STARTED))
        await asyncio.sleep(0)
    await first
    with pytest.raises(DuplicateCommand):
        await retry
    assert [each.version for each in await neighbor] == [1]
    assert await log.position() == 3


async def test_a_gap_in_the_positions_stops_the_reader(log: PostgresLog, database: str) -> None:
    await Pen(log).write(STARTED)
    owner = await asyncpg.connect(database)
    await owner.execute("UPDATE log_counter SET position = position + 1")
    await owner.close()
    await Pen(log).write(STARTED)
    with pytest.raises(PositionGap, match="position 2 is missing"):
        await log.follow(0, 10)
    assert [each.position for each in await log.follow(2, 10)] == [3]


async def test_a_closed_log_appends_what_waits_and_then_nothing(database: str) -> None:
    log = await PostgresLog.open(database, SEALER, pool_size=3)
    pens = [Pen(log) for _ in range(3)]
    waiting = [asyncio.create_task(pen.write(STARTED)) for pen in pens]
    await asyncio.sleep(0)
    await log.close()
    assert [each[0].version for each in await asyncio.gather(*waiting)] == [1, 1, 1]
    with pytest.raises(Unavailable):
        await log.append(proposal(fresh_id(), STARTED))
    with pytest.raises(Unavailable):
        await log.read(fresh_id())


async def test_no_server_is_unavailable() -> None:
    with pytest.raises(Unavailable):
        await PostgresLog.open("postgresql://nobody@127.0.0.1:1/nothing", SEALER)


async def test_one_stream_twice_in_the_queue_is_appended_in_order(
    log: PostgresLog, database: str
) -> None:
    stream = fresh_id()
    async with counter_locked(database) as lock:
        first = asyncio.create_task(Pen(log).write(STARTED))
        await lock.waiting()
        both = [asyncio.create_task(Pen(log, stream).write(STARTED)) for _ in range(2)]
        await asyncio.sleep(0)
    await first
    assert [each.version for each in await both[0]] == [1]
    with pytest.raises(WrongVersion):
        await both[1]
