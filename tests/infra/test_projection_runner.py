"""The loop that keeps projections up: who leads, what stops it, what it tells."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from domain.ports import Recorded
from infra.memory import MemoryLog
from infra.projections import runner
from infra.projections.leader import Leader, MemoryLead, MemoryLeader
from infra.redis.boards import RedisBoards
from infra.redis.generations import Generations
from tests.infra.assembly import Assembled, assemble
from tests.infra.club import Club, finished
from tests.infra.test_projection_repair import short_views
from tests.infra.test_redis_outages import eventually

pytestmark = [pytest.mark.anyio, pytest.mark.servers]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(runner, "RETRY_SECONDS", 0.05)


class Process:
    """One process with its projections; the loop can be stopped, or stop answering."""

    def __init__(self, opened: Assembled) -> None:
        self.opened = opened
        self.stopping = asyncio.Event()
        self.task = asyncio.create_task(opened.projections.run(self.stopping))

    def is_leading(self) -> bool:
        return self.opened.projections.progress().is_leading

    async def stop(self) -> None:
        self.stopping.set()
        await self.task


@asynccontextmanager
async def processes(
    url: str, prefix: str, club: Club, *leaders: Leader
) -> AsyncIterator[Sequence[Process]]:
    """Processes on the same servers."""
    async with AsyncExitStack() as stack:
        started = []
        for leader in leaders:
            opened = assemble(
                url,
                prefix,
                club.log,
                leader,
                build_views=short_views,
                settle_seconds=0,
            )
            process = Process(opened)
            stack.push_async_callback(opened.server.close)
            stack.push_async_callback(process.stop)
            started.append(process)
        yield started


def shows(process: Process, wanted: int) -> Callable[[], Awaitable[bool]]:
    """Whether the lobby in Redis has so many matches that have ended."""

    async def has() -> bool:
        found = await finished(process.opened.boards)
        return not process.opened.boards.reads_spare and len(found) == wanted

    return has


async def test_one_of_several_leads_and_another_follows_it(
    redis_url: str, redis_prefix: str
) -> None:
    club, lead = Club(), MemoryLead()
    async with processes(
        redis_url, redis_prefix, club, *(MemoryLeader(lead) for _ in range(3))
    ) as started:
        await club.play("ANN", "BOB", scores=(5, 3))
        await eventually(shows(started[0], 1))
        (first,) = [process for process in started if process.is_leading()]
        await first.stop()
        assert not first.is_leading()
        await club.play("ANN", "BOB", scores=(5, 3))
        await eventually(shows(started[0], 2))
        assert sum(process.is_leading() for process in started) == 1


async def test_who_still_believes_to_lead_is_refused(redis_url: str, redis_prefix: str) -> None:
    class Deluded:
        """Believes to lead for ever, as after a long pause."""

        resigned = 0

        async def epoch(self) -> int | None:
            return 1

        async def resign(self) -> None:
            self.resigned += 1

    club, deluded, lead = Club(), Deluded(), MemoryLead()
    lead.epochs = 10
    async with processes(redis_url, redis_prefix, club, MemoryLeader(lead)) as (process,):
        await club.play("ANN", "BOB", scores=(5, 3))
        await eventually(shows(process, 1))
        async with processes(redis_url, redis_prefix, club, deluded) as (other,):
            for _ in range(10):
                await club.play("ANN", "BOB", scores=(5, 3))
                await asyncio.sleep(0.02)

            async def has_stepped_down() -> bool:
                return deluded.resigned > 0

            await eventually(shows(process, 11))
            other_boards = RedisBoards(other.opened.server, Generations(other.opened.server))
            state = await other_boards.state()
            assert state is not None and state.position == await club.log.position()
            await club.play("ANN", "BOB", scores=(5, 3))
            await eventually(shows(process, 12))
            await eventually(has_stepped_down)


async def test_a_damaged_log_stops_the_loop_loudly(
    redis_url: str, redis_prefix: str, caplog: pytest.LogCaptureFixture
) -> None:
    class Gapped(MemoryLog):
        async def follow(self, after: int, limit: int) -> tuple[Recorded, ...]:
            events = await super().follow(after, limit)
            return tuple(event for event in events if event.position != 9)

    club = Club(Gapped())
    await club.play("ANN", "BOB", scores=(5, 3))
    async with processes(redis_url, redis_prefix, club, MemoryLeader()) as (process,):
        await eventually(shows(process, 1))
        await club.play("ANN", "BOB", scores=(5, 3))
        await asyncio.wait_for(process.task, 5)
        progress = process.opened.projections.progress()
        assert progress.failure is not None and "position 9" in progress.failure
        assert "the log is damaged" in caplog.text


async def test_progress_tells_the_lag_and_what_was_set_aside(
    redis_url: str, redis_prefix: str
) -> None:
    club = Club()
    async with processes(redis_url, redis_prefix, club, MemoryLeader()) as (process,):
        await club.play("ANN", "BOB", scores=(5, 3))
        await eventually(shows(process, 1))
        await club.end(await club.table("CAT"), 1, 2, 3)
        await club.play("ANN", "BOB", scores=(5, 3))
        await eventually(shows(process, 2))
        progress = process.opened.projections.progress()
        assert progress.is_leading and progress.failure is None
        assert progress.boards_position == await club.log.position()
        assert progress.lag == 0
        assert progress.set_aside == 1


async def test_boards_of_an_older_log_are_filled_again(redis_url: str, redis_prefix: str) -> None:
    club = Club()
    async with processes(redis_url, redis_prefix, club, MemoryLeader()) as (process,):
        for _ in range(3):
            await club.play("ANN", "BOB", scores=(5, 3))
        await eventually(shows(process, 3))
    restored = Club()
    await restored.play("ANN", "BOB", scores=(5, 3))
    async with processes(redis_url, redis_prefix, restored, MemoryLeader()) as (process,):
        await eventually(shows(process, 1))
