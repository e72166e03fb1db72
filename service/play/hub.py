"""Live streams of matches: the log is the truth, hints and commits are only wake-ups.

Every move that this process makes or reads reaches all streams of the match at once. What other
processes append is noticed by their hints, and without hints by a poll of the heads.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from typing import Final

from domain.limits import PAGE_ITEMS
from domain.ports import EventLog, Hints, Unavailable
from service.play.answers import item
from service.play.background import Background
from service.play.contract import Busy, Item
from service.play.folding import Step
from service.play.followers import Follower
from service.play.history import History
from service.play.tables import Tables
from service.play.viewers import Viewer

_log: Final = logging.getLogger("talon.play")
POLL_SECONDS: Final = 1.0
"""How late a stream may be while hints are lost."""
AWAY_SECONDS: Final = 0.5
"""Pause before a log that was away is asked again; each such pause ends with a heartbeat."""
HEADS_MAX: Final = 500
"""Matches whose heads are asked for in one statement."""


class Hub:
    """The streams of this process, by match."""

    def __init__(
        self,
        log: EventLog,
        tables: Tables,
        history: History,
        hints: Hints,
        heartbeat_seconds: float,
    ) -> None:
        self._log = log
        self._tables = tables
        self._history = history
        self._hints = hints
        self._heartbeat_seconds = heartbeat_seconds
        self._followers: dict[bytes, set[Follower]] = {}
        self._reading: set[bytes] = set()
        self._background = Background()
        self._is_stopped = False
        tables.watch(self._moved)

    def start(self) -> None:
        """Begin to listen and to poll."""
        self._background.keep("hints", self._listen)
        self._background.keep("poll of watched matches", self._poll)

    async def stop(self) -> None:
        """End every stream, after what it has been given."""
        self._is_stopped = True
        for followers in self._followers.values():
            for follower in followers:
                follower.stop()
        await self._background.stop()

    async def stream(
        self, match_id: bytes, viewer: Viewer, after: int
    ) -> AsyncIterator[Item | None]:
        """Events after a version as they come, and None for each heartbeat; see ``Play``."""
        try:
            folded = await self._tables.folded(match_id)
        except Unavailable:
            raise Busy from None
        viewer = viewer.pinned_in(folded.match)
        table = self._tables.table(match_id)  # held: it stays while somebody watches
        follower = Follower()
        self._followers.setdefault(match_id, set()).add(follower)
        if self._is_stopped:
            follower.stop()
        try:
            while not follower.is_stopped:
                if follower.is_behind:
                    follower.catch_up()
                    page = await self._page(match_id, viewer, after)
                    for one in page or ():
                        yield one
                        after = one.version
                    if page is None:
                        yield None
                    if page is None or len(page) == PAGE_ITEMS:
                        follower.fall_behind()
                elif step := follower.take():
                    if step.recorded.version == after + 1:
                        yield item(step, viewer)
                        after += 1
                    elif step.recorded.version > after:
                        follower.fall_behind()
                elif table.folded and table.folded.match.is_over and after >= table.version:
                    return
                elif not await follower.wait(self._heartbeat_seconds):
                    yield None
        finally:
            self._leave(match_id, follower)

    async def _page(self, match_id: bytes, viewer: Viewer, after: int) -> tuple[Item, ...] | None:
        """The next events in the log; None, after a pause, while it is away."""
        try:
            return await self._history.items(match_id, viewer, after, PAGE_ITEMS)
        except Unavailable:
            await asyncio.sleep(AWAY_SECONDS)
            return None

    def _leave(self, match_id: bytes, follower: Follower) -> None:
        followers = self._followers[match_id]
        followers.discard(follower)
        if not followers:
            del self._followers[match_id]

    def _moved(self, match_id: bytes, steps: Sequence[Step]) -> None:
        """Pass steps on to the streams of the match."""
        for follower in self._followers.get(match_id, ()):
            follower.offer(steps)

    async def _listen(self) -> None:
        """Read those watched matches again that others say have moved."""
        async for match_id, version in self._hints.listen():
            if not match_id:
                await self._compare(tuple(self._followers))
                continue
            self._tables.announced(match_id, version)
            if match_id in self._followers and version > self._version(match_id):
                self._read_again(match_id)
        await asyncio.sleep(POLL_SECONDS)

    async def _poll(self) -> None:
        """Compare every watched match with the log, once in a while."""
        await asyncio.sleep(POLL_SECONDS)
        await self._compare(tuple(self._followers))

    async def _compare(self, watched: Sequence[bytes]) -> None:
        for start in range(0, len(watched), HEADS_MAX):
            heads = await self._log.heads(watched[start : start + HEADS_MAX])
            for match_id, version in heads.items():
                if version > self._version(match_id):
                    self._read_again(match_id)

    def _version(self, match_id: bytes) -> int:
        folded = self._tables.known(match_id)
        return 0 if folded is None else folded.match.version

    def _read_again(self, match_id: bytes) -> None:
        """Have a match read to its head, once at a time."""
        if match_id not in self._reading:
            self._reading.add(match_id)
            self._background.start(self._read(match_id))

    async def _read(self, match_id: bytes) -> None:
        try:
            await self._tables.current(match_id)
        except (Unavailable, Busy):
            _log.warning("a watched match could not be read; the next poll tries again")
        finally:
            self._reading.discard(match_id)
