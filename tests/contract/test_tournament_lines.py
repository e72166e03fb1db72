"""What any store of tournaments' lines must do, in memory and on Postgres alike."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from domain.events import Visibility
from domain.tournaments.lines import TournamentLine, TournamentLines
from infra.memory_tournaments import MemoryTournamentLines
from infra.postgres.log import PostgresLog
from infra.postgres.tournaments import PostgresTournamentLines
from infra.sealing import Sealer
from tests.contract.pen import fresh_id

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

NOW = 1_700_000_000_000_000
DAY = 86_400_000_000


@pytest.fixture
async def lines(database_or_none: str | None) -> AsyncIterator[TournamentLines]:
    if database_or_none is None:
        yield MemoryTournamentLines()
        return
    log = await PostgresLog.open(database_or_none, Sealer(bytes(range(32))), pool_size=2)
    yield PostgresTournamentLines(log.pool)
    await log.close()


def line(number: int = 0, status: str = "open", version: int = 1) -> TournamentLine:
    id = bytes(15) + bytes((number,)) if number else fresh_id()
    return TournamentLine(id, version, NOW, status, Visibility.PUBLIC, "swiss", 3, 0)


async def test_a_line_is_replaced_by_a_newer_one_only(lines: TournamentLines) -> None:
    first = line(version=3)
    newer, older = replace(first, version=4, status="running"), replace(first, version=2)

    for one in (first, newer, older, replace(newer, entrants=9)):
        await lines.put(one)

    assert await lines.of([first.tournament, fresh_id()]) == {first.tournament: newer}


async def test_public_tournaments_of_a_status_are_listed_newest_first(
    lines: TournamentLines,
) -> None:
    one, two, three = line(1), line(2), line(3)
    private = replace(line(4), visibility=Visibility.PRIVATE)
    for each in (two, one, three, private, line(5, "finished")):
        await lines.put(each)

    assert await lines.listed("open", None, 2) == (three, two)
    assert await lines.listed("open", two.tournament, 2) == (one,)


async def test_those_that_are_not_over_are_found_by_id(lines: TournamentLines) -> None:
    one, two = line(1, "running", 7), line(2, "running", 9)
    for each in (two, one, line(3), line(4, "finished"), line(5, "canceled")):
        await lines.put(each)

    assert await lines.going_on(["running"], None, NOW, 9) == (
        (one.tournament, 7),
        (two.tournament, 9),
    )
    assert await lines.going_on(["running"], one.tournament, NOW, 9) == ((two.tournament, 9),)
    assert len(await lines.going_on(["running", "open"], None, NOW, 9)) == 3
    assert len(await lines.going_on(["running", "open"], None, NOW, 1)) == 1


async def test_one_whose_stream_has_not_come_within_a_day_is_left_alone(
    lines: TournamentLines,
) -> None:
    await lines.put(line(1, "new", 0))

    assert len(await lines.going_on(["new"], None, NOW - DAY, 9)) == 1
    assert await lines.going_on(["new"], None, NOW, 9) == ()
