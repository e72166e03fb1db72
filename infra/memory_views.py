"""The view store and its hints in one process: for tests, a demo, and simulation.

No servers, no packing of its own: the same contract tests run over this and over Redis.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

HINTS_QUEUED_MAX: Final = 10_000
"""A listener that has slept through this many hints is told to look at every match instead."""
MISSED: Final = (b"", 0)
"""The hint that says that hints may have been missed."""


class MemoryHints:
    """Hints to listeners of the same process."""

    def __init__(self) -> None:
        self._listeners: set[asyncio.Queue[tuple[bytes, int]]] = set()

    def publish(self, match: bytes, version: int) -> None:
        """Tell every listener; never waits for a slow one."""
        for queue in self._listeners:
            if queue.qsize() < HINTS_QUEUED_MAX:
                queue.put_nowait((match, version))
            elif queue.qsize() == HINTS_QUEUED_MAX:
                queue.put_nowait(MISSED)

    async def listen(self) -> AsyncIterator[tuple[bytes, int]]:
        """Match ids and versions as they are announced; never ends by itself."""
        queue: asyncio.Queue[tuple[bytes, int]] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            yield MISSED
            while True:
                yield await queue.get()
        finally:
            self._listeners.discard(queue)


class MemoryViews:
    """The newest packed views of each match, in a dict."""

    def __init__(self, hints: MemoryHints | None = None) -> None:
        self._hints = hints or MemoryHints()
        self._views: dict[bytes, tuple[int, bytes]] = {}

    async def put(self, packed: Mapping[bytes, tuple[int, bytes]]) -> None:
        """Store each match's version and packed views unless a newer one is there; tell others."""
        for match, (version, views) in packed.items():
            if version > self._views.get(match, (0, b""))[0]:
                self._views[match] = (version, views)
                self._hints.publish(match, version)

    async def get(self, match: bytes) -> tuple[int, bytes] | None:
        """A match's version and packed views."""
        return self._views.get(match)

    async def stored(self) -> AsyncIterator[Sequence[bytes]]:
        """The matches whose views are there, in one page."""
        yield list(self._views)

    async def versions(self, matches: Sequence[bytes]) -> dict[bytes, int]:
        """The versions of the views that are there."""
        return {match: self._views[match][0] for match in matches if match in self._views}
