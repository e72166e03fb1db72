"""What any lobby must do, in memory and on Redis alike."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from domain.events import Visibility
from domain.match import Occupant, Status
from domain.ports import (
    BoardBatch,
    BoardStore,
    MatchLine,
    StaleLeader,
)
from infra.memory_boards import MemoryBoards
from infra.redis.boards import RedisBoards
from infra.redis.generations import Generations
from infra.redis.server import Server

pytestmark = [pytest.mark.anyio, pytest.mark.servers]


def player(number: int) -> bytes:
    return number.to_bytes(16, "big")


def line(number: int, status: Status = Status.OPEN) -> MatchLine:
    """A line of a match that was created at the position of its number."""
    seats = (Occupant(player="ab" * 32), Occupant())
    return MatchLine(player(number), number, 1_000 * number, status, seats_total=4, seats=seats)


@pytest.fixture(params=["memory", "redis"])
async def boards(
    request: pytest.FixtureRequest, redis_url: str, redis_prefix: str
) -> AsyncIterator[BoardStore]:
    if request.param == "memory":
        yield MemoryBoards()
        return
    server = Server(redis_url, redis_prefix)
    generations = Generations(server)
    build = await generations.begin(boards=True, views=False)
    empty = BoardBatch(start=0, end=0, epoch=0)
    assert await RedisBoards(server, generations, build.boards).apply(empty)
    assert await generations.finish(build)
    yield RedisBoards(server, generations)
    await server.close()


async def show(boards: BoardStore, *lines: MatchLine) -> None:
    """Store lines, as the next batch."""
    state = await boards.state()
    assert state is not None
    at = state.position
    assert await boards.apply(BoardBatch(at, at + 1, 1, lines))


async def test_a_batch_moves_the_position_to_its_end(boards: BoardStore) -> None:
    assert await boards.apply(BoardBatch(0, 17, 1))
    state = await boards.state()
    assert state is not None and state.position == 17


async def test_a_batch_that_does_not_start_at_the_position_changes_nothing(
    boards: BoardStore,
) -> None:
    batch = BoardBatch(0, 5, 1, (line(1),))
    assert await boards.apply(batch)
    for start in (0, 4, 6):
        assert not await boards.apply(BoardBatch(start, 9, 1, (line(2),)))
    state = await boards.state()
    assert state is not None and state.position == 5
    assert await boards.lobby(Status.OPEN, 10) == (line(1),)


async def test_a_stale_leader_is_refused(boards: BoardStore) -> None:
    assert await boards.apply(BoardBatch(0, 1, 7))
    with pytest.raises(StaleLeader):
        await boards.apply(BoardBatch(1, 2, 6, (line(1),)))
    assert await boards.lobby(Status.OPEN, 10) == ()
    assert await boards.apply(BoardBatch(1, 2, 8))


async def test_the_lobby_lists_newest_first_in_pages(boards: BoardStore) -> None:
    await show(boards, *(line(number) for number in (2, 9, 4, 7)))
    first = await boards.lobby(Status.OPEN, 3)
    second = await boards.lobby(Status.OPEN, 3, before=first[-1].position)
    assert first == (line(9), line(7), line(4))
    assert second == (line(2),)


async def test_a_match_is_in_the_list_of_its_status_only(boards: BoardStore) -> None:
    await show(boards, line(1), line(2))
    await show(boards, line(1, Status.RUNNING))
    assert await boards.lobby(Status.OPEN, 10) == (line(2),)
    assert await boards.lobby(Status.RUNNING, 10) == (line(1, Status.RUNNING),)
    await show(boards, line(1, Status.FINISHED), line(2, Status.VOIDED))
    assert await boards.lobby(Status.RUNNING, 10) == ()
    assert await boards.lobby(Status.FINISHED, 10) == (line(1, Status.FINISHED),)
    assert await boards.lobby(Status.VOIDED, 10) == (line(2, Status.VOIDED),)
    assert await boards.lobby(Status.ABANDONED, 10) == ()


async def test_private_matches_and_those_set_aside_are_in_no_list_but_have_a_line(
    boards: BoardStore,
) -> None:
    private = replace(line(1), visibility=Visibility.PRIVATE)
    aside = replace(line(2), set_aside=True)
    await show(boards, private, aside)
    assert await boards.lobby(Status.OPEN, 10) == ()
    asked = [private.match, aside.match, player(77)]
    assert await boards.lines(asked) == {private.match: private, aside.match: aside}
    assert await boards.lines([]) == {}
