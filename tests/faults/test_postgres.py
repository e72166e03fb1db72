"""Postgres killed and restarted in the middle of matches: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from infra.embedded.servers import EmbeddedServers
from tests.faults.evening import check_evening, evening
from tests.faults.processes import processes
from tests.infra.test_log_durability import kill_with_children, revive

pytestmark = [pytest.mark.anyio, pytest.mark.servers, pytest.mark.slow]

AWAY_SECONDS = 2
QUICKLY = 15.0
"""Seconds within which everything is answered, if only with a 503."""


async def test_play_goes_on_after_every_end_of_postgres(
    settings: dict[str, str], tmp_path: Path
) -> None:
    with EmbeddedServers(tmp_path / "own", valkey=False) as servers:
        assert servers.database_url is not None
        settings["TALON_DATABASE_URL"] = servers.database_url
        async with (
            processes(settings, tmp_path, 2) as both,
            evening([process.url for process in both]) as played,
        ):
            await played.goes_on()
            for end in (kill_with_children, stop_fast, kill_with_children):
                end(tmp_path / "own")
                await asyncio.sleep(AWAY_SECONDS)
                revive(servers)
                await played.goes_on()
            await played.end()

            assert min(circle.caller.unavailable for circle in played.circles) > 0
            assert [caller.lost for caller in played.callers] == [0, 0, 0]
            assert max(caller.slowest for caller in played.callers) < QUICKLY
            assert {watch.connections for _, _, watch in played.watches} == {1}
            await check_evening(played, settings)


def stop_fast(folder: Path) -> None:
    """The server breaks off what it is doing and ends in order, as for an upgrade."""
    os.kill(int((folder / "postgres" / "postmaster.pid").read_text().split()[0]), signal.SIGINT)
