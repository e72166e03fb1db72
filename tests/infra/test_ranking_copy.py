"""The copy of the leaderboards in Redis: lost, wiped, damaged or behind, it comes right again."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import pytest

from domain.options import Form
from domain.ports import StaleLeader, Unavailable
from domain.rankings import EVERYTHING, Board, Scope, Score, Standing
from infra.fsck.leaderboards import check_leaderboards
from infra.postgres.log import PostgresLog
from infra.postgres.rankings import PostgresRankings
from infra.postgres.registry import PostgresRegistry
from infra.postgres.tallies import PostgresTallies
from infra.projections.ranking_copy import RankingCopy
from infra.projections.ranking_reads import RankingReads
from infra.redis.rankings import RedisRankings
from infra.redis.server import Server
from tests.contract.conftest import SEALER
from tests.contract.test_rankings import (
    ANN,
    APP,
    BOB,
    CAT,
    FEBRUARY,
    JANUARY,
    Kept,
    known,
    player,
)

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

SCOPES = tuple(
    Scope(season, form, app)
    for season in (None, "2026-01", "2026-02")
    for form in (None, Form.FREE_FOR_ALL, Form.ELIMINATION)
    for app in (None, APP)
)


class House(Kept):
    """Leaderboards on Redis, and what they are a copy of."""

    @property
    def store(self) -> RedisRankings:
        """The copy."""
        assert isinstance(self.rankings, RedisRankings)
        return self.rankings

    @property
    def server(self) -> Server:
        return self.store._server

    @property
    def summed(self) -> PostgresRankings:
        """The original."""
        assert self.copy is not None
        assert isinstance(self.copy._source, PostgresRankings)
        return self.copy._source

    async def evening(self, seed: int, matches: int = 12) -> None:
        """Matches at random, in both forms and months, with and without an app."""
        dice = random.Random(seed)
        for _ in range(matches):
            people = dice.sample(range(1, 21), dice.randint(2, 6))
            await self.give(
                {player(number): dice.randrange(5) for number in people},
                form=dice.choice((Form.FREE_FOR_ALL, Form.ELIMINATION)),
                ended_at=dice.choice((JANUARY, FEBRUARY)),
                app=dice.choice((None, APP)),
            )

    async def wipe(self) -> None:
        """Remove everything of ours from Redis."""
        keys: list[bytes] = await self.server.command("KEYS", f"{self.server.keys.prefix}:*")
        await self.server.flush([("DEL", key) for key in keys])

    async def content(self) -> dict[str, object]:
        """What is stored, by key less the generation's name; not who wrote it."""
        copied = await self.store.copied()
        assert copied is not None
        generation = copied.generation
        found: dict[str, object] = {}
        for key in await self.store._scan("*"):
            name = key.replace(f":{generation}:", ":", 1)
            if key.endswith(":meta"):
                fields = await self.server.command("HKEYS", key)
                values = await self.server.command("HVALS", key)
                found[name] = {
                    field.decode().replace(f":{generation}:", ":", 1): value
                    for field, value in zip(fields, values, strict=True)
                }
            else:
                found[name] = await self.server.command("ZRANGE", key, 0, -1, "WITHSCORES")
        return found


@pytest.fixture
async def house(database: str, redis_url: str, redis_prefix: str) -> AsyncIterator[House]:
    log, server = await PostgresLog.open(database, SEALER), Server(redis_url, redis_prefix)
    summed, store = PostgresRankings(log.pool), RedisRankings(server)
    registry = PostgresRegistry(log.pool, SEALER)
    house = House(store, PostgresTallies(log.pool), registry, RankingCopy(summed, store))
    await known(house)
    await house.catch_up()
    yield house
    await server.close()
    await log.close()


async def whole(rankings: RedisRankings | PostgresRankings | RankingReads) -> list[object]:
    """Every board in every scope."""
    pages: list[tuple[Standing, ...]] = []
    for board in Board:
        pages += [await rankings.standings(board, scope, 200) for scope in SCOPES]
    return list(pages)


@pytest.mark.parametrize("seed", range(2))
async def test_the_copy_followed_match_by_match_is_the_original(house: House, seed: int) -> None:
    await house.evening(seed)
    assert house.copy is not None and house.copy.filled == 1
    assert await whole(house.store) == await whole(house.summed)
    assert house.copy.position == (await house.tallies.state()).position


