"""``talon serve`` as a process, for tests: started with a free port, stopped for certain."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

CHECKOUT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "service.cli.main")
READY = "Talon is ready at "


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """The environment with these settings and no others."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TALON_")}
    return {**clean, "PYTHONPATH": str(CHECKOUT), **settings}


def talon(*words: str, settings: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [*COMMAND, *words], env=environment(settings), capture_output=True, text=True, timeout=60
    )


class Service:
    """A running service; ``url`` is where it answers."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.process = process
        self.url = url

    def metrics(self) -> str:
        """Where its metrics are, as the banner tells; asked once, of one that has any."""
        assert self.process.stdout is not None
        lines = iter(self.process.stdout.readline, "")
        return next(line for line in lines if "  Metrics  " in line).split()[-1]

    def workers(self) -> list[int]:
        """The process ids of the workers."""
        return self._running(b"service.cli.worker")

    def keepers(self) -> list[int]:
        """The process ids of what keeps up with the log: one, but for a moment."""
        return self._running(b"service.cli.keeper")

    def _running(self, module: bytes) -> list[int]:
        return [
            int(entry.name)
            for entry in Path("/proc").iterdir()
            if entry.name.isdigit() and _runs(module, entry, self.process.pid)
        ]


@contextmanager
def serving(
    *words: str, settings: Mapping[str, str], logged: TextIO | None = None
) -> Iterator[Service]:
    """``talon serve`` until the end of the block, and killed then if it still runs.

    What it logs goes into ``logged``, else to where the tests write.
    """
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", *words],
        env=environment(settings),
        stdout=subprocess.PIPE,
        stderr=logged,
        text=True,
    )
    too_late = threading.Timer(60, process.kill)
    too_late.start()
    with process:
        try:
            assert process.stdout is not None
            lines = iter(process.stdout.readline, "")
            url = next((line.split(READY)[1].strip() for line in lines if READY in line), None)
            assert url is not None, "the service ended before it was ready"
            yield Service(process, url)
        finally:
            too_late.cancel()
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


def is_alive(process: int) -> bool:
    """Whether a process runs, and is not only waiting for its parent to notice its end."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def _runs(module: bytes, entry: Path, parent: int) -> bool:
    try:
        words = (entry / "cmdline").read_bytes()
        found = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return False
    return module in words and found == parent
