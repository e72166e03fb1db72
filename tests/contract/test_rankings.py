"""What any leaderboards must do: in memory, summed on Postgres, and as a copy on Redis."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from domain.options import Form
from domain.ports import Player, Registry
from domain.rankings import EVERYTHING, Board, Place, Rankings, Scope, Standing, lag
from domain.results import Figures, MatchResult, SeatResult
from domain.tallies import NEW, Outcome, Rated, Rating, TallyBatch, TallyStore
from infra.memory import MemoryLog, MemoryRegistry
from infra.memory_rankings import MemoryRankings
from infra.memory_tallies import MemoryTallies
from infra.postgres.log import PostgresLog
from infra.postgres.rankings import PostgresRankings
from infra.postgres.registry import PostgresRegistry
from infra.postgres.tallies import PostgresTallies
from infra.projections.ranking_copy import RankingCopy
from infra.redis.rankings import RedisRankings
from infra.redis.server import Server
from tests.contract.conftest import SEALER
from tests.contract.pen import Pen, calls

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

JANUARY, FEBRUARY = 1_767_225_600_000_000, 1_769_904_000_000_000
APP, OTHER_APP = b"a" * 16, b"b" * 16


def player(number: int) -> bytes:
    return number.to_bytes(16, "big")


ANN, BOB, CAT, DAN = (player(number) for number in range(1, 5))


class Kept(NamedTuple):
    """Leaderboards, what they follow from, and the copy, where it is one."""

    rankings: Rankings
    tallies: TallyStore
    registry: Registry
    copy: RankingCopy | None

    async def count(self, *outcomes: Outcome, voided: tuple[bytes, ...] = ()) -> None:
        """Count outcomes as the next batch, rate them, and bring a copy up to that."""
        start = (await self.tallies.state()).position
        end = start + 1_000
        assert await self.tallies.add(TallyBatch(start, end, 1, outcomes, voided))
        await self.catch_up()

    async def catch_up(self) -> None:
        """Rate what is to be rated, and bring a copy up to that."""
        while (unrated := await self.tallies.unrated(100)) is not None:
            rated = []
            for one in unrated.outcomes:
                for seat in one.result.seats:
                    mu = NEW.mu + 10_000_000 // seat.place + one.result.position
                    rating = Rating(mu, NEW.sigma // 2)
                    rated.append(Rated(one.result.match, seat.seat, rating, NEW))
            assert await self.tallies.rate(unrated, rated)
        if self.copy is not None:
            for _ in range(3):  # it looks again before it fills everything anew
                await self.copy.step(1)

    async def give(self, points: dict[bytes, int], **how: object) -> bytes:
        """A match that gave these points; its id."""
        position = (await self.tallies.state()).position + 1
        one = outcome(position, points, **how)  # type: ignore[arg-type]
        await self.count(one)
        return one.result.match


@pytest.fixture(params=["memory", "postgres", "redis"])
def names(request: pytest.FixtureRequest) -> tuple[str | None, str | None, str]:
    """A database, a Redis and a prefix there, as far as they are needed."""
    if request.param == "memory":
        return None, None, ""
    database = request.getfixturevalue("database")
    if request.param == "postgres":
        return database, None, ""
    return (
        database,
        request.getfixturevalue("redis_url"),
        request.getfixturevalue("redis_prefix"),
    )


@pytest.fixture
async def kept(names: tuple[str | None, str | None, str]) -> AsyncIterator[Kept]:
    database, redis_url, prefix = names
    if database is None:
        tallies = MemoryTallies()
        kept = Kept(MemoryRankings(tallies), tallies, MemoryRegistry(), None)
        await known(kept)
        yield kept
        return
    log = await PostgresLog.open(database, SEALER)
    summed, registry = PostgresRankings(log.pool), PostgresRegistry(log.pool, SEALER)
    server = Server(redis_url, prefix) if redis_url is not None else None
    kept = Kept(summed, PostgresTallies(log.pool), registry, None)
    if server is not None:
        store = RedisRankings(server)
        kept = kept._replace(rankings=store, copy=RankingCopy(summed, store))
    await known(kept)
    await kept.catch_up()
    yield kept
    if server is not None:
        await server.close()
    await log.close()


async def known(kept: Kept) -> None:
    """Persons with the numbers 1 to 20."""
    for number in range(1, 21):
        await kept.registry.add_player(Player(player(number), "somebody", None, 0), None)


def outcome(
    position: int,
    points: dict[bytes, int],
    form: Form = Form.FREE_FOR_ALL,
    app: bytes | None = None,
    ended_at: int = JANUARY,
    with_bots: bool = False,
) -> Outcome:
    """A match with these points; who has most has won it, and two rounds."""
    best = max(points.values())
    seats = tuple(
        SeatResult(
            seat,
            "ab" * 32,
            1 + sum(other > own for other in points.values()),
            seat,
            Figures(
                matches=1, matches_won=int(own == best), points=own, rounds_won=2 * (own == best)
            ),
        )
        for seat, own in enumerate(points.values())
    )
    match = position.to_bytes(16, "little")
    result = MatchResult(match, position, ended_at, form, with_bots, seats)
    return Outcome(result, app, tuple(points))


async def board(kept: Kept, board: Board = Board.POINTS, **scope: object) -> dict[bytes, int]:
    """Everybody on a board."""
    chosen = Scope(**scope)  # type: ignore[arg-type]
    return {one.player: one.points for one in await kept.rankings.standings(board, chosen, 200)}


async def test_those_who_tie_share_a_rank_and_the_next_rank_is_left_out(kept: Kept) -> None:
    await kept.give({ANN: 50, BOB: 30, CAT: 30, DAN: 0})
    assert await kept.rankings.standings(Board.POINTS, EVERYTHING, 10) == (
        Standing(1, ANN, 50, False),
        Standing(2, CAT, 30, True),
        Standing(2, BOB, 30, True),
        Standing(4, DAN, 0, False),
    )


async def test_a_line_alone_has_the_rank_and_the_tie_that_it_has_on_the_page(kept: Kept) -> None:
    await kept.give({ANN: 50, BOB: 30, CAT: 30, DAN: 0})
    for line in await kept.rankings.standings(Board.POINTS, EVERYTHING, 10):
        assert await kept.rankings.standing(Board.POINTS, EVERYTHING, line.player) == line
    assert await kept.rankings.standing(Board.POINTS, EVERYTHING, player(99)) is None


async def test_each_board_counts_what_it_says(kept: Kept) -> None:
    await kept.give({ANN: 50, BOB: 30})
    await kept.give({ANN: 10, BOB: 40})
    await kept.give({BOB: 5, CAT: 0})
    assert await board(kept) == {BOB: 75, ANN: 60, CAT: 0}
    assert await board(kept, Board.MATCHES_WON) == {BOB: 2, ANN: 1, CAT: 0}
    assert await board(kept, Board.ROUNDS_WON) == {BOB: 4, ANN: 2, CAT: 0}
    newest = await kept.tallies.newest([ANN, BOB, CAT], None)
    assert await board(kept, Board.RATING) == {who: one.points for who, one in newest.items()}
    assert newest[ANN].points != newest[BOB].points


async def test_a_scope_is_a_season_a_form_and_an_app_or_any_of_them(kept: Kept) -> None:
    await kept.give({ANN: 1, BOB: 0}, app=APP)
    await kept.give({ANN: 2, BOB: 0}, form=Form.ELIMINATION, ended_at=FEBRUARY, app=OTHER_APP)
    await kept.give({ANN: 4, CAT: 0}, form=Form.ELIMINATION)
    assert await board(kept) == {ANN: 7, BOB: 0, CAT: 0}
    assert await board(kept, season="2026-01") == {ANN: 5, BOB: 0, CAT: 0}
    assert await board(kept, season="2026-02") == {ANN: 2, BOB: 0}
    assert await board(kept, form=Form.ELIMINATION) == {ANN: 6, BOB: 0, CAT: 0}
    assert await board(kept, app=APP) == {ANN: 1, BOB: 0}
    assert await board(kept, season="2026-01", form=Form.ELIMINATION) == {ANN: 4, CAT: 0}
    assert await board(kept, form=Form.ELIMINATION, app=OTHER_APP) == {ANN: 2, BOB: 0}
    assert await board(kept, form=Form.ELIMINATION, app=APP) == {}
    assert await board(kept, season="2025-12") == {}


async def test_a_form_has_ratings_of_its_own(kept: Kept) -> None:
    await kept.give({ANN: 1, BOB: 0})
    in_form = await kept.tallies.newest([ANN], Form.FREE_FOR_ALL)
    overall = await kept.tallies.newest([ANN], None)
    assert (await board(kept, Board.RATING))[ANN] == overall[ANN].points
    found = await board(kept, Board.RATING, form=Form.FREE_FOR_ALL)
    assert found[ANN] == in_form[ANN].points != overall[ANN].points


async def test_matches_with_bots_are_on_no_board(kept: Kept) -> None:
    await kept.give({ANN: 50, BOB: 3}, with_bots=True)
    for one in Board:
        assert await board(kept, one) == {}


@pytest.mark.parametrize("size", [1, 3, 7])
async def test_pages_follow_each_other_without_gap_or_double(kept: Kept, size: int) -> None:
    for first in (1, 11):
        await kept.give({player(number): number % 4 for number in range(first, first + 10)})
    whole = await kept.rankings.standings(Board.POINTS, EVERYTHING, 100)
    paged: list[Standing] = []
    after = None
    while page := await kept.rankings.standings(Board.POINTS, EVERYTHING, size, after):
        paged += page
        after = Place(page[-1].points, page[-1].player)
    assert len(whole) == 20 and all(line.is_tied for line in whole)
    assert paged == list(whole)


async def test_a_page_around_a_player(kept: Kept) -> None:
    await kept.give({player(number): number for number in range(1, 10)})
    rankings = kept.rankings
    around = await rankings.standings(Board.POINTS, EVERYTHING, 3, around=player(5))
    assert [(line.rank, line.player) for line in around] == [
        (4, player(6)),
        (5, player(5)),
        (6, player(4)),
    ]
    top = await rankings.standings(Board.POINTS, EVERYTHING, 3, around=player(9))
    assert (top[0].rank, top[0].player, len(top)) == (1, player(9), 3)
    assert await rankings.standings(Board.POINTS, EVERYTHING, 3, around=player(99)) == ()


async def test_how_far_the_boards_are_behind_is_told(kept: Kept) -> None:
    log = MemoryLog()
    await Pen(log).write(*calls(0, 1, 0))
    assert await lag(log, kept.rankings) == 3
    await kept.give({ANN: 50, BOB: 30})
    assert await kept.rankings.position() == (await kept.tallies.state()).position
    assert await lag(log, kept.rankings) == 0


async def test_a_void_match_leaves_no_trace(kept: Kept) -> None:
    await kept.give({ANN: 50, BOB: 30})
    void = await kept.give({ANN: 7, CAT: 100}, ended_at=FEBRUARY)
    assert await board(kept, season="2026-02") == {CAT: 100, ANN: 7}
    await kept.count(voided=(void,))
    assert await board(kept) == {ANN: 50, BOB: 30}
    assert await board(kept, season="2026-02") == {}
    assert set(await board(kept, Board.RATING)) == {ANN, BOB}


async def test_an_erased_person_is_on_no_board_and_the_next_moves_up(kept: Kept) -> None:
    await kept.give({ANN: 50, BOB: 30})
    await kept.registry.erase_player(ANN)
    await kept.tallies.forget(ANN)
    await kept.rankings.forget(ANN)
    for one in Board:
        assert ANN not in await board(kept, one)
    assert (await kept.rankings.standings(Board.POINTS, EVERYTHING, 5))[0].rank == 1
    filled = kept.copy.filled if kept.copy is not None else 0
    await kept.catch_up()
    assert await board(kept) == {BOB: 30}
    assert kept.copy is None or kept.copy.filled == filled, "nothing had to be filled anew"
