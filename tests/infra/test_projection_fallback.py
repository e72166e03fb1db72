"""The lobby while Redis is away: the same answers, from the log."""

from __future__ import annotations

import asyncio

import pytest

from domain.match import Status
from domain.ports import EventLog, MatchLine, Unavailable
from infra.memory_boards import MemoryBoards
from infra.projections import fallback
from infra.projections.board_consumer import BoardConsumer
from infra.projections.fallback import FallbackBoards
from infra.projections.scan import FollowScan, TableEvents
from tests.infra.club import Club, finished

pytestmark = pytest.mark.anyio


class Primary(MemoryBoards):
    """Boards that can be away."""

    is_away = False

    async def lobby(
        self, status: Status, limit: int, before: int | None = None
    ) -> tuple[MatchLine, ...]:
        self._require()
        return await super().lobby(status, limit, before)

    def _require(self) -> None:
        if self.is_away:
            raise Unavailable


@pytest.fixture
def club() -> Club:
    return Club()


@pytest.fixture
def primary() -> Primary:
    return Primary()


@pytest.fixture
def boards(club: Club, primary: Primary, monkeypatch: pytest.MonkeyPatch) -> FallbackBoards:
    monkeypatch.setattr(fallback, "FRESH_SECONDS", 0.0)
    return FallbackBoards(primary, FollowScan(club.log))


async def test_the_spare_answers_as_the_boards_did_and_goes_on(
    club: Club, primary: Primary, boards: FallbackBoards
) -> None:
    await club.evening(1)
    consumer = BoardConsumer(FollowScan(club.log), primary)
    while await consumer.step(1):
        pass
    ended = await finished(boards)
    open_matches = await boards.lobby(Status.OPEN, 200)
    assert len(ended) > 3 and len(open_matches) > 1
    primary.is_away = True
    assert await finished(boards) == ended
    assert await boards.lobby(Status.OPEN, 200) == open_matches
    assert boards.reads_spare
    pen = await club.play("a newcomer", "ANN", scores=(9, 0))
    assert (await finished(boards))[0] == pen.stream


async def test_once_redis_is_back_it_answers_again_and_the_spare_is_let_go_of(
    club: Club, primary: Primary, boards: FallbackBoards, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.play("ANN", "BOB", scores=(2, 1))
    primary.is_away = True
    assert len(await finished(boards)) == 1
    primary.is_away = False
    assert await finished(boards) == []
    assert not boards.reads_spare
    assert boards.has_spare
    monkeypatch.setattr(fallback, "KEPT_SECONDS", 0.0)
    await boards.lobby(Status.OPEN, 1)
    assert not boards.has_spare


async def test_a_long_log_makes_a_reader_come_back_and_the_filling_goes_on(
    club: Club, primary: Primary, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(FollowScan):
        async def table_events(self, after: int, limit: int) -> TableEvents:
            await asyncio.sleep(0.02)
            return await super().table_events(after, 10)

    monkeypatch.setattr(fallback, "PATIENCE_SECONDS", 0.1)
    await club.evening(2)
    primary.is_away = True
    boards = FallbackBoards(primary, Slow(club.log))
    turned_away = 0
    while True:
        try:
            found = await finished(boards)
            break
        except Unavailable:
            turned_away += 1
    assert 2 < turned_away < 100
    assert len(found) > 3


async def test_an_older_copy_of_the_log_begins_the_spare_anew(club: Club, primary: Primary) -> None:
    class Restorable(FollowScan):
        def restore(self, older: EventLog) -> None:
            self._log = older

    scan = Restorable(club.log)
    boards = FallbackBoards(primary, scan)
    await club.evening(3)
    primary.is_away = True
    assert len(await finished(boards)) > 3
    older = Club(registry=club.registry)
    pen = await older.play("ANN", "BOB", scores=(2, 1))
    scan.restore(older.log)
    await asyncio.sleep(fallback.FRESH_SECONDS)
    with pytest.raises(Unavailable):
        await finished(boards)
    assert await finished(boards) == [pen.stream]
