"""From the log to the lobby: every change exactly once, whatever stands in the log."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import asdict, replace

from domain.events import BotLevel, MatchStarted, PlayerJoined, Seat, Visibility
from domain.match import Occupant, Status
from domain.ports import BoardStore, Recorded
from infra.encoding import UnreadableRecorded
from infra.memory import MemoryLog
from infra.memory_boards import MemoryBoards
from infra.projections import board_consumer
from infra.projections.board_consumer import BoardConsumer, BoardsAhead
from infra.projections.projected import PoisonEvent
from infra.projections.scan import FollowScan, LogGap
from tests.infra.club import Club, digest_of, finished
from tests.infra.stores import make_boards, stores

pytestmark = [pytest.mark.anyio, pytest.mark.servers]


@pytest.fixture
def club() -> Club:
    return Club()


@pytest.fixture(params=["memory", "redis"])
async def boards(
    request: pytest.FixtureRequest, redis_url: str, redis_prefix: str
) -> AsyncIterator[BoardStore]:
    if request.param == "memory":
        yield MemoryBoards()
        return
    opened = stores(redis_url, redis_prefix)
    await make_boards(opened)
    yield opened.boards
    await opened.server.close()


def consumer_of(club: Club, boards: BoardStore, *, strict: bool = False) -> BoardConsumer:
    return BoardConsumer(FollowScan(club.log), boards, strict=strict)


async def project(club: Club, boards: BoardStore, epoch: int = 1) -> None:
    """Bring the boards up to the log."""
    consumer = consumer_of(club, boards)
    while await consumer.step(epoch):
        pass


async def test_a_private_match_has_a_line_but_is_in_no_list(club: Club, boards: BoardStore) -> None:
    pen = await club.play("ANN", "BOB", scores=(500, 0), visibility=Visibility.PRIVATE)
    await project(club, boards)
    assert await boards.lobby(Status.FINISHED, 10) == ()
    assert (await boards.lines([pen.stream]))[pen.stream].status is Status.FINISHED


async def test_seats_close_up_when_somebody_leaves_before_the_start(
    club: Club, boards: BoardStore
) -> None:
    pen = await club.table("ANN", "BOB", "CAT")
    await club.leave(pen, 0)
    await project(club, boards)
    (line,) = await boards.lobby(Status.OPEN, 10)
    names = ("BOB", "CAT")
    assert line.seats == tuple(Occupant(player=digest_of(pen.stream, name)) for name in names)
    assert line.seats_total == 3
    await club.join(pen, "DAN")
    await pen.write(MatchStarted())
    await club.end(pen, 1, 2, 3)
    await project(club, boards)
    (line,) = await boards.lobby(Status.FINISHED, 10)
    names = ("BOB", "CAT", "DAN")
    assert line.seats == tuple(Occupant(player=digest_of(pen.stream, name)) for name in names)


async def test_the_lobby_follows_a_match_through_its_states(club: Club, boards: BoardStore) -> None:
    pen = await club.table("ANN", bots=1)
    await project(club, boards)
    (line,) = await boards.lobby(Status.OPEN, 10)
    ann = Occupant(player=digest_of(pen.stream, "ANN"))
    assert line.seats == (ann, Occupant(bot=BotLevel.STEADY))
    assert (line.match, line.position) == (pen.stream, 1)
    await pen.write(MatchStarted())
    await project(club, boards)
    assert [line.match for line in await boards.lobby(Status.RUNNING, 10)] == [pen.stream]
    await club.abandon(pen)
    await project(club, boards)
    assert [line.match for line in await boards.lobby(Status.ABANDONED, 10)] == [pen.stream]
    assert await boards.lobby(Status.RUNNING, 10) == ()


@pytest.mark.parametrize("seed", range(3))
async def test_batches_of_any_size_come_to_the_same(
    club: Club, boards: BoardStore, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    await club.evening(seed)
    whole = MemoryBoards()
    await project(club, whole)
    dice = random.Random(seed)
    consumer = consumer_of(club, boards)
    is_more = True
    while is_more:
        monkeypatch.setattr(board_consumer, "BATCH_EVENTS", dice.randint(1, 40))
        is_more = await consumer.step(1)
    await assert_alike(boards, whole, club)
    assert len(await finished(whole)) > 3


async def test_two_consumers_at_once_count_everything_once(
    club: Club, boards: BoardStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_consumer, "BATCH_EVENTS", 7)
    await club.evening(5)
    whole = MemoryBoards()
    await project(club, whole)
    await asyncio.gather(*(project(club, boards) for _ in range(4)))
    await assert_alike(boards, whole, club)


async def assert_alike(one: BoardStore, other: BoardStore, club: Club) -> None:
    for status in Status:
        if status is not Status.NEW:
            assert await one.lobby(status, 200) == await other.lobby(status, 200)
    matches = list({recorded.stream for recorded in await club.log.follow(0, 100_000)})
    lines = await other.lines(matches)
    assert len(lines) == len(matches)
    assert await one.lines(matches) == lines


class Poisoned(MemoryLog):
    """A log in which some versions of a stream cannot be decoded."""

    def __init__(self) -> None:
        super().__init__()
        self.poison: set[tuple[bytes, int]] = set()

    async def follow(self, after: int, limit: int) -> tuple[Recorded, ...]:
        return tuple(map(self._spoilt, await super().follow(after, limit)))

    def _spoilt(self, recorded: Recorded) -> Recorded:
        if (recorded.stream, recorded.version) not in self.poison:
            return recorded
        stored = asdict(recorded) | {"schema": 99, "event": None}
        return UnreadableRecorded(**stored)


async def test_poison_sets_its_match_aside_and_the_others_go_on(boards: BoardStore) -> None:
    log = Poisoned()
    club = Club(log)
    sick = await club.table("ANN", "BOB")
    log.poison.add((sick.stream, 2))
    await club.end(sick, 500, 0)
    well = await club.play("CAT", "DAN", scores=(300, 200))
    consumer = consumer_of(club, boards)
    while await consumer.step(1):
        pass
    assert consumer.set_aside == 1
    assert await finished(boards) == [well.stream]
    assert await boards.lobby(Status.OPEN, 10) == await boards.lobby(Status.RUNNING, 10) == ()
    assert [line.match for line in await boards.set_aside()] == [sick.stream]


async def test_a_match_set_aside_is_taken_in_once_its_events_are_understood(
    boards: BoardStore,
) -> None:
    log = Poisoned()
    club = Club(log)
    sick = await club.table("ANN", "BOB")
    log.poison.add((sick.stream, 2))
    await club.end(sick, 500, 0)
    well = await club.play("ANN", "CAT", scores=(1, 2))
    await project(club, boards)
    consumer = consumer_of(club, boards)
    assert await consumer.restore(log, 1) == 1
    assert await consumer.restore(log, 1) == 0
    assert await finished(boards) == [well.stream, sick.stream]


async def test_where_nothing_may_be_left_out_poison_stops(boards: BoardStore) -> None:
    log = Poisoned()
    club = Club(log)
    sick = await club.table("ANN")
    log.poison.add((sick.stream, 2))
    with pytest.raises(PoisonEvent, match=sick.stream.hex()):
        await consumer_of(club, boards, strict=True).step(1)


async def test_an_event_that_does_not_fit_its_match_is_poison(
    club: Club, boards: BoardStore
) -> None:
    pen = await club.table("ANN", "BOB")
    await club.end(pen, 1, 2, 3)
    await project(club, boards)
    assert [line.match for line in await boards.set_aside()] == [pen.stream]
    assert await finished(boards) == []


async def test_a_gap_in_the_log_stops_projection_before_anything_is_counted(
    club: Club, boards: BoardStore
) -> None:
    class Gapped(MemoryLog):
        async def follow(self, after: int, limit: int) -> tuple[Recorded, ...]:
            events = await super().follow(after, limit)
            return tuple(event for event in events if event.position != 2)

    club = Club(Gapped())
    await club.play("ANN", "BOB", scores=(500, 0))
    with pytest.raises(LogGap, match="position 2"):
        await project(club, boards)
    state = await boards.state()
    assert state is not None and state.position == 0


async def test_boards_that_are_ahead_of_the_log_say_so(club: Club, boards: BoardStore) -> None:
    await club.play("ANN", "BOB", scores=(500, 0))
    await project(club, boards)
    older = Club()
    await older.table("ANN")
    with pytest.raises(BoardsAhead):
        await project(older, boards)


async def test_a_match_that_nobody_created_is_set_aside_too(boards: BoardStore) -> None:
    club = Club()
    pen = await club.table("ANN")

    class Headless(MemoryLog):
        async def follow(self, after: int, limit: int) -> tuple[Recorded, ...]:
            joined = replace(
                (await club.log.follow(0, 9))[1],
                position=1,
                event=PlayerJoined(Seat(0), "ab"),
            )
            return (joined,) if after == 0 else ()

        async def position(self) -> int:
            return 1

    await project(Club(Headless()), boards)
    (line,) = await boards.set_aside()
    assert (line.match, line.seats_total) == (pen.stream, 0)