async def test_what_is_filled_anew_is_what_was_there_byte_for_byte(house: House) -> None:
    await house.evening(3)
    before, was = await house.content(), await house.store.copied()
    assert house.copy is not None
    assert await house.copy.fill(1)
    now = await house.store.copied()
    assert await house.content() == before
    assert len(before) > 20 and was is not None and now is not None
    assert was.generation != now.generation


async def test_a_wiped_redis_is_read_around_and_filled_again(house: House) -> None:
    await house.evening(4, matches=6)
    reads = RankingReads(house.store, house.summed)
    wanted = await whole(reads)
    assert not reads.reads_original
    await house.wipe()
    assert await whole(reads) == wanted
    assert reads.reads_original
    await house.evening(5, matches=6)
    assert await whole(reads) == await whole(house.summed) != wanted
    assert not reads.reads_original


async def test_a_part_that_is_missing_is_noticed_by_who_reads_it(house: House) -> None:
    await house.evening(6)
    copied = await house.store.copied()
    assert copied is not None and house.copy is not None
    key = house.server.keys.ranking(copied.generation, Board.POINTS, EVERYTHING)
    await house.server.command("DEL", key)
    with pytest.raises(Unavailable):
        await house.store.standings(Board.POINTS, EVERYTHING, 10)
    await house.catch_up()
    assert await whole(house.store) == await whole(house.summed)


async def test_who_was_erased_while_redis_was_away_is_found_by_what_was_removed(
    house: House,
) -> None:
    await house.give({ANN: 50, BOB: 30})
    await house.registry.erase_player(ANN)
    await house.tallies.forget(ANN)
    await house.catch_up()
    for board in Board:
        lines = await house.store.standings(board, EVERYTHING, 10)
        assert [line.player for line in lines] == [BOB]


async def test_after_a_restore_what_was_lost_is_on_no_board_however_far_the_copy_had_come(
    house: House,
) -> None:
    await house.give({ANN: 50, BOB: 30})
    copied, state = await house.store.copied(), await house.summed.state()
    assert copied is not None and house.copy is not None
    lost = Score(Board.POINTS, EVERYTHING, CAT, 99)
    assert await house.store.write(copied, state, [lost], 1)
    assert isinstance(house.tallies, PostgresTallies)
    await house.tallies.distrust_copies()
    await house.catch_up()
    lines = await house.store.standings(Board.POINTS, EVERYTHING, 10)
    assert [line.player for line in lines] == [ANN, BOB]


async def test_scores_that_were_summed_before_something_was_removed_are_refused(
    house: House,
) -> None:
    await house.give({ANN: 50, BOB: 30})
    copied = await house.store.copied()
    assert copied is not None
    late = [score async for page in house.summed.all() for score in page]
    await house.registry.erase_player(ANN)
    await house.tallies.forget(ANN)
    await house.store.forget(ANN)
    assert not await house.store.write(copied, await house.summed.state(), late, 1)
    lines = await house.store.standings(Board.POINTS, EVERYTHING, 10)
    assert [line.player for line in lines] == [BOB]


async def test_a_stale_leader_writes_and_fills_nothing(house: House) -> None:
    await house.give({ANN: 50, BOB: 30})
    assert house.copy is not None
    assert await house.copy.fill(9)
    copied = await house.store.copied()
    assert copied is not None
    with pytest.raises(StaleLeader):
        await house.store.write(copied, await house.summed.state(), (), 8)
    with pytest.raises(StaleLeader):
        await house.copy.fill(8)
    await house.tallies.forget(CAT)
    assert (await house.store.copied()) == copied


async def test_a_look_through_finds_a_score_that_is_wrong_and_a_player_too_many(
    house: House,
) -> None:
    await house.evening(7)
    copied = await house.store.copied()
    assert copied is not None
    assert await check_leaderboards(house.summed, house.store) == ([], None)
    key = house.server.keys.ranking(copied.generation, Board.POINTS, EVERYTHING)
    await house.server.command("ZADD", key, 3, "ff" * 16)
    (too_many,), _ = await check_leaderboards(house.summed, house.store)
    assert "players are on a board of" in too_many.words
    await house.server.command("ZREM", key, "ff" * 16)
    best = (await house.store.standings(Board.POINTS, EVERYTHING, 1))[0]
    await house.server.command("ZADD", key, best.points + 1, best.player.hex())
    (wrong,), _ = await check_leaderboards(house.summed, house.store)
    assert wrong.words == f"points of {best.player.hex()} is {best.points + 1}, not {best.points}"
    await house.wipe()
    assert await check_leaderboards(house.summed, house.store) == (
        [],
        "the leaderboards in Redis are not filled",
    )
