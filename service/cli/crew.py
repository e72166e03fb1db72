"""The worker processes of ``talon serve``: started, replaced when they die, stopped together.

Not here: what a worker does (``service.cli.worker``), nor the embedded servers.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import time
from typing import Final

import msgspec

from service.cli.failure import Failure
from service.listener import GRACE_SECONDS
from service.settings import Settings

_START_SECONDS: Final = 60.0
_STOP_SECONDS: Final = GRACE_SECONDS + 3.0
_PAUSE_SECONDS_MAX: Final = 30.0
"""A worker that keeps dying is started again after 1, 2, 4, ... seconds, this at most."""


class Worker:
    """One process. It is ready once it has said so on its pipe."""

    def __init__(self, listener: socket.socket) -> None:
        self._ready, ready_end = os.pipe()
        self.is_ready = False
        self.process = subprocess.Popen(
            [sys.executable, "-m", "service.cli.worker", str(listener.fileno()), str(ready_end)],
            stdin=subprocess.PIPE,
            pass_fds=(listener.fileno(), ready_end),
            process_group=0,  # Ctrl-C reaches only us, and we stop the workers in order
        )
        os.close(ready_end)

    def brief(self, settings: bytes) -> None:
        """Tell the worker its settings. Its standard input stays open: closed, it would stop."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(settings + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return  # it has died: that is noticed elsewhere

    def heard_ready(self, patience: float) -> bool:
        """Wait for the word for ``patience`` seconds at most."""
        if not self.is_ready and select.select([self._ready], [], [], patience)[0]:
            self.is_ready = os.read(self._ready, 16) != b""
        return self.is_ready

    def died(self) -> bool:
        """Whether the process has ended."""
        return self.process.poll() is not None

    def close(self) -> None:
        """Give back what belonged to a process that has ended."""
        os.close(self._ready)
        if self.process.stdin is not None:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                return


class Crew:
    """All workers of one service; they share its listening socket."""

    def __init__(self, size: int, listener: socket.socket) -> None:
        self._listener = listener
        self._settings = b""
        self._workers = [Worker(listener) for _ in range(size)]
        self._deaths = 0
        self._resting_until = 0.0

    def brief(self, settings: Settings) -> None:
        """Tell all workers the settings: they build the service and begin to serve."""
        self._settings = msgspec.json.encode(settings)
        for worker in self._workers:
            worker.brief(self._settings)

    def await_ready(self) -> None:
        """Wait until every worker serves; raises Failure if one does not come up."""
        until = time.monotonic() + _START_SECONDS
        for worker in self._workers:
            while not worker.heard_ready(0.05):
                if worker.died():
                    raise Failure("the service did not start: see above")
                if time.monotonic() > until:
                    raise Failure(f"the service did not start within {_START_SECONDS:.0f} s")

    def replace_dead(self) -> int:
        """Start a new worker for each that died; how many had."""
        if time.monotonic() < self._resting_until:
            return 0
        replaced = 0
        for place, worker in enumerate(self._workers):
            if worker.heard_ready(0.0) and not worker.died():
                continue
            if worker.died():
                worker.close()
                self._workers[place] = Worker(self._listener)
                self._workers[place].brief(self._settings)
                replaced += 1
        if replaced:
            pause = min(2.0 ** min(self._deaths, 10), _PAUSE_SECONDS_MAX)
            self._resting_until = time.monotonic() + pause
            self._deaths += 1
        elif all(worker.is_ready for worker in self._workers):
            self._deaths = 0
        return replaced

    def stop(self) -> None:
        """Stop all workers: streams end, answers in progress are sent, then by force."""
        for worker in self._workers:
            worker.process.send_signal(signal.SIGTERM)
        until = time.monotonic() + _STOP_SECONDS
        for worker in self._workers:
            try:
                worker.process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()
            worker.close()
