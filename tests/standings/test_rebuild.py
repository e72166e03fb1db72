"""Statistics and ratings counted anew: the same rows, beside what is read, whatever goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import asyncpg
import pytest

from domain.events import EndReason, MatchEnded
from infra.memory import MemoryLog
from infra.postgres.log import PostgresLog
from infra.postgres.registry import PostgresRegistry
from infra.postgres.tallies import PostgresTallies
from infra.projections.projected import PoisonEvent
from infra.projections.scan import FollowScan
from infra.projections.tally_rebuild import rebuild_tallies
from tests.audit.records import person_of
from tests.contract.conftest import SEALER
from tests.contract.pen import Pen
from tests.infra.club import CHATTER
from tests.standings.test_reckoned import Hall, _persons

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

MATCHES: Final = 24


@pytest.fixture
async def hall(database: str) -> AsyncIterator[Hall]:
    log = await PostgresLog.open(database, SEALER)
    hall = Hall(MemoryLog(), PostgresRegistry(log.pool, SEALER), PostgresTallies(log.pool), [])
    await hall.play(range(MATCHES))
    await hall.catch_up()
    yield hall
    await log.close()


async def rows(database: str) -> list[dict[str, Any]]:
    """Everything that is kept, less what tells when it was written."""
    connection = await asyncpg.connect(database)
    try:
        found = await connection.fetch("SELECT * FROM seat_result ORDER BY match_id, seat")
        (generation,) = {row["generation"] for row in found}
        assert await connection.fetchval("SELECT generation FROM tally") == generation
    finally:
        await connection.close()
    passing = ("generation", "revision")
    return [{name: value for name, value in row.items() if name not in passing} for row in found]


async def rebuild(hall: Hall) -> int:
    """Count everything again."""
    assert isinstance(hall.store, PostgresTallies)
    return await rebuild_tallies(hall.log, FollowScan(hall.log), hall.registry, hall.store)


async def test_what_is_counted_anew_is_what_was_there(hall: Hall, database: str) -> None:
    rated = [table for table in hall.played if table.match.result is not None]
    await hall.void(rated[3].match.id)
    gone = person_of(sorted(_persons(rated[5]))[0])[0]
    await hall.registry.erase_player(gone)
    await hall.store.forget(gone)
    await hall.catch_up()
    before, state = await rows(database), await hall.store.state()

    assert await rebuild(hall) == await hall.log.position()

    after = await hall.store.state()
    assert await rows(database) == before
    assert (after.position, after.rated) == (state.position, state.rated)
    assert after.revision > state.revision and after.removals > state.removals
    assert len(before) > MATCHES


async def test_a_damaged_store_is_put_right_and_counting_goes_on_from_there(
    hall: Hall, database: str
) -> None:
    before = await rows(database)
    connection = await asyncpg.connect(database)
    await connection.execute("UPDATE seat_result SET points = points + 7, mu = mu + 1")
    await connection.close()
    await rebuild(hall)
    assert await rows(database) == before
    await hall.play([MATCHES])
    await hall.catch_up()
    assert len(await rows(database)) > len(before)


async def test_a_match_that_cannot_be_read_stops_it_and_nothing_changes(
    hall: Hall, database: str
) -> None:
    before = await rows(database)
    await Pen(hall.log).write(CHATTER, MatchEnded(EndReason.TARGET, (), (), ()))
    with pytest.raises(PoisonEvent):
        await rebuild(hall)
    assert await rows(database) == before
