"""What a witness keeps in its folder: its key, the log's keys, what it saw last, and evidence."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from infra.embedded.folder import DataFolder
from infra.signing import SigningKey, key_from
from service.cli.failure import Failure

KEY: Final = "witness.key"
KEYS: Final = "log-keys"
LAST: Final = "checkpoint"
EVIDENCE: Final = "evidence"


class Folder:
    """A folder that one witness at a time works in."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._folder = DataFolder(path)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Have the folder alone; raises AlreadyRunning."""
        self._folder.lock()
        try:
            yield
        finally:
            self._folder.unlock()

    def signer(self) -> SigningKey:
        """The witness's own key, made at its first use."""
        return SigningKey(key_from(self._folder.secret(KEY)))

    def pinned(self, given: Sequence[bytes]) -> tuple[bytes, ...]:
        """The log's keys that are trusted, with those that are given now."""
        path = self._path / KEYS
        known = path.read_text().split() if path.exists() else []
        added = [key.hex() for key in given if key.hex() not in known]
        if added:
            self._write(path, "\n".join((*known, *added)) + "\n")
        return tuple(bytes.fromhex(text) for text in (*known, *added))

    def last(self) -> str | None:
        """The checkpoint that was cosigned last."""
        path = self._path / LAST
        return path.read_text(encoding="utf-8") if path.exists() else None

    def keep(self, note: str) -> Path:
        """Keep a cosigned checkpoint in place of the last one; it is on the disk then."""
        self._write(self._path / LAST, note)
        return self._path / LAST

    def evidence(self) -> Path | None:
        """Evidence that was kept before."""
        return next(iter(sorted(self._path.glob(f"{EVIDENCE}-*"))), None)

    def convict(self, known: str, shown: str, why: str) -> Path:
        """Keep two signed checkpoints that contradict each other."""
        text = f"{known}\n{shown}\n{why}\n"
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        path = self._path / f"{EVIDENCE}-{digest}"
        self._write(path, text)
        return path

    def _write(self, path: Path, text: str) -> None:
        draft = path.with_name(f"{path.name}.draft")
        try:
            with draft.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}") from error
