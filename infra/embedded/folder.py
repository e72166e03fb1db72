"""The data folder: one service at a time, its password, and how to reach it while it runs."""

from __future__ import annotations

import fcntl
import os
import secrets
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from infra.embedded.errors import AlreadyRunning, EmbeddedError


class Running(Struct, frozen=True):
    """Where a running service and its embedded servers answer. Holds the password."""

    url: str
    database_url: str | None
    redis_url: str | None


class DataFolder:
    """A folder that keeps everything an embedded service owns.

    Others may pass through it (0711), since the servers may run as another user; the files that
    hold secrets are readable by their owner only.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._lock: int | None = None

    @property
    def is_locked(self) -> bool:
        """Whether this process has taken the folder."""
        return self._lock is not None

    def create(self) -> None:
        """Make the folder if it is missing; raises EmbeddedError."""
        try:
            self.path.mkdir(mode=0o711, parents=True, exist_ok=True)
        except OSError as error:
            raise EmbeddedError(f"the data folder cannot be made: {error}") from error
        if not os.access(self.path, os.W_OK):
            raise EmbeddedError(
                f"the data folder {self.path} belongs to another user: start Talon as that user,"
                " or name another folder with --data or TALON_DATA"
            )

    def lock(self) -> None:
        """Take the folder for this process until it ends; raises AlreadyRunning."""
        self.create()
        lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            url = os.read(lock, 200).decode().strip()
            os.close(lock)
            raise AlreadyRunning(str(self.path), url) from None
        os.ftruncate(lock, 0)
        self._lock = lock

    def announce(self, running: Running) -> None:
        """Tell later starts, and commands beside the service, where this one answers."""
        if self._lock is None:
            raise ValueError("lock the folder first")
        self._draft("running.json", msgspec.json.encode(running)).replace(
            self.path / "running.json"
        )
        os.pwrite(self._lock, running.url.encode() + b"\n", 0)

    def running(self) -> Running | None:
        """What the service that holds this folder announced; None if none holds it.

        Raises AlreadyRunning if a process holds it that has announced nothing (yet).
        """
        try:
            self.lock()
        except AlreadyRunning:
            try:
                announced = (self.path / "running.json").read_bytes()
            except FileNotFoundError:
                raise AlreadyRunning(str(self.path), "") from None
            return msgspec.json.decode(announced, type=Running)
        self.unlock()
        return None

    def unlock(self) -> None:
        """Let others take the folder; what was announced is withdrawn."""
        if self._lock is not None:
            (self.path / "running.json").unlink(missing_ok=True)
            os.ftruncate(self._lock, 0)
            os.close(self._lock)
            self._lock = None

    def secret(self, name: str) -> str:
        """A random secret of 256 bits, made at its first use and kept in a file of that name."""
        path = self.path / name
        if not path.exists():
            draft = self._draft(name, secrets.token_urlsafe(32).encode())
            with suppress(FileExistsError):  # another process was faster: its secret holds
                os.link(draft, path)
            draft.unlink()
        return path.read_text().strip()

    def _draft(self, name: str, content: bytes) -> Path:
        """A file on disk for its owner's eyes only, to be put in its place in one step."""
        draft = self.path / f"{name}.{os.getpid()}"
        draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        return draft
