"""The log and the registry under contract, each in memory and on Postgres."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from domain.ports import EventLog, Registry
from infra.memory import MemoryLog, MemoryRegistry
from infra.postgres.log import PostgresLog
from infra.postgres.registry import PostgresRegistry
from infra.sealing import Sealer
from tests.contract.pen import Time

SEALER = Sealer(bytes(range(32)))


@pytest.fixture(params=["memory", "postgres"])
def database_or_none(request: pytest.FixtureRequest) -> str | None:
    """The URL of a fresh database, or None for the one in memory."""
    return None if request.param == "memory" else request.getfixturevalue("database")


@pytest.fixture
async def logs(database_or_none: str | None) -> AsyncIterator[tuple[EventLog, EventLog]]:
    """The same log as two processes see it."""
    if database_or_none is None:
        log = MemoryLog()
        yield log, log
        return
    one = await PostgresLog.open(database_or_none, SEALER, pool_size=3)
    two = await PostgresLog.open(database_or_none, SEALER, pool_size=3)
    yield one, two
    await one.close()
    await two.close()


@pytest.fixture
def log(logs: tuple[EventLog, EventLog]) -> EventLog:
    return logs[0]


@pytest.fixture
def time() -> Time:
    """A clock that a test sets."""
    return Time()


@pytest.fixture
async def registry(database_or_none: str | None, time: Time) -> AsyncIterator[Registry]:
    if database_or_none is None:
        yield MemoryRegistry(time)
        return
    log = await PostgresLog.open(database_or_none, SEALER, pool_size=3)
    yield PostgresRegistry(log.pool, SEALER, time)
    await log.close()
