"""``talon serve`` as processes that a test kills and starts again on the same port and data."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from infra.embedded.child import free_port
from infra.embedded.identity import die_with_parent
from service.cli.demo.client import Client, ConnectionLost
from tests.house.running import COMMAND, Service, environment, is_alive

READY_SECONDS = 60


class Process:
    """One service with one worker. Killed, it is killed whole: nothing of it says goodbye."""

    def __init__(self, settings: Mapping[str, str], folder: Path) -> None:
        self._settings = settings
        self._log = folder / f"service-{(port := free_port())}.log"
        self._port = str(port)
        self._process: subprocess.Popen[str] | None = None
        self.url = f"http://127.0.0.1:{port}"

    def start(self) -> None:
        """Start it; ``ready`` waits for it."""
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                self.command(self._port),
                env=environment(self._settings),
                stdin=subprocess.DEVNULL,
                text=True,
                stdout=output,
                stderr=output,
                preexec_fn=lambda: die_with_parent(signal.SIGTERM),
            )

    def command(self, port: str) -> Sequence[str]:
        """What is run to serve at a port."""
        return [*COMMAND, "serve", "--port", port]

    async def ready(self) -> None:
        """Wait until it answers that it can serve."""
        until = time.monotonic() + READY_SECONDS
        while time.monotonic() < until:
            assert self._process is not None
            assert self._process.poll() is None, self._log.read_text()
            client = Client(self.url)
            with suppress(ConnectionLost):
                if (await client.request("GET", "/health/ready")).status == 200:
                    client.close()
                    return
            client.close()
            await asyncio.sleep(0.05)
        raise AssertionError(f"not ready within {READY_SECONDS} s: {self._log.read_text()}")

    def freeze(self) -> None:
        """SIGSTOP for the processes that work: they hold their connections and do nothing."""
        self._signal(signal.SIGSTOP)

    def rest(self) -> None:
        """SIGSTOP for those who serve: nothing more happens, and what has is kept up with."""
        for worker in self._running().workers():
            os.kill(worker, signal.SIGSTOP)

    def thaw(self) -> None:
        """SIGCONT: they go on as if no time had passed."""
        self._signal(signal.SIGCONT)

    async def kill(self) -> None:
        """SIGKILL everything: the parent first, or it would start another worker."""
        assert self._process is not None
        service = Service(self._process, self.url)
        others = service.workers() + service.keepers()
        self._process.kill()
        for process in others:
            os.kill(process, signal.SIGKILL)
        self._process.wait()
        self._process = None
        await _ended(others)

    async def stop(self) -> None:
        """Stop it in order, if it runs."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            await asyncio.to_thread(self._process.wait, 15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise

    def complaints(self) -> list[dict[str, Any]]:
        """What it has logged as an error, or could not log as anything else."""
        found = []
        for line in self._log.read_text().splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                if line.startswith("Traceback"):
                    found.append({"event": line})
                continue
            if entry["level"] in ("error", "critical"):
                found.append(entry)
        return found

    def _running(self) -> Service:
        assert self._process is not None
        return Service(self._process, self.url)

    def _signal(self, number: signal.Signals) -> None:
        service = self._running()
        workers, keepers = service.workers(), service.keepers()
        assert workers
        assert keepers
        for process in workers + keepers:
            os.kill(process, number)


@asynccontextmanager
async def processes(
    settings: Mapping[str, str], folder: Path, count: int = 1, kind: type[Process] = Process
) -> AsyncIterator[list[Process]]:
    """So many services on the same servers. At the end none may have logged an error."""
    started = [kind(settings, folder) for _ in range(count)]
    try:
        for process in started:
            process.start()
        for process in started:
            await process.ready()
        yield started
    finally:
        for process in started:
            await process.stop()
    for process in started:
        assert process.complaints() == []


async def _ended(processes: list[int]) -> None:
    async with asyncio.timeout(10):
        while any(is_alive(process) for process in processes):
            await asyncio.sleep(0.01)
