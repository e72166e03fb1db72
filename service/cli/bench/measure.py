"""One run: every part in slices, one after another, so that a busy moment hits all alike."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import count
from random import Random
from typing import Final

import asyncpg
from msgspec import Struct

from infra.postgres.log import PostgresLog
from infra.postgres.pool import Connection
from infra.sealing import Sealer, new_key
from service.cli.bench import processes, stages, stores
from service.cli.bench.engine import engine_steps_per_s
from service.cli.bench.load_process import LoadProcess, MeasureFailed
from service.cli.bench.load_terms import Plan, Slice
from service.cli.bench.place import Place, fresh_database
from service.cli.bench.replay import replayed_events
from service.cli.bench.results import Machine, Results
from service.cli.bench.stores import BatchedStore, PlainStore
from service.cli.bench.tally import Alone, Tally, results_of
from service.cli.bench.workload import commands_of
from service.cli.demo.client import Client
from service.cli.demo.evidence import Record, record_of
from service.cli.demo.table import Table
from service.cli.demo.testimony import Testimony
from service.cli.demo.verify import verify

Say = Callable[[str], None]

SLICES: Final = 4
MATCHES: Final = 64
"""Matches in play, each with a command in flight."""
SEATS: Final = 4
TARGET: Final = 500
"""Points of the recorded match: some ten rounds, the usual length."""
WARM_UP_SECONDS: Final = 1.0


class _Stores(Struct, frozen=True):
    """The stores to compare with."""

    one_statement: PlainStore
    plain_store: PlainStore
    batched_store: BatchedStore


async def measure(place: Place, seconds: float, workers: int, say: Say) -> Results:
    """Measure every part for ``seconds``; raises MeasureFailed."""
    began = time.perf_counter()
    say("recording a match")
    record, told = await _recorded_match(place.url)
    async with AsyncExitStack() as stack:
        parts = await _stores(place, record, stack)
        load = await LoadProcess.started(Plan(place.url, MATCHES, SEATS))
        stack.push_async_callback(load.stop)
        await load.run(Slice(WARM_UP_SECONDS))
        tally = Tally()
        for number in range(1, SLICES + 1):
            say(f"slice {number} of {SLICES}")
            await _slice(place, load, parts, record, seconds / SLICES, tally)
        say("latency at half the rate")
        rate = sum(each.commands for each in tally.http) / sum(each.seconds for each in tally.http)
        tally.half.append(await load.run(Slice(seconds / 2, rate / 2)))
    say("stages")
    commands = stages.played(record, told)
    projection = await stages.projection_us(commands, place.redis_url, place.redis_prefix + "-x")
    machine = await _machine(place.database_url, workers)
    alone = Alone(stages.decide_us(commands), stages.view_us(commands), projection)
    events = len(record.events) / len(commands_of(record))
    return results_of(tally, alone, events, machine, time.perf_counter() - began)


async def _recorded_match(url: str) -> tuple[Record, Testimony]:
    """A match played on the service as the demonstration plays it, and verified."""
    client = Client(url)
    try:
        table = Table(client, Random(1), lambda line: None)
        await table.sit_down(SEATS, TARGET)
        await table.play()
        record = record_of(table.match_id, await table.history())
    finally:
        client.close()
    report = verify(record, table.testimony)
    if not report.agrees:
        raise MeasureFailed(f"the recorded match does not verify:\n{report.text()}")
    return record, table.testimony


async def _stores(place: Place, record: Record, stack: AsyncExitStack) -> _Stores:
    """The stores to compare with, on the same server, and how they are put away."""
    commands = commands_of(record)
    connections = [
        await stack.enter_async_context(_connection(place.database_url))
        for _ in range(stores.CONNECTIONS)
    ]
    await stores.make_table(connections[0])
    stack.push_async_callback(stores.drop_table, connections[0])
    database = await stack.enter_async_context(fresh_database(place.database_url, migrate=True))
    log = await PostgresLog.open(database, Sealer(new_key()))
    stack.push_async_callback(log.close)
    positions = count(1)
    return _Stores(
        one_statement=PlainStore(connections, commands, positions, checks_version=False),
        plain_store=PlainStore(connections, commands, positions, checks_version=True),
        batched_store=BatchedStore(log, commands),
    )


class _connection:  # noqa: N801
    """A connection with the server's own settings, closed at the end."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def __aenter__(self) -> Connection:
        self._open: Connection = await asyncpg.connect(self._url)
        return self._open

    async def __aexit__(self, *_: object) -> None:
        await self._open.close()


async def _slice(
    place: Place,
    load: LoadProcess,
    parts: _Stores,
    record: Record,
    seconds: float,
    tally: Tally,
) -> None:
    """Each part once, for ``seconds``."""
    before = _processor_seconds(place)
    tally.http.append(await load.run(Slice(seconds)))
    after = _processor_seconds(place)
    tally.service_cpu += after[0] - before[0]
    if place.postgres is not None:
        tally.postgres_cpu = (tally.postgres_cpu or 0.0) + after[1] - before[1]
    if place.redis is not None:
        tally.redis_cpu = (tally.redis_cpu or 0.0) + after[2] - before[2]
    tally.one_statement.append(await parts.one_statement.run(seconds))
    tally.plain_store.append(await parts.plain_store.run(seconds))
    cpu = time.process_time()
    tally.batched_store.append(await parts.batched_store.run(seconds))
    tally.append_cpu += time.process_time() - cpu
    tally.engine.append(engine_steps_per_s(seconds / 2))
    tally.replay.append(replayed_events(record, seconds / 2))


def _processor_seconds(place: Place) -> tuple[float, float, float]:
    """Processor time so far of the service, of Postgres and of Redis."""
    return (
        processes.seconds_of(place.service, servers=False),
        processes.seconds_of(place.postgres),
        processes.seconds_of(place.redis),
    )


async def _machine(database_url: str, workers: int) -> Machine:
    """What the run was made on."""
    async with _connection(database_url) as connection:
        return Machine(
            processors=os.cpu_count() or 1,
            python=platform.python_version(),
            postgres=await connection.fetchval("SHOW server_version"),
            fsync=await connection.fetchval("SHOW fsync"),
            synchronous_commit=await connection.fetchval("SHOW synchronous_commit"),
            workers=workers,
        )
