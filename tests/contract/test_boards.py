"""What any boards must do, in memory and on Redis alike."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from domain.events import Visibility
from domain.match import Occupant, Status
from domain.ports import (
    Award,
    Board,
    BoardBatch,
    BoardStore,
    MatchLine,
    StaleLeader,
    Standing,
)
from infra.memory_boards import MemoryBoards
from infra.redis.boards import RedisBoards
from infra.redis.generations import Generations
from infra.redis.server import Server

pytestmark = [pytest.mark.anyio, pytest.mark.servers]


def player(number: int) -> bytes:
    return number.to_bytes(16, "big")


ANN, BOB, CAT, DAN = (player(number) for number in range(1, 5))


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
    empty = BoardBatch(start=0, end=0, epoch=0, forgotten=0)
    assert await RedisBoards(server, generations, build.boards).apply(empty)
    assert await generations.finish(build)
    yield RedisBoards(server, generations)
    await server.close()


async def give(boards: BoardStore, points: dict[bytes, int], board: Board = Board.POINTS) -> None:
    """Award points, as the next batch."""
    state = await boards.state()
    assert state is not None
    awards = tuple(Award(board, who, won) for who, won in points.items())
    at = state.position
    assert await boards.apply(BoardBatch(at, at + 1, 1, state.forgotten, awards=awards))


async def show(boards: BoardStore, *lines: MatchLine) -> None:
    """Store lines, as the next batch."""
    state = await boards.state()
    assert state is not None
    at = state.position
    assert await boards.apply(BoardBatch(at, at + 1, 1, state.forgotten, lines=lines))


def ranks(page: tuple[Standing, ...]) -> list[tuple[int, bytes, int]]:
    return [(standing.rank, standing.player, standing.points) for standing in page]


async def test_a_batch_moves_the_position_to_its_end(boards: BoardStore) -> None:
    assert await boards.apply(BoardBatch(0, 17, 1, 0))
    state = await boards.state()
    assert state is not None and state.position == 17


async def test_a_batch_that_does_not_start_at_the_position_changes_nothing(
    boards: BoardStore,
) -> None:
    batch = BoardBatch(0, 5, 1, 0, (line(1),), (Award(Board.POINTS, ANN, 10),))
    assert await boards.apply(batch)
    for start in (0, 4, 6):
        assert not await boards.apply(replace(batch, start=start, end=9))
    state = await boards.state()
    assert state is not None and state.position == 5
    assert ranks(await boards.standings(Board.POINTS, 10)) == [(1, ANN, 10)]


async def test_a_stale_leader_is_refused(boards: BoardStore) -> None:
    assert await boards.apply(BoardBatch(0, 1, 7, 0))
    with pytest.raises(StaleLeader):
        await boards.apply(BoardBatch(1, 2, 6, 0, awards=(Award(Board.POINTS, ANN, 10),)))
    assert await boards.standings(Board.POINTS, 10) == ()
    assert await boards.apply(BoardBatch(1, 2, 8, 0))


async def test_those_who_tie_share_a_rank_and_the_next_rank_is_left_out(
    boards: BoardStore,
) -> None:
    await give(boards, {ANN: 50, BOB: 30, CAT: 30, DAN: 0})
    assert ranks(await boards.standings(Board.POINTS, 10)) == [
        (1, ANN, 50),
        (2, CAT, 30),
        (2, BOB, 30),
        (4, DAN, 0),
    ]


async def test_points_add_up_and_boards_are_apart(boards: BoardStore) -> None:
    await give(boards, {ANN: 10})
    await give(boards, {ANN: 15})
    await give(boards, {ANN: 1}, Board.MATCHES_WON)
    assert await boards.standing(Board.POINTS, ANN) == Standing(1, ANN, 25)
    assert await boards.standing(Board.MATCHES_WON, ANN) == Standing(1, ANN, 1)


async def test_a_players_own_line_has_the_same_rank_as_the_page(boards: BoardStore) -> None:
    await give(boards, {ANN: 50, BOB: 30, CAT: 30, DAN: 0})
    for standing in await boards.standings(Board.POINTS, 10):
        assert await boards.standing(Board.POINTS, standing.player) == standing
    assert await boards.standing(Board.POINTS, player(99)) is None


@pytest.mark.parametrize("size", [1, 2, 3, 7])
async def test_pages_follow_each_other_without_gap_or_double(boards: BoardStore, size: int) -> None:
    await give(boards, {player(number): number % 4 for number in range(1, 21)})
    whole = await boards.standings(Board.POINTS, 100)
    paged: list[Standing] = []
    while page := await boards.standings(Board.POINTS, size, paged[-1] if paged else None):
        paged += page
    assert len(whole) == 20
    assert paged == list(whole)


async def test_a_page_goes_on_where_its_last_player_stood_even_after_they_left(
    boards: BoardStore,
) -> None:
    await give(boards, {ANN: 50, BOB: 30, CAT: 30, DAN: 10})
    first = await boards.standings(Board.POINTS, 2)
    await boards.forget(CAT)
    second = await boards.standings(Board.POINTS, 2, after=first[-1])
    assert ranks(first) == [(1, ANN, 50), (2, CAT, 30)]
    assert ranks(second) == [(2, BOB, 30), (3, DAN, 10)]


async def test_a_page_around_a_player(boards: BoardStore) -> None:
    await give(boards, {player(number): number for number in range(1, 10)})
    around = await boards.standings(Board.POINTS, 3, around=player(5))
    assert ranks(around) == [(4, player(6), 6), (5, player(5), 5), (6, player(4), 4)]
    top = await boards.standings(Board.POINTS, 3, around=player(9))
    assert ranks(top)[0] == (1, player(9), 9)
    assert await boards.standings(Board.POINTS, 3, around=player(99)) == ()


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


async def test_a_person_forgotten_is_on_no_board(boards: BoardStore) -> None:
    await give(boards, {ANN: 50, BOB: 30})
    await give(boards, {ANN: 1}, Board.MATCHES_WON)
    await boards.forget(ANN)
    assert ranks(await boards.standings(Board.POINTS, 10)) == [(1, BOB, 30)]
    assert await boards.standings(Board.MATCHES_WON, 10) == ()
    state = await boards.state()
    assert state is not None and state.position == 2


async def test_awards_looked_up_before_somebody_was_forgotten_are_refused(
    boards: BoardStore,
) -> None:
    state = await boards.state()
    assert state is not None
    await boards.forget(ANN)
    late = BoardBatch(0, 1, 1, state.forgotten, awards=(Award(Board.POINTS, ANN, 10),))
    assert not await boards.apply(late)
    assert await boards.standing(Board.POINTS, ANN) is None
