"""Views that their writers could not put are put by the repair, and nothing else is touched."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import NamedTuple

import pytest

from domain.ports import StaleLeader, Stream
from domain.sight import pack, views_of
from infra.memory import MemoryLog
from infra.memory_views import MemoryViews
from infra.projections import view_repair
from infra.projections.scan import FollowScan
from infra.projections.view_repair import BuildViews, Checkpoint, RepairableViews, ViewRepair
from infra.redis.checkpoint import RedisCheckpoint
from tests.infra.club import Club, record
from tests.infra.folded_views import folded_views
from tests.infra.stores import stores
from tests.laws.table import played
from tests.servers import forget_keys

pytestmark = [pytest.mark.anyio, pytest.mark.servers]


def short_views(match: bytes, stream: Stream) -> tuple[int, bytes]:
    """Views that only tell their version."""
    version = stream.events[-1].version
    return version, b"views of %d" % version


class MemoryCheckpoint:
    """A position in memory."""

    def __init__(self) -> None:
        self.position: int | None = None
        self.epoch = 0

    async def get(self) -> int | None:
        return self.position

    async def set(self, position: int, epoch: int) -> bool:
        if epoch < self.epoch:
            raise StaleLeader
        self.position, self.epoch = position, epoch
        return True


class Bench(NamedTuple):
    club: Club
    views: RepairableViews
    checkpoint: Checkpoint

    def repair(self, build_views: BuildViews = short_views) -> ViewRepair:
        """A repair whose clock has always gone on by a trail."""
        times = iter(range(0, 1_000_000, 10))
        log = self.club.log
        return ViewRepair(
            log,
            FollowScan(log),
            self.views,
            self.checkpoint,
            build_views,
            clock=lambda: next(times),
        )

    async def run(self, repair: ViewRepair, epoch: int = 1) -> None:
        """Until nothing is left to do."""
        for _ in range(3):
            while await repair.step(epoch):
                pass


@pytest.fixture(params=["memory", "redis"])
async def bench(
    request: pytest.FixtureRequest, redis_url: str, redis_prefix: str
) -> AsyncIterator[Bench]:
    if request.param == "memory":
        yield Bench(Club(), MemoryViews(), MemoryCheckpoint())
        return
    opened = stores(redis_url, redis_prefix)
    checkpoint = RedisCheckpoint(opened.server, opened.generations)
    yield Bench(Club(), opened.views, checkpoint)
    await opened.server.close()


async def test_missing_and_older_views_are_put_and_newer_ones_left(bench: Bench) -> None:
    repair = bench.repair()
    await bench.run(repair)  # The log is empty; from here on it is followed.
    older, missing, right = [await bench.club.table("ANN", "BOB") for _ in range(3)]
    await bench.views.put({older.stream: (1, b"old"), right.stream: (3, b"by its writer")})
    await bench.run(repair)
    assert await bench.views.get(older.stream) == (3, b"views of 3")
    assert await bench.views.get(missing.stream) == (3, b"views of 3")
    assert await bench.views.get(right.stream) == (3, b"by its writer")
    assert repair.repaired == 2
    assert repair.position == await bench.club.log.position()


def no_views(match: bytes, stream: Stream) -> tuple[int, bytes]:
    raise ValueError("an event from the future")


async def test_another_leader_goes_on_from_the_checkpoint(bench: Bench) -> None:
    await bench.run(bench.repair())
    before = await bench.club.table("ANN")
    await bench.run(bench.repair(no_views), epoch=1)
    after = await bench.club.table("BOB")
    asked = Asked(bench.views)
    await bench.run(bench._replace(views=asked).repair(), epoch=2)
    assert set(asked.matches) == {after.stream}
    assert await bench.views.get(before.stream) is None


async def test_what_a_late_writer_puts_after_a_wipe_is_put_right(
    redis_url: str, redis_prefix: str
) -> None:
    """The match is over: no other event will tell that its views are stale."""
    opened = stores(redis_url, redis_prefix)
    bench = Bench(Club(), opened.views, RedisCheckpoint(opened.server, opened.generations))
    await bench.run(repair := bench.repair())
    over = await bench.club.play("ANN", "BOB", scores=(1, 0))
    await bench.run(repair)
    forget_keys(redis_url, redis_prefix)
    await repair.step(1)  # It sets out anew, and finds nothing of the match.
    await opened.views.put({over.stream: (3, b"before its end")})
    await bench.run(repair)
    assert await opened.views.get(over.stream) == (6, b"views of 6")
    await opened.server.close()


async def test_a_new_leader_puts_right_what_its_predecessor_did_not_see(bench: Bench) -> None:
    over = await bench.club.play("ANN", "BOB", scores=(1, 0))
    await bench.run(bench.repair(), epoch=1)
    await bench.views.put({over.stream: (3, b"before its end")})
    await bench.run(bench.repair(), epoch=2)
    assert await bench.views.get(over.stream) == (6, b"views of 6")


class Asked:
    """Views that note whose versions were asked for."""

    def __init__(self, views: RepairableViews) -> None:
        self._views = views
        self.matches: list[bytes] = []
        self.put, self.get, self.stored = views.put, views.get, views.stored

    async def versions(self, matches: Sequence[bytes]) -> Mapping[bytes, int]:
        self.matches += matches
        return await self._views.versions(matches)


async def test_a_stale_leader_cannot_move_the_checkpoint(bench: Bench) -> None:
    await bench.run(bench.repair(), epoch=5)
    await bench.club.table("ANN")
    with pytest.raises(StaleLeader):
        await bench.run(bench.repair(), epoch=4)
    assert await bench.checkpoint.get() == 0


async def test_after_a_wipe_open_matches_are_put_back_and_finished_ones_wait(
    redis_url: str, redis_prefix: str
) -> None:
    opened = stores(redis_url, redis_prefix)
    bench = Bench(Club(), opened.views, RedisCheckpoint(opened.server, opened.generations))
    await bench.run(repair := bench.repair())
    going_on = await bench.club.table("ANN")
    over = await bench.club.play("ANN", "BOB", scores=(1, 0))
    await bench.run(repair)
    assert await opened.views.get(over.stream) is not None
    forget_keys(redis_url, redis_prefix)
    await bench.run(repair)
    assert await opened.views.get(going_on.stream) == (2, b"views of 2")
    assert await opened.views.get(over.stream) is None
    await opened.server.close()


async def test_without_a_checkpoint_no_view_that_is_there_stays_stale(bench: Bench) -> None:
    over = await bench.club.play("ANN", "BOB", scores=(1, 0))
    never_put = await bench.club.play("ANN", "BOB", scores=(1, 0))
    await bench.views.put({over.stream: (3, b"before its end")})
    await bench.run(bench.repair())
    assert await bench.views.get(over.stream) == (6, b"views of 6")
    assert await bench.views.get(never_put.stream) is None


async def test_a_match_that_cannot_be_folded_does_not_stop_the_others(bench: Bench) -> None:
    await bench.run(bench.repair())
    sick = await bench.club.table("ANN")
    well = await bench.club.table("BOB")

    def views_or_not(match: bytes, stream: Stream) -> tuple[int, bytes]:
        if match == sick.stream:
            raise ValueError("an event from the future")
        return short_views(match, stream)

    repair = bench.repair(views_or_not)
    await bench.run(repair)
    assert repair.unreadable == 1
    assert await bench.views.get(sick.stream) is None
    assert await bench.views.get(well.stream) == (2, b"views of 2")


async def test_what_was_written_a_moment_ago_is_left_to_its_writer() -> None:
    club, views, checkpoint = Club(), MemoryViews(), MemoryCheckpoint()
    now = 0.0
    repair = ViewRepair(
        club.log, FollowScan(club.log), views, checkpoint, short_views, clock=lambda: now
    )
    await repair.step(1)
    pen = await club.table("ANN")
    now = view_repair.TRAIL_SECONDS
    await repair.step(1)
    assert await views.get(pen.stream) is None
    now = 2 * view_repair.TRAIL_SECONDS
    await repair.step(1)
    assert await views.get(pen.stream) == (2, b"views of 2")


async def test_repaired_views_are_those_that_the_match_itself_shows() -> None:
    *_, table = played(4)
    log = MemoryLog()
    match = await record(log, table)
    version, packed = folded_views(match, await log.read(match))
    assert (version, packed) == (table.match.version, pack(views_of(table.match)))
