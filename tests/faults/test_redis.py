"""Redis wiped, killed and away for long in the middle of matches: nobody waits, all comes back."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from infra.embedded.executables import valkey_server
from tests.faults.evening import Evening, check_evening, evening
from tests.faults.processes import processes
from tests.infra.stores import OwnServer, own_server

pytestmark = [pytest.mark.anyio, pytest.mark.servers, pytest.mark.slow]

ABSENCE_SECONDS = 10
QUICKLY = 3.0
"""Seconds within which everything is answered: usually milliseconds, on a busy machine more."""
LAG_SECONDS = 5.0
"""How late an event may come on a stream: while hints are lost the log is asked every second."""


async def test_play_goes_on_and_all_comes_back_whatever_becomes_of_redis(
    settings: dict[str, str], tmp_path: Path
) -> None:
    with own_server(valkey_server(), tmp_path) as redis:
        settings["TALON_REDIS_URL"] = redis.url
        async with (
            processes(settings, tmp_path, 2) as both,
            evening([process.url for process in both]) as played,
        ):
            await played.goes_on()
            redis.wipe()
            await played.goes_on()
            redis.kill()
            redis.start()
            await played.goes_on()
            redis.freeze()
            await played.goes_on()
            redis.thaw()
            await played.goes_on()
            await absence(redis, played)
            await played.goes_on()
            await played.end()

            assert [caller.unavailable + caller.lost for caller in played.callers] == [0, 0, 0]
            assert max(caller.slowest for caller in played.callers) < QUICKLY
            assert {watch.connections for _, _, watch in played.watches} == {1}
            assert max(watch.lag for _, _, watch in played.watches) < LAG_SECONDS
            await check_evening(played, settings)


async def absence(redis: OwnServer, played: Evening) -> None:
    """Redis is away for long, while people play on and others look at boards and lobby."""
    await played.ends_a_match()
    redis.kill()
    until = time.monotonic() + ABSENCE_SECONDS
    while time.monotonic() < until:
        await played.goes_on()
        for path in ("/v1/leaderboards/points", "/v1/matches?status=running"):
            assert (await played.onlooker.get_json(path))["items"]
    redis.start()
