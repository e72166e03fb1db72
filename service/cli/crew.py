"""The processes of ``talon serve``: started, replaced when they die, stopped together.

Not here: what they do (``service.cli.worker``, ``service.cli.keeper``), nor the embedded servers.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from service.cli.failure import Failure
from service.listener import GRACE_SECONDS
from service.settings import Settings

_START_SECONDS: Final = 60.0
_STOP_SECONDS: Final = GRACE_SECONDS + 3.0
_PAUSE_SECONDS_MAX: Final = 30.0
"""One that keeps dying is started again after 1, 2, 4, ... seconds, this at most."""


class Member:
    """One process: a worker at a listening socket, or without one the keeper.

    It is ready once it has said so on its pipe.
    """

    def __init__(self, listener: socket.socket | None, environment: Mapping[str, str]) -> None:
        self.listener = listener
        module = "service.cli.keeper" if listener is None else "service.cli.worker"
        self._ready, ready_end = os.pipe()
        files = (ready_end,) if listener is None else (ready_end, listener.fileno())
        self.is_ready = False
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *map(str, files)],
            stdin=subprocess.PIPE,
            pass_fds=files,
            env={**os.environ, **environment},
            process_group=0,  # Ctrl-C reaches only us, and we stop them in order
        )
        os.close(ready_end)

    def brief(self, settings: bytes) -> None:
        """Tell the process its settings. Its standard input stays open: closed, it would stop."""
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
    """The workers of one service, which share its listening socket, and its keeper.

    ``environment`` is put into theirs; ``died`` is told the id of each that is replaced.
    """

    def __init__(
        self,
        workers: int,
        listener: socket.socket,
        environment: Mapping[str, str] = {},
        died: Callable[[int], None] = lambda process: None,
    ) -> None:
        self._settings = b""
        self._environment = environment
        self._died = died
        places = [*[listener] * workers, None]
        self._members = [Member(place, environment) for place in places]
        self._deaths = 0
        self._resting_until = 0.0

    def brief(self, settings: Settings) -> None:
        """Tell all the settings: they build what they run, and begin."""
        self._settings = msgspec.json.encode(settings)
        for member in self._members:
            member.brief(self._settings)

    def processes(self) -> Mapping[str, int]:
        """The process ids, by what each is: ``worker-1``, ``worker-2``, ..., ``keeper``."""
        return {
            "keeper" if member.listener is None else f"worker-{place}": member.process.pid
            for place, member in enumerate(self._members, 1)
        }

    def await_ready(self) -> None:
        """Wait until every one is ready; raises Failure if one does not come up."""
        until = time.monotonic() + _START_SECONDS
        for member in self._members:
            while not member.heard_ready(0.05):
                if member.died():
                    raise Failure("the service did not start: see above")
                if time.monotonic() > until:
                    raise Failure(f"the service did not start within {_START_SECONDS:.0f} s")

    def replace_dead(self) -> int:
        """Start a new process for each that died; how many had."""
        if time.monotonic() < self._resting_until:
            return 0
        replaced = 0
        for place, member in enumerate(self._members):
            if member.heard_ready(0.0) and not member.died():
                continue
            if member.died():
                member.close()
                self._died(member.process.pid)
                self._members[place] = Member(member.listener, self._environment)
                self._members[place].brief(self._settings)
                replaced += 1
        if replaced:
            pause = min(2.0 ** min(self._deaths, 10), _PAUSE_SECONDS_MAX)
            self._resting_until = time.monotonic() + pause
            self._deaths += 1
        elif all(member.is_ready for member in self._members):
            self._deaths = 0
        return replaced

    def stop(self) -> None:
        """Stop all: streams end, answers in progress are sent, then by force."""
        for member in self._members:
            member.process.send_signal(signal.SIGTERM)
        until = time.monotonic() + _STOP_SECONDS
        for member in self._members:
            try:
                member.process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                member.process.kill()
                member.process.wait()
            member.close()
