"""The last signed checkpoint in a file: it outlives a database that went back in time."""

from __future__ import annotations

import asyncio
import hashlib
import os
from pathlib import Path


class LastSignedFile:
    """``domain.audit.proofs.LastSigned`` in a folder, one file for each name of a log."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, origin: str) -> Path:
        """The file for a log of this name."""
        return self._folder / f"checkpoint-{hashlib.sha256(origin.encode()).hexdigest()[:16]}"

    async def load(self, origin: str) -> str | None:
        """The note, if there is one."""
        try:
            return await asyncio.to_thread(self.path(origin).read_text, encoding="utf-8")
        except FileNotFoundError:
            return None

    async def keep(self, origin: str, note: str) -> None:
        """Keep a note in place of the last one; it is on the disk when this returns."""
        await asyncio.to_thread(self._write, self.path(origin), note)

    def _write(self, path: Path, note: str) -> None:
        self._folder.mkdir(mode=0o711, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with draft.open("w", encoding="utf-8") as file:
            file.write(note)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
