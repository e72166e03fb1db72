"""Everything in Redis written anew: the same bytes, while others read and write on."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator

import pytest

from domain.match import Status
from infra.memory import MemoryLog
from infra.projections.board_consumer import BoardConsumer
from infra.projections.projected import PoisonEvent
from infra.projections.rebuild import Rebuilder, Rebuilt
from infra.projections.scan import FollowScan
from infra.redis.generations import BuildLost
from infra.redis.snapshot import snapshot
from tests.infra.club import Club, finished, record
from tests.infra.folded_views import folded_views
from tests.infra.stores import Stores, make_boards, stores
from tests.infra.test_projection_repair import short_views
from tests.laws.table import played

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

SETTLE_SECONDS = 1.2
"""A little more than a process may be behind the pointer; the real one leaves more room."""


class House:
    """A club whose boards and views are in Redis, as one process sees it."""

    def __init__(self, club: Club, opened: Stores) -> None:
        self.club = club
        self.server, self.generations, self.views, self.boards = opened
        self.scan = FollowScan(club.log)
        self.consumer = BoardConsumer(self.scan, self.boards)

    async def catch_up(self) -> None:
        """Bring boards and views up to the log, as the live processes do."""
        while await self.consumer.step(1):
            pass
        changed = await self.scan.changed(0, 100_000)
        for match in changed.versions:
            await self.views.put({match: short_views(match, await self.club.log.read(match))})

    async def rebuild(self, settle_seconds: float = 0.0, **how: bool) -> Rebuilt:
        """Rebuild with short views."""
        rebuilder = Rebuilder(
            self.club.log,
            self.scan,
            self.server,
            self.generations,
            short_views,
            settle_seconds,
        )
        return await rebuilder.run(**how)


@pytest.fixture
async def house(redis_url: str, redis_prefix: str) -> AsyncIterator[House]:
    opened = stores(redis_url, redis_prefix)
    await make_boards(opened)
    yield House(Club(), opened)
    await opened.server.close()


async def keys_of(house: House) -> int:
    found = 0
    for kind in ("v", "b"):
        async for page in house.generations.scan(house.server.keys.pattern(kind)):
            found += len(page)
    return found


async def test_what_is_rebuilt_is_what_was_there_byte_for_byte(house: House) -> None:
    await house.club.evening(1, matches=40)
    await house.catch_up()
    before, keys = await snapshot(house.server, house.generations), await keys_of(house)
    pointer = await house.generations.current()
    rebuilt = await house.rebuild()
    assert await snapshot(house.server, house.generations) == before
    assert rebuilt == Rebuilt(40, await house.club.log.position(), removed=keys)
    assert await keys_of(house) == keys == len(before)
    now = await house.generations.current(fresh=True)
    assert {now.views, now.boards}.isdisjoint({pointer.views, pointer.boards})


async def test_a_rebuild_of_a_damaged_store_is_the_undamaged_one(house: House) -> None:
    await house.club.evening(2)
    await house.catch_up()
    before = await snapshot(house.server, house.generations)
    pointer = await house.generations.current()
    assert pointer.boards
    _, _, _, lines, listed, *_ = house.server.keys.board(pointer.boards)
    await house.server.command("ZADD", listed, 7, "ee" * 16)
    await house.server.command("HSET", lines, "ff" * 16, b"")
    async for page in house.generations.scan(house.server.keys.pattern("v")):
        await house.server.command("SET", page[0], b"\xff\xff\xff\xffnonsense")
    assert await snapshot(house.server, house.generations) != before
    await house.rebuild()
    assert await snapshot(house.server, house.generations) == before


async def test_whole_matches_rebuild_to_the_views_their_writers_put(
    redis_url: str, redis_prefix: str
) -> None:
    club, opened = Club(MemoryLog()), stores(redis_url, redis_prefix)
    for seed in (3, 4):
        *_, table = played(seed)
        match = await record(club.log, table)
        await opened.views.put({match: folded_views(match, await club.log.read(match))})
    await make_boards(opened)
    house = House(club, opened)
    while await house.consumer.step(1):
        pass
    before = await snapshot(opened.server, opened.generations)
    await Rebuilder(
        club.log,
        house.scan,
        opened.server,
        opened.generations,
        folded_views,
        settle_seconds=0,
    ).run()
    assert await snapshot(opened.server, opened.generations) == before
    await opened.server.close()


async def test_processes_that_play_and_read_meanwhile_notice_nothing(
    house: House, redis_url: str, redis_prefix: str
) -> None:
    await house.club.evening(4)
    await house.catch_up()
    rebuilding = asyncio.create_task(house.rebuild(SETTLE_SECONDS))
    others = [House(house.club, stores(redis_url, redis_prefix)) for _ in range(2)]
    rounds = await asyncio.gather(*(play_on(other, rebuilding) for other in others))
    rebuilt = await rebuilding
    assert min(rounds) > 10
    assert rebuilt.removed > 0
    await others[0].catch_up()
    live = await snapshot(house.server, house.generations)
    await house.rebuild(boards=True, views=True)
    assert await snapshot(house.server, house.generations) == live
    for other in others:
        await other.server.close()


async def play_on(house: House, until: asyncio.Task[Rebuilt]) -> int:
    """Matches go on: every view that was put is there, and no match is ever lost."""
    matches: list[bytes] = []
    while not until.done():
        pen = await house.club.play(secrets.token_hex(4), "ANN", scores=(1, 2))
        match = pen.stream
        await house.views.put({match: short_views(match, await house.club.log.read(match))})
        assert await house.views.get(match) == (5 + 1, b"views of 6")
        while await house.consumer.step(1):
            pass
        matches.append(match)
        ended = await house.boards.lobby(Status.FINISHED, 1_000)
        assert set(matches) <= {line.match for line in ended}
        await asyncio.sleep(0.05)
    # Whatever was put, before the switch or after it, is in the generation that is read now.
    await house.generations.current(fresh=True)
    assert [await house.views.get(match) for match in matches] == [(6, b"views of 6")] * len(
        matches
    )
    return len(matches)


async def test_a_rebuild_stops_at_poison_and_changes_nothing(house: House) -> None:
    await house.club.evening(5)
    await house.catch_up()
    sick = await house.club.table("ANN")
    await house.club.end(sick, 1, 2, 3)
    before, pointer = (
        await snapshot(house.server, house.generations),
        await house.generations.current(),
    )
    with pytest.raises(PoisonEvent, match=sick.stream.hex()):
        await house.rebuild()
    assert await snapshot(house.server, house.generations) == before
    assert await house.generations.current(fresh=True) == pointer


async def test_only_one_builds_at_a_time_and_a_dead_builder_is_succeeded(house: House) -> None:
    dead = await house.generations.begin(boards=True, views=True)
    with pytest.raises(BuildLost):
        await house.rebuild()
    await house.server.command("DEL", house.server.keys.building)  # What its expiry does.
    await house.rebuild()
    with pytest.raises(BuildLost):
        await house.generations.finish(dead)


async def test_boards_of_another_log_are_replaced_though_they_are_ahead(house: House) -> None:
    await house.club.evening(6)
    await house.catch_up()
    house.club = Club()
    house.scan = FollowScan(house.club.log)
    await house.club.play("ANN", "BOB", scores=(5, 3))
    await house.rebuild()
    assert len(await finished(house.boards)) == 1
