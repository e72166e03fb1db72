"""The service killed with streams open: its viewers come back and miss and see twice nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.evening import check_evening, evening
from tests.faults.processes import processes

pytestmark = [pytest.mark.anyio, pytest.mark.servers, pytest.mark.slow]

KILLS = 3


async def test_players_and_viewers_come_back_to_a_service_that_was_killed(
    settings: dict[str, str], tmp_path: Path
) -> None:
    async with processes(settings, tmp_path) as (process,), evening([process.url]) as played:
        await played.goes_on()
        watched = [watch for _, _, watch in played.watches]
        for _ in range(KILLS):
            await process.kill()
            process.start()
            await played.goes_on()
        await played.end()

        assert min(circle.caller.lost for circle in played.circles) >= KILLS
        assert max(watch.connections for watch in watched) > 1
        await check_evening(played, settings)
