"""Redis wiped, killed, restarted and frozen in the middle of play: play goes on, all comes back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from domain.match import Status
from domain.ports import Unavailable
from infra.memory_boards import MemoryBoards
from infra.projections.board_consumer import BoardConsumer
from infra.projections.leader import MemoryLeader
from infra.projections.scan import FollowScan
from tests.infra.assembly import Assembled, assemble
from tests.infra.club import Club
from tests.infra.stores import OwnServer, own_server, programs
from tests.infra.test_projection_repair import short_views

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

PREFIX = "t"
LAST = 6
"""The version of a match that was played."""
QUICKLY = 1.2
MANY = 5_000
"""More matches than there are."""
"""Seconds within which a store that is away says so: connecting, an answer, and some slack."""


@pytest.fixture(params=programs(), ids=lambda program: program.name)
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OwnServer]:
    with own_server(request.param, tmp_path) as server:
        yield server


class Evening:
    """A club that plays on, on the stores of one process."""

    def __init__(self, opened: Assembled, club: Club) -> None:
        self.stores = opened
        self.club = club
        self.matches: list[bytes] = []
        self.slowest = 0.0
        self.dropped = 0

    async def play(self, rounds: int = 1) -> None:
        """Whole matches, whose views are put as the service does: without minding failure."""
        for _ in range(rounds):
            pen = await self.club.play("ANN", "BOB", scores=(2, 1))
            stream = await self.club.log.read(pen.stream)
            began = time.monotonic()
            try:
                await self.stores.views.put({pen.stream: short_views(pen.stream, stream)})
            except Unavailable:
                self.dropped += 1
            self.slowest = max(self.slowest, time.monotonic() - began)
            self.matches.append(pen.stream)
            await asyncio.sleep(0.01)

    async def comes_right(self) -> None:
        """In the end, the boards in Redis are as a projection that nothing has disturbed."""
        undisturbed = MemoryBoards()
        consumer = BoardConsumer(FollowScan(self.club.log), undisturbed)
        while await consumer.step(1):
            pass
        wanted = await undisturbed.lobby(Status.FINISHED, MANY)

        async def is_right() -> bool:
            boards = self.stores.boards
            return await boards.lobby(Status.FINISHED, MANY) == wanted and not boards.reads_spare

        await eventually(is_right)

    async def repair_has_begun(self) -> bool:
        """Views that are missed from now on are known to be."""
        return self.stores.projections.progress().views_position > 0

    async def views_come_back(self) -> None:
        """In the end, every match played has its newest views."""

        async def are_all_there() -> bool:
            there = await self.stores.views.versions(self.matches)
            return [there.get(match) for match in self.matches] == [LAST] * len(self.matches)

        await eventually(are_all_there)


async def eventually(is_so: Callable[[], Awaitable[bool]], seconds: float = 15.0) -> None:
    """Wait until something holds."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(Unavailable):
            if await is_so():
                return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not come to hold")


@asynccontextmanager
async def evening_on(url: str) -> AsyncIterator[Evening]:
    """An evening whose projections run, from empty stores."""
    club, stopping = Club(), asyncio.Event()
    opened = assemble(url, PREFIX, club.log, MemoryLeader(), build_views=short_views)
    running = asyncio.create_task(opened.projections.run(stopping))
    evening = Evening(opened, club)
    try:
        await evening.play(3)
        await evening.comes_right()
        await eventually(evening.repair_has_begun)
        yield evening
    finally:
        stopping.set()
        await running
        await opened.server.close()


@pytest.mark.parametrize("wiped", ["FLUSHALL", "FUNCTION FLUSH", "SCRIPT FLUSH"])
async def test_wiped_in_the_middle(own: OwnServer, wiped: str) -> None:
    async with evening_on(own.url) as evening:
        for _ in range(5):
            await evening.play(4)
            own.wipe(wiped)
        await evening.play(4)
        assert evening.dropped == 0
        assert evening.slowest < QUICKLY
        await evening.comes_right()


async def test_killed_and_restarted_empty(own: OwnServer) -> None:
    async with evening_on(own.url) as evening:
        for _ in range(3):
            await evening.play(3)
            own.kill()
            await evening.play(3)
            assert await evening.stores.boards.lobby(Status.FINISHED, 1)
            own.start()
            await evening.play(3)
        assert evening.slowest < QUICKLY
        await evening.comes_right()


@pytest.mark.slow
async def test_frozen_for_ten_seconds(own: OwnServer) -> None:
    async with evening_on(own.url) as evening:
        await evening.play(5)
        own.freeze()
        until, seen = time.monotonic() + 10, 0
        while time.monotonic() < until:
            await evening.play()
            ended = await evening.stores.boards.lobby(Status.FINISHED, MANY)
            assert seen <= len(ended) <= len(evening.matches)
            seen = len(ended)
        assert seen > 100
        own.thaw()
        assert evening.dropped > 100
        assert evening.slowest < QUICKLY
        await evening.play(5)
        await evening.comes_right()
        await evening.views_come_back()


async def test_views_not_put_while_it_was_away_are_put_once_it_is_back(own: OwnServer) -> None:
    async with evening_on(own.url) as evening:
        own.freeze()
        await evening.play(20)
        assert evening.dropped == 20
        own.thaw()
        await evening.views_come_back()
        await evening.comes_right()


async def test_a_key_that_went_missing_alone_is_noticed(own: OwnServer) -> None:
    async with evening_on(own.url) as evening:
        ended = next(key for key in own.all_keys() if key.endswith(b":list:finished"))
        own.wipe(f"UNLINK {ended.decode()}")
        await evening.comes_right()
        await evening.play(2)
        await evening.comes_right()


async def test_hints_come_again_after_wipe_restart_and_freeze(own: OwnServer) -> None:
    async with evening_on(own.url) as evening:
        heard: asyncio.Queue[tuple[bytes, int]] = asyncio.Queue()

        async def listen() -> None:
            async for hint in evening.stores.hints.listen():
                heard.put_nowait(hint)

        listening = asyncio.create_task(listen())

        async def are_heard() -> bool:
            while not heard.empty():
                heard.get_nowait()
            await evening.play()
            await asyncio.sleep(0.05)
            hints = [heard.get_nowait() for _ in range(heard.qsize())]
            return (evening.matches[-1], LAST) in hints

        await eventually(are_heard)
        own.wipe()
        await eventually(are_heard)
        own.kill()
        await asyncio.sleep(1.5)
        own.start()
        await eventually(are_heard)
        own.freeze()
        await asyncio.sleep(1.5)
        own.thaw()
        await eventually(are_heard)
        listening.cancel()
        with suppress(asyncio.CancelledError):
            await listening
