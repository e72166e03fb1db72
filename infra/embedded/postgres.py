"""An embedded Postgres: its files are made once and kept; it listens on loopback only."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Final

from infra.embedded.child import free_port, last_words, spawn, start_log, stop
from infra.embedded.errors import EmbeddedError
from infra.embedded.executables import postgres_major, postgres_programs
from infra.embedded.identity import Identity, choose

_USER: Final = "talon"
_START_SECONDS: Final = 60.0
"""A crash recovery may take this long."""
_STOP_SECONDS: Final = 30.0
_PREDECESSOR_SECONDS: Final = 15.0
"""How long a server whose service was killed gets to write its last and go."""
_QUIET: Final = ("log_checkpoints=off", "timezone=UTC", "log_timezone=UTC")
_RISKY: Final = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""For tests only: a machine that loses power loses the data."""


class EmbeddedPostgres:
    """One Postgres server over the folder ``postgres`` in the data folder."""

    def __init__(self, folder: Path, password: str, durable: bool) -> None:
        self._folder = folder
        self._files = folder / "postgres"
        self._log = folder / "postgres.log"
        self._password = password
        self._durable = durable
        self._programs = postgres_programs()
        self._identity: Identity | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    @property
    def url(self) -> str:
        """Where the server answers, with the password."""
        return f"postgresql://{_USER}:{self._password}@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Make the files if there are none and start the server; raises EmbeddedError."""
        self._identity = self._prepare_files()
        self._await_predecessor(self._identity)
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
        """Wait until connections are accepted; raises EmbeddedError if the server ends first."""
        assert self._process is not None
        until = time.monotonic() + _START_SECONDS
        while time.monotonic() < until:
            pid, status = self._pid_file()
            if pid == self._process.pid and status == "ready":
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.01)
        self.stop()
        raise EmbeddedError(f"the embedded Postgres did not start:\n{last_words(self._log)}")

    def stop(self) -> None:
        """End the server: open transactions are rolled back, everything committed is kept."""
        if self._process is not None:
            stop(self._process, signal.SIGINT, _STOP_SECONDS)
            self._process = None

    def _launch(self, identity: Identity) -> None:
        options = _QUIET if self._durable else _QUIET + _RISKY
        command: list[str | Path] = [self._programs / "postgres", "-D", self._files]
        command += ["-p", str(self.port), "-k", "", "-c", "listen_addresses=127.0.0.1"]
        for option in options:
            command += ["-c", option]
        self._process = spawn(command, identity, signal.SIGINT, self._log)

    def _prepare_files(self) -> Identity:
        major = postgres_major(self._programs)
        if not self._files.exists():
            return self._make_files()
        made_by = (self._files / "PG_VERSION").read_text().strip()
        if made_by != str(major):
            raise EmbeddedError(
                f"{self._files} was made by Postgres {made_by}, and this one is {major}: move the"
                f" data with pg_dumpall of {made_by}, or set TALON_DATABASE_URL"
            )
        return choose(self._files, self._programs / "postgres")

    def _make_files(self) -> Identity:
        """Make the files beside their place, so that a half-made folder is never taken for one."""
        draft, password = self._folder / "postgres.new", self._folder / "postgres.password"
        shutil.rmtree(draft, ignore_errors=True)
        password.unlink(missing_ok=True)
        draft.mkdir(mode=0o700)
        identity = choose(draft, self._programs / "postgres")
        with os.fdopen(os.open(password, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(self._password)
        identity.own(password)
        command: list[str | Path] = [self._programs / "initdb", "-D", draft, "-U", _USER]
        command += ["--auth=scram-sha-256", f"--pwfile={password}", "-E", "UTF8", "--no-locale"]
        command += [] if self._durable else ["--no-sync"]
        done = subprocess.run(
            command, preexec_fn=identity.enter, capture_output=True, text=True, cwd="/"
        )
        password.unlink()
        if done.returncode != 0:
            raise EmbeddedError(f"initdb failed:\n{done.stdout}{done.stderr}")
        draft.rename(self._files)
        return identity

    def _await_predecessor(self, identity: Identity) -> None:
        """Let the server of a service that was killed finish; remove what a power cut left."""
        until = time.monotonic() + _PREDECESSOR_SECONDS
        while (pid := self._pid_file()[0]) and _is_postgres(pid):
            if time.monotonic() > until:
                halt = (self._programs / "pg_ctl", "stop", "-m", "fast", "-D", self._files)
                subprocess.run(halt, preexec_fn=identity.enter, capture_output=True, cwd="/")
                return
            time.sleep(0.05)
        # The process of that number, if any, is another program: after a restart of the machine
        # or container Postgres itself would take it for its own and refuse to start.
        (self._files / "postmaster.pid").unlink(missing_ok=True)

    def _pid_file(self) -> tuple[int, str]:
        """The process and status that the server wrote down; (0, "") if there are none."""
        try:
            lines = (self._files / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return 0, ""
        pid = int(lines[0]) if lines and lines[0].lstrip("-").isdigit() else 0
        return pid, lines[7].strip() if len(lines) > 7 else ""


def _is_postgres(pid: int) -> bool:
    """Whether a process runs and is a Postgres."""
    if Path("/proc/self").exists():
        try:
            return Path(f"/proc/{pid}/comm").read_text().strip() == "postgres"
        except OSError:
            return False
    asked = subprocess.run(["ps", "-p", str(pid), "-o", "comm="], capture_output=True, text=True)
    return "postgres" in asked.stdout
