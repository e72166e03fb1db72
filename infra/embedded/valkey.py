"""An embedded Valkey: it keeps nothing on disk, since everything in it can be computed again."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Final

from infra.embedded.child import free_port, last_words, spawn, start_log, stop
from infra.embedded.errors import EmbeddedError
from infra.embedded.executables import valkey_server
from infra.embedded.identity import Identity, choose

_START_SECONDS: Final = 15.0
_STOP_SECONDS: Final = 5.0


class EmbeddedValkey:
    """One Valkey server on loopback."""

    def __init__(self, folder: Path, password: str) -> None:
        self._files = folder / "valkey"
        self._log = folder / "valkey.log"
        self._password = password
        self._program = valkey_server()
        self._identity: Identity | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    @property
    def url(self) -> str:
        """Where the server answers, with the password."""
        return f"redis://:{self._password}@127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start the server on a free port; raises EmbeddedError."""
        self._files.mkdir(mode=0o700, exist_ok=True)
        self._identity = choose(self._files, self._program)
        start_log(self._log)
        self.port = free_port()
        self._launch(self._identity)

    def revive(self) -> bool:
        """Start the server again on its port if it died; whether it had."""
        if self._process is None or self._identity is None or self._process.poll() is None:
            return False
        self._launch(self._identity)
        return True

    def await_ready(self) -> None:
        """Wait until commands are answered; raises EmbeddedError if the server ends first."""
        assert self._process is not None
        until = time.monotonic() + _START_SECONDS
        while time.monotonic() < until:
            if self._answers():
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.01)
        self.stop()
        raise EmbeddedError(f"the embedded Valkey did not start:\n{last_words(self._log)}")

    def stop(self) -> None:
        """End the server and forget what it held."""
        if self._process is not None:
            stop(self._process, signal.SIGTERM, _STOP_SECONDS)
            self._process = None

    def _launch(self, identity: Identity) -> None:
        process = spawn(
            [self._program, "-"], identity, signal.SIGTERM, self._log, stdin=subprocess.PIPE
        )
        self._process = process
        # By standard input, not as arguments: those can be read by every user of the machine.
        settings = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": f'"{self._files}"',
            "requirepass": self._password,
            "save": '""',
            "appendonly": "no",
        }
        assert process.stdin is not None
        with process.stdin as standard_input:
            standard_input.write("".join(f"{k} {v}\n" for k, v in settings.items()).encode())

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1.0) as connection:
                connection.sendall(f"AUTH {self._password}\r\n".encode())
                return connection.recv(64).startswith(b"+OK")
        except OSError:
            return False
