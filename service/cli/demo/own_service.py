"""A service of one's own: ``talon serve`` as a child process over a temporary data folder."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from infra.embedded.child import free_port, last_words, stop
from infra.embedded.identity import die_with_parent
from service.cli.demo.client import Client, ConnectionLost
from service.cli.failure import Failure

START_SECONDS: Final = 60
"""Making a database takes a second or two; a busy machine may need a minute."""
STOP_SECONDS: Final = 15
_OF_OTHERS: Final = frozenset(("TALON_DATABASE_URL", "TALON_REDIS_URL", "TALON_SEAL_KEY"))


class NoService(Failure):
    """The service did not start; the message ends with its last words."""


class OwnService(Struct, frozen=True):
    """A running child: where it answers, its process id, and its data folder."""

    url: str
    process_id: int
    folder: Path


@asynccontextmanager
async def own_service(settings: Mapping[str, str]) -> AsyncIterator[OwnService]:
    """A service with ``settings`` (``TALON_…``) beyond the defaults; nothing of it stays.

    The environment's servers are not used unless ``settings`` names them: what is played here
    belongs into nobody's database. Raises NoService.
    """
    with tempfile.TemporaryDirectory(prefix="talon-") as parent:
        folder, log = Path(parent, "data"), Path(parent, "service.log")
        url = f"http://127.0.0.1:{(port := free_port())}"
        environment = {name: value for name, value in os.environ.items() if not _is_of_others(name)}
        environment |= {"TALON_DATA": str(folder), "TALON_PORT": str(port), **settings}
        environment["TALON_HOST"] = "127.0.0.1"
        process = _spawn(environment, log)
        try:
            await _until_ready(url, process, log)
            yield OwnService(url, process.pid, folder)
        finally:
            stop(process, signal.SIGTERM, STOP_SECONDS)


def _is_of_others(name: str) -> bool:
    """Whether a variable names servers, or their key, that are not this service's own."""
    return name.removesuffix("_FILE") in _OF_OTHERS


def _spawn(environment: Mapping[str, str], log: Path) -> subprocess.Popen[bytes]:
    """Start the service; it ends with this process, however that ends."""

    def prepare() -> None:
        os.setpgid(0, 0)  # Ctrl-C reaches only us, and we stop the child in order
        die_with_parent(signal.SIGTERM)

    with log.open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "service.cli.main", "serve"],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            preexec_fn=prepare,
        )


async def _until_ready(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for the service's first answer; raises NoService."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise NoService(f"the service ended with {process.returncode}:\n{last_words(log)}")
        client = Client(url)
        try:
            if (await client.request("GET", "/health/ready")).status == 200:
                return
        except ConnectionLost:
            pass
        finally:
            client.close()
        await asyncio.sleep(0.05)
    raise NoService(f"the service was not ready within {START_SECONDS} s:\n{last_words(log)}")
