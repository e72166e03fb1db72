"""What is kept of a person is given to them, in memory and on Postgres alike."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from domain.persons import Creation, KeptRequest, Persons
from domain.ports import MatchFacts, Registry
from domain.waiting import Queue, Ticket
from infra.clock import now_us
from infra.memory import MemoryRegistry
from infra.memory_persons import MemoryPersons
from infra.memory_queue import MemoryQueue
from infra.postgres.log import PostgresLog
from infra.postgres.persons import PostgresPersons
from infra.postgres.queue import PostgresQueue
from infra.postgres.registry import PostgresRegistry
from tests.contract.conftest import SEALER
from tests.contract.pen import fresh_id

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

All = tuple[Registry, Queue, Persons]


@pytest.fixture
async def stores(database_or_none: str | None) -> AsyncIterator[All]:
    """Where persons are kept."""
    if database_or_none is None:
        registry = MemoryRegistry()
        queue = MemoryQueue(registry)
        yield registry, queue, MemoryPersons(registry, queue)
        return
    log = await PostgresLog.open(database_or_none, SEALER, pool_size=3)
    pool: Any = log.pool
    yield PostgresRegistry(pool, SEALER), PostgresQueue(pool), PostgresPersons(pool)
    await log.close()


async def test_requests_are_those_of_one_person(stores: All) -> None:
    registry, _, persons = stores
    ann, bob, later = fresh_id(), fresh_id(), now_us() + 3_600_000_000
    for key, until in (("first", later), ("second", later + 1)):
        await registry.reserve(f"player:{ann.hex()}", "createMatch", key, b"f", b"plan", until)
    await registry.reserve(f"player:{bob.hex()}", "createMatch", "other", b"f", b"plan", later)

    assert await persons.requests(ann) == (
        KeptRequest("createMatch", "second", later + 1),
        KeptRequest("createMatch", "first", later),
    )
    await registry.erase_player(ann)
    assert await persons.requests(ann) == ()


async def test_creations_are_those_of_one_person_newest_first(stores: All) -> None:
    registry, _, persons = stores
    ann, bob = fresh_id(), fresh_id()
    older, newer = sorted((fresh_id(), fresh_id()))
    for stream, player in ((older, ann), (newer, ann), (fresh_id(), bob)):
        await registry.add_match(MatchFacts(stream, player, None, None, ("cup",)))

    assert await persons.creations(ann, None, 2) == (
        Creation(newer, ("cup",)),
        Creation(older, ("cup",)),
    )
    assert await persons.creations(ann, newer, 2) == (Creation(older, ("cup",)),)
    assert await persons.creations(ann, None, 1) == (Creation(newer, ("cup",)),)
    await registry.erase_player(ann)
    assert await persons.creations(ann, None, 2) == ()


async def test_tickets_are_those_of_one_person(stores: All) -> None:
    _, queue, persons = stores
    now, ann = now_us(), fresh_id()
    mine = Ticket(fresh_id(), ann, b"salt" * 4, b"two", now, now + 60_000_000)
    other = Ticket(fresh_id(), fresh_id(), b"salt" * 4, b"six", now, now + 60_000_000)
    for one in (mine, other):
        assert await queue.enter(one, now) == one

    assert await persons.tickets(ann) == (mine,)
    await queue.forget(ann)
    assert await persons.tickets(ann) == ()
