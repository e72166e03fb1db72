"""Postgres killed and restarted in the middle of matches: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import asyncpg
import msgspec
import pytest

from infra.embedded.servers import EmbeddedServers
from tests.faults import audit
from tests.faults.caller import Caller
from tests.faults.evening import check_evening, evening
from tests.faults.on_their_own import an_app, check_moved_once, moved_on, table_of_bots
from tests.faults.processes import processes
from tests.infra.test_log_durability import kill_with_children, revive
from tests.servers import fresh_database

pytestmark = [pytest.mark.anyio, pytest.mark.servers, pytest.mark.slow]

AWAY_SECONDS = 2.2
"""Longer than bots ask again, shorter than they wait after that."""
QUICKLY = 15.0
"""Seconds within which everything is answered, if only with a 503."""
TABLES, TARGET = 3, 2_000


class OwnPostgres(msgspec.Struct):
    """A durable server that a test may end as it likes."""

    servers: EmbeddedServers
    folder: Path

    async def is_away(self, end: Callable[[Path], None]) -> None:
        """Have it ended, and back after a while."""
        end(self.folder)
        await asyncio.sleep(AWAY_SECONDS)
        revive(self.servers)
        async with asyncio.timeout(30):
            while not await self._answers():
                await asyncio.sleep(0.05)

    async def _answers(self) -> bool:
        assert self.servers.database_url is not None
        try:
            await audit.rows(self.servers.database_url, "SELECT 1")
        except (OSError, asyncpg.PostgresError):
            return False
        return True


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnPostgres]:
    folder = tmp_path_factory.mktemp("postgres")
    with EmbeddedServers(folder, valkey=False) as servers:
        yield OwnPostgres(servers, folder)


@pytest.fixture
def own_settings(postgres: OwnPostgres, settings: dict[str, str]) -> Iterator[dict[str, str]]:
    """Settings of a service over a database on that server."""
    assert postgres.servers.database_url is not None
    with fresh_database(postgres.servers.database_url) as url:
        yield settings | {"TALON_DATABASE_URL": url}


def stop_fast(folder: Path) -> None:
    """The server breaks off what it is doing and ends in order, as for an upgrade."""
    os.kill(int((folder / "postgres" / "postmaster.pid").read_text().split()[0]), signal.SIGINT)


async def test_play_goes_on_after_every_end_of_postgres(
    postgres: OwnPostgres, own_settings: dict[str, str], tmp_path: Path
) -> None:
    async with (
        processes(own_settings, tmp_path, 2) as both,
        evening([process.url for process in both]) as played,
    ):
        await played.goes_on()
        for end in (kill_with_children, stop_fast, kill_with_children):
            await postgres.is_away(end)
            await played.goes_on()
        await played.end()

        assert min(circle.caller.unavailable for circle in played.circles) > 0
        assert [caller.lost for caller in played.callers] == [0, 0, 0]
        assert max(caller.slowest for caller in played.callers) < QUICKLY
        assert {watch.connections for _, _, watch in played.watches} == {1}
        await check_evening(played, own_settings)


async def test_the_only_process_moves_its_bots_when_postgres_is_back(
    postgres: OwnPostgres, own_settings: dict[str, str], tmp_path: Path
) -> None:
    database = own_settings["TALON_DATABASE_URL"]
    async with processes(own_settings, tmp_path) as (process,):
        caller, app = Caller([process.url], Random(1)), await an_app(own_settings)
        playing = [await table_of_bots(caller, app, TARGET) for _ in range(TABLES)]
        await moved_on(database, playing)

        await postgres.is_away(kill_with_children)

        await moved_on(database, playing)
    log = await audit.check_log(database)
    for at in playing:
        check_moved_once(log, at.match_id)
