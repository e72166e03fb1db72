"""What any queue must do, in memory and on Postgres alike."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from domain.ports import Player, Registry
from domain.waiting import Queue, Ticket
from infra.memory import MemoryRegistry
from infra.memory_queue import MemoryQueue
from infra.postgres.log import PostgresLog
from infra.postgres.queue import PostgresQueue
from infra.postgres.registry import PostgresRegistry
from infra.sealing import Sealer
from tests.contract.pen import fresh_id

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

NOW = 1_700_000_000_000_000
MINUTE = 60_000_000
SEALER = Sealer(bytes(range(32)))
Both = tuple[Registry, Queue, Queue]


@pytest.fixture
async def both(database_or_none: str | None) -> AsyncIterator[Both]:
    """A registry, and the same queue as two processes see it."""
    if database_or_none is None:
        registry = MemoryRegistry()
        queue = MemoryQueue(registry)
        yield registry, queue, queue
        return
    one = await PostgresLog.open(database_or_none, SEALER, pool_size=4)
    two = await PostgresLog.open(database_or_none, SEALER, pool_size=4)
    yield PostgresRegistry(one.pool, SEALER), PostgresQueue(one.pool), PostgresQueue(two.pool)
    await one.close()
    await two.close()


@pytest.fixture
def queue(both: Both) -> Queue:
    return both[1]


def ticket(wish: bytes = b"two", since: int = NOW, player: bytes | None = None) -> Ticket:
    return Ticket(fresh_id(), player or fresh_id(), b"salt" * 4, wish, since, since + MINUTE)


async def test_who_has_waited_longest_is_given_a_match(queue: Queue) -> None:
    first, second, third = (ticket(since=NOW + number) for number in (0, 1, 2))
    for one in (third, first, second):
        assert await queue.enter(one, NOW) == one
    match = fresh_id()

    assert await queue.pair(b"two", 2, match, NOW + 3)

    assert [one.id for one in await queue.party(match)] == [first.id, second.id]
    waiting = await queue.ticket(third.id)
    assert waiting is not None and waiting.match is None
    assert not await queue.pair(b"two", 2, fresh_id(), NOW + 3)


async def test_only_the_same_wish_is_matched(queue: Queue) -> None:
    await queue.enter(ticket(b"two"), NOW)
    await queue.enter(ticket(b"three"), NOW)

    assert not await queue.pair(b"two", 2, fresh_id(), NOW)


async def test_a_person_has_one_ticket_that_waits(queue: Queue) -> None:
    mine = ticket()
    other = ticket(b"three", player=mine.player)

    assert await queue.enter(mine, NOW) == mine
    assert await queue.enter(other, NOW) == mine
    assert await queue.enter(mine, NOW) == mine
    assert await queue.ticket(other.id) is None


async def test_a_ticket_that_has_run_out_makes_room_and_is_not_matched(queue: Queue) -> None:
    mine = ticket()
    await queue.enter(mine, NOW)
    later = ticket(since=NOW + MINUTE, player=mine.player)

    assert not await queue.pair(b"two", 1, fresh_id(), NOW + MINUTE)
    assert await queue.enter(later, NOW + MINUTE) == later


async def test_who_asks_again_waits_longer(queue: Queue) -> None:
    mine = ticket()
    await queue.enter(mine, NOW)
    await queue.stay(mine.id, NOW + 5 * MINUTE)
    await queue.stay(mine.id, NOW + 2 * MINUTE)

    assert await queue.pair(b"two", 1, fresh_id(), NOW + 4 * MINUTE)


async def test_a_ticket_that_is_matched_stays_what_it_is(queue: Queue) -> None:
    mine, match = ticket(), fresh_id()
    await queue.enter(mine, NOW)
    await queue.pair(b"two", 1, match, NOW)

    again = await queue.enter(mine, NOW)
    another = await queue.enter(ticket(player=mine.player), NOW)

    assert again is not None and again.match == match
    assert another is not None and another.match is None
    assert not await queue.leave(mine.id)
    await queue.stay(mine.id, NOW + 9 * MINUTE)
    assert await queue.ticket(mine.id) == again


async def test_who_leaves_is_not_matched(queue: Queue) -> None:
    mine = ticket()
    await queue.enter(mine, NOW)

    assert await queue.leave(mine.id)
    assert await queue.leave(mine.id)

    assert not await queue.pair(b"two", 1, fresh_id(), NOW)
    assert await queue.ticket(mine.id) is None


async def test_an_erased_person_neither_waits_nor_is_remembered(both: Both) -> None:
    registry, queue, _ = both
    ann = Player(fresh_id(), "Ann", None, NOW)
    await registry.add_player(ann, None)
    mine = ticket(player=ann.id)
    await queue.enter(mine, NOW)

    await registry.begin_erasure(ann.id)
    await queue.forget(ann.id)

    assert await queue.ticket(mine.id) is None
    assert await queue.enter(mine, NOW) is None


async def test_the_same_request_twice_at_once_is_one_ticket(both: Both) -> None:
    _, one, two = both
    for _ in range(20):
        mine = ticket()
        entered = await asyncio.gather(*(queue.enter(mine, NOW) for queue in (one, two) * 2))
        assert set(entered) == {mine}


async def test_nobody_is_given_two_matches_and_nobody_is_left_over(both: Both) -> None:
    """Many people ask two processes at once; whoever has entered looks for a party."""
    _, *processes = both
    matches: list[bytes] = []

    async def ask(number: int) -> None:
        queue, match = processes[number % 2], fresh_id()
        await queue.enter(ticket(b"three", NOW + number), NOW)
        if await queue.pair(b"three", 3, match, NOW + 60):
            matches.append(match)

    await asyncio.gather(*(ask(number) for number in range(24)))

    parties = [await processes[0].party(match) for match in matches]
    assert Counter(len(party) for party in parties) == {3: 8}
    assert len({one.player for party in parties for one in party}) == 24


async def test_a_ticket_that_was_given_back_does_not_wait_again(both: Both) -> None:
    """A request that made it, and comes once more after that, is told what it was told first."""
    _, one, two = both
    mine, other = ticket(), ticket()
    await one.enter(mine, NOW)
    assert await one.leave(mine.id)

    assert await two.enter(mine, NOW) == mine

    assert await one.ticket(mine.id) is None
    await one.enter(other, NOW)
    assert not await one.pair(b"two", 2, fresh_id(), NOW)


async def test_who_asks_while_their_ticket_is_given_a_match_is_not_taken_for_erased(
    both: Both,
) -> None:
    _, *processes = both
    player = fresh_id()

    async def ask(number: int) -> Ticket | None:
        queue = processes[number % 2]
        entered = await queue.enter(ticket(b"alone", player=player), NOW)
        await queue.pair(b"alone", 1, fresh_id(), NOW)
        return entered

    for _ in range(8):
        entered = await asyncio.gather(*(ask(number) for number in range(8)))
        assert all(found is not None and found.player == player for found in entered)
