"""What can go wrong with embedded servers, in words for the person at the terminal."""

from __future__ import annotations


class EmbeddedError(Exception):
    """An embedded server cannot run here; the message says why and what to do instead."""


class AlreadyRunning(EmbeddedError):  # noqa: N818
    """The data folder is in use; ``url`` is where its service answers, empty while it starts."""

    def __init__(self, folder: str, url: str) -> None:
        self.url = url
        where = (
            f"already running at {url}" if url else "in use by another process, which is starting"
        )
        super().__init__(f"{where} (data folder {folder})")
