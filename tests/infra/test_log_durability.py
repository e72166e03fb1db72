"""What was acknowledged is on disk: a server that is killed in mid-work loses none of it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from pathlib import Path

import pytest

from domain.ports import OutcomeUnknown, Recorded, Unavailable
from infra.embedded.servers import EmbeddedServers
from infra.postgres.log import PostgresLog
from infra.postgres.migrate import upgrade
from infra.sealing import Sealer
from tests.contract.pen import STARTED, Pen, calls, fresh_id, head_after

pytestmark = [pytest.mark.servers, pytest.mark.slow]

SEALER = Sealer(bytes(range(32)))
WRITERS, KILLS, KILLS_MOST = 8, 2, 30


def kill_with_children(folder: Path) -> None:
    """SIGKILL a server's first process and those it started, as a failing machine would."""
    parent = int((folder / "postgres" / "postmaster.pid").read_text().split()[0])
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    os.kill(parent, signal.SIGKILL)
    for child in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(child), signal.SIGKILL)


def revive(servers: EmbeddedServers) -> None:
    until = time.monotonic() + 30
    while not servers.revive():
        assert time.monotonic() < until, "the killed server did not end"
        time.sleep(0.05)


class Ledger:
    """What a writer was told: acknowledged commands, and those whose outcome it had to look up."""

    def __init__(self) -> None:
        self.acknowledged: list[Recorded] = []
        self.unknown = 0

    async def write(self, log: PostgresLog, stop: asyncio.Event) -> None:
        """Append command after command; look up what is unknown, repeat what is not there."""
        pen, command = Pen(log), fresh_id()
        while not stop.is_set():
            try:
                written = await pen.write(STARTED, *calls(0), command=command)
            except Unavailable:
                await asyncio.sleep(0.05)
                continue
            except OutcomeUnknown:
                self.unknown += 1
                written = await self._look_up(log, pen.stream, command)
            if written:
                self.acknowledged += written
                pen.head, command = head_after(written), fresh_id()

    async def _look_up(
        self, log: PostgresLog, stream: bytes, command: bytes
    ) -> tuple[Recorded, ...]:
        while True:
            try:
                events = (await log.read(stream)).events
            except Unavailable:
                await asyncio.sleep(0.05)
                continue
            places = [place for place, each in enumerate(events) if each.command_id == command]
            return events[places[0] :] if places else ()


async def write_while_killing(folder: Path, servers: EmbeddedServers) -> None:
    assert servers.database_url
    log = await PostgresLog.open(servers.database_url, SEALER, pool_size=4)
    stop, ledgers = asyncio.Event(), [Ledger() for _ in range(WRITERS)]
    writing = [asyncio.create_task(ledger.write(log, stop)) for ledger in ledgers]
    kills = 0
    while kills < KILLS or not sum(ledger.unknown for ledger in ledgers):
        assert kills < KILLS_MOST, "the kills met no append"
        kills += 1
        await asyncio.sleep(0.4)
        kill_with_children(folder)
        revive(servers)  # on this thread: the server ends with the thread that started it
        before = sum(len(ledger.acknowledged) for ledger in ledgers)
        while sum(len(ledger.acknowledged) for ledger in ledgers) < before + 50:
            await asyncio.sleep(0.05)
    stop.set()
    await asyncio.gather(*writing)
    acknowledged = sorted(
        (each for ledger in ledgers for each in ledger.acknowledged), key=lambda each: each.position
    )
    stored = [
        each for page in range(0, len(acknowledged), 500) for each in await log.follow(page, 500)
    ]
    assert stored == acknowledged  # none lost, none twice, and none that nobody was told of
    assert [each.position for each in stored] == list(range(1, len(stored) + 1))
    assert await log.position() == len(stored)
    await log.close()


def test_no_acknowledged_command_is_lost_or_doubled_when_the_server_is_killed(
    tmp_path: Path,
) -> None:
    with EmbeddedServers(tmp_path, valkey=False, durable=True) as servers:
        assert servers.database_url
        upgrade(servers.database_url)
        asyncio.run(write_while_killing(tmp_path, servers))
