"""What is due in matches whose process stops, or is killed, is done by another, and once."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tests.faults import audit
from tests.faults.caller import Caller
from tests.faults.on_their_own import (
    an_app,
    check_moved_once,
    moved_on,
    ran_out,
    table_of_bots,
)
from tests.faults.processes import processes
from tests.faults.tables import Table, person, table
from tests.faults.watching import Watch

pytestmark = [pytest.mark.anyio, pytest.mark.servers, pytest.mark.slow]

MATCHES, TARGET = 3, 300
CLOCK_SECONDS = 5
"""The shortest there is."""


async def test_bots_and_clocks_go_on_whatever_becomes_of_their_process(
    settings: dict[str, str], tmp_path: Path
) -> None:
    database = settings["TALON_DATABASE_URL"]
    app = await an_app(settings)
    async with processes(settings, tmp_path, 2) as (one, two):
        urls = [one.url, two.url]
        caller = Caller([one.url], Random(1))
        asleep = await table_of_sleepers(caller)
        playing = [await table_of_bots(caller, app, TARGET) for _ in range(MATCHES)]
        watches = [Watch(urls, at.match_id, None, Random(2)) for at in playing]
        for watch in watches:
            watch.start()
        await moved_on(database, playing)

        one.freeze()  # it still thinks that it has the next move
        await moved_on(database, playing)
        one.thaw()
        await moved_on(database, playing)
        await one.kill()
        await moved_on(database, playing)
        await two.kill()
        one.start()
        await moved_on(database, playing)

        for watch in watches:
            await watch.ended(60)
        two.start()
        await two.ready()
        log = await audit.check_log(database)
        for at, watch in zip(playing, watches, strict=True):
            assert watch.items == await audit.history(caller, at, None)
            await audit.check_told(caller, at)
            assert audit.commands_of(log, at.match_id).keys() == {"app", "bot"}
            check_moved_once(log, at.match_id)
        runs = await ran_out(database, asleep, 3)
        await audit.check_told(caller, asleep)
        for process in (one, two):
            process.rest()
        await audit.check_redis(settings)
        for process in (one, two):
            process.thaw()
    log = await audit.check_log(database)
    check_moved_once(log, asleep.match_id)
    between = [(after - before).total_seconds() for before, after in pairwise(runs)]
    assert min(between) >= CLOCK_SECONDS


async def table_of_sleepers(caller: Caller) -> Table:
    """A running match of people who never do anything, by the clock."""
    people = await person(caller), await person(caller), await person(caller)
    return await table(caller, people, clock={"turn": CLOCK_SECONDS, "answer": CLOCK_SECONDS})
