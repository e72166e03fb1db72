"""Webhooks through kills and lost connections: everything is told, by one id, and arrives."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from uuid import UUID

import msgspec
import pytest

from tests.faults import audit
from tests.faults.caller import Caller
from tests.faults.on_their_own import an_app, moved_on, table_of_bots
from tests.faults.processes import Process, processes
from tests.webhooks.receiver import Letter, Receiver, receiver

pytestmark = [pytest.mark.anyio, pytest.mark.servers, pytest.mark.slow]

MATCHES, TARGET, CUTS = 3, 150, 4
ARRIVES_SECONDS = 150
"""Longer than a lease and some attempts: a killed process leaves deliveries to the others."""
TOLD = ("match_started", "round_ended", "match_ended")
CUT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


async def test_whatever_becomes_of_processes_and_connections_each_event_is_told_once(
    settings: dict[str, str], tmp_path: Path
) -> None:
    settings |= {"TALON_WEBHOOKS_ANYWHERE": "true"}
    database, dice = settings["TALON_DATABASE_URL"], Random(4)
    app = await an_app(settings)
    with receiver() as inbox:
        inbox.status = lambda letter: _answer(inbox, letter)
        async with processes(settings, tmp_path, 2) as both:
            caller = Caller([process.url for process in both], Random(1))
            made = await caller.post("/v1/webhooks", {"url": inbox.url}, token=app)
            assert made.status == 201
            for cut in range(CUTS):
                playing = [await table_of_bots(caller, app, TARGET) for _ in range(MATCHES)]
                await moved_on(database, playing)
                await _kill(both[cut % 2])
                await audit.rows(database, CUT)
                await asyncio.sleep(dice.uniform(0.1, 0.6))
            await _all_arrived(database)
            rows = await audit.rows(database, "SELECT webhook_id, status FROM webhook_delivery")
        log = await audit.check_log(database)

    expected = Counter(
        (str(event["stream_id"]), event["version"], event["type"])
        for event in log
        if event["type"] in TOLD
    )
    ids: defaultdict[tuple[str, int, str], set[str]] = defaultdict(set)
    for letter in inbox.letters:
        told = msgspec.json.decode(letter.body)
        data = told["data"]
        ids[data["match_id"], data["version"], told["type"]].add(letter.id)
    assert ids.keys() == expected.keys() and set(expected.values()) == {1}
    assert all(len(found) == 1 for found in ids.values())
    assert {row["status"] for row in rows} == {"delivered"}
    assert len(rows) == len(expected)


def _answer(inbox: Receiver, letter: Letter) -> int:
    """Every third delivery is refused the first time."""
    tries = sum(one.id == letter.id for one in list(inbox.letters))
    return 500 if UUID(letter.id).int % 3 == 0 and tries == 1 else 200


async def _kill(process: Process) -> None:
    await process.kill()
    process.start()
    await process.ready()


async def _all_arrived(database: str) -> None:
    """Wait until the matches are over, and all that they are worth has arrived.

    What was refused once and then under way in a process that was killed is tried again after five
    minutes: these pass at once.
    """
    async with asyncio.timeout(ARRIVES_SECONDS):
        while (await audit.rows(database, _OPEN))[0][0]:
            await audit.rows(database, _MINUTES_PASS)
            await asyncio.sleep(0.2)


_MINUTES_PASS = """
UPDATE webhook_delivery SET due_at = now()
WHERE status = 'pending' AND attempts > 1 AND leased_until IS NULL
"""
_OPEN = """
SELECT (SELECT count(*) FROM stream_head WHERE is_open)
    + (SELECT count(*) FROM webhook_delivery WHERE status <> 'delivered')
    + (SELECT count(*) FROM log_counter, webhook_position
        WHERE webhook_position.position < log_counter.position)
"""
