"""Boards and lobby while Redis is away: the same answers, from the log."""

from __future__ import annotations

import asyncio

import pytest

from domain.match import Status
from domain.ports import Board, EventLog, MatchLine, Standing, Unavailable
from infra.memory_boards import MemoryBoards
from infra.projections import fallback
from infra.projections.board_consumer import BoardConsumer
from infra.projections.fallback import FallbackBoards
from infra.projections.scan import FollowScan, TableEvents
from tests.infra.club import Club, id_of, points

pytestmark = pytest.mark.anyio


class Primary(MemoryBoards):
    """Boards that can be away."""

    is_away = False

    async def standings(
        self,
        board: Board,
        limit: int,
        after: Standing | None = None,
        around: bytes | None = None,
    ) -> tuple[Standing, ...]:
        self._require()
        return await super().standings(board, limit, after, around)

    async def lobby(
        self, status: Status, limit: int, before: int | None = None
    ) -> tuple[MatchLine, ...]:
        self._require()
        return await super().lobby(status, limit, before)

    async def forget(self, player: bytes) -> None:
        self._require()
        await super().forget(player)

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
    return FallbackBoards(primary, FollowScan(club.log), club.registry)


async def test_the_spare_answers_as_the_boards_did_and_goes_on(
    club: Club, primary: Primary, boards: FallbackBoards
) -> None:
    await club.evening(1)
    consumer = BoardConsumer(FollowScan(club.log), club.registry, primary)
    while await consumer.step(1):
        pass
    standings = await boards.standings(Board.POINTS, 200)
    open_matches = await boards.lobby(Status.OPEN, 200)
    assert len(standings) > 5 and len(open_matches) > 1
    primary.is_away = True
    assert await boards.standings(Board.POINTS, 200) == standings
    assert await boards.lobby(Status.OPEN, 200) == open_matches
    assert boards.reads_spare
    await club.play("a newcomer", "ANN", scores=(9, 0))
    assert (await points(boards))[id_of("a newcomer")] == 9


async def test_once_redis_is_back_it_answers_again_and_the_spare_is_let_go_of(
    club: Club, primary: Primary, boards: FallbackBoards, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.play("ANN", "BOB", scores=(2, 1))
    primary.is_away = True
    assert await points(boards) == {id_of("ANN"): 2, id_of("BOB"): 1}
    primary.is_away = False
    assert await points(boards) == {}
    assert not boards.reads_spare
    assert boards.has_spare
    monkeypatch.setattr(fallback, "KEPT_SECONDS", 0.0)
    await boards.lobby(Status.OPEN, 1)
    assert not boards.has_spare


async def test_a_person_erased_while_redis_is_away_is_on_no_board(
    club: Club, primary: Primary, boards: FallbackBoards
) -> None:
    await club.play("ANN", "BOB", scores=(2, 1))
    primary.is_away = True
    assert id_of("ANN") in await points(boards)
    await club.registry.erase_player(id_of("ANN"))
    await boards.forget(id_of("ANN"))
    assert await points(boards) == {id_of("BOB"): 1}


async def test_a_person_erased_by_another_process_is_on_no_board(
    club: Club, primary: Primary, boards: FallbackBoards
) -> None:
    await club.play("ANN", "BOB", scores=(2, 1))
    primary.is_away = True
    assert id_of("ANN") in await points(boards)
    await club.registry.erase_player(id_of("ANN"))
    assert await points(boards) == {id_of("BOB"): 1}
    assert await boards.standing(Board.POINTS, id_of("ANN")) is None


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
    boards = FallbackBoards(primary, Slow(club.log), club.registry)
    turned_away = 0
    while True:
        try:
            found = await points(boards)
            break
        except Unavailable:
            turned_away += 1
    assert 2 < turned_away < 100
    assert len(found) > 5


async def test_an_older_copy_of_the_log_begins_the_spare_anew(club: Club, primary: Primary) -> None:
    class Restorable(FollowScan):
        def restore(self, older: EventLog) -> None:
            self._log = older

    scan = Restorable(club.log)
    boards = FallbackBoards(primary, scan, club.registry)
    await club.evening(3)
    primary.is_away = True
    assert len(await points(boards)) > 5
    older = Club(registry=club.registry)
    await older.play("ANN", "BOB", scores=(2, 1))
    scan.restore(older.log)
    await asyncio.sleep(fallback.FRESH_SECONDS)
    with pytest.raises(Unavailable):
        await points(boards)
    assert await points(boards) == {id_of("ANN"): 2, id_of("BOB"): 1}
