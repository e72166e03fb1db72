"""What is in Redis held against what the log makes of it; nothing is written there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from domain.audit.record import id_text
from domain.audit.stored import Broken, Looked, StoredStream, decoded, folded
from domain.match import Match, Status
from domain.ports import Boards
from domain.sight import pack, views_of
from infra.memory_boards import MemoryBoards
from infra.postgres.pool import Pool
from infra.projections.board_consumer import BoardConsumer
from infra.projections.postgres_scan import PostgresScan
from infra.redis.boards import RedisBoards
from infra.redis.views import RedisViews

BATCH: Final = 200
"""Matches whose views are read in one flush."""
PAGE: Final = 500
LATER_SECONDS: Final = 2.0
"""A view that is newer than the moment that is looked at is held against the log after this."""
TRIES: Final = 20
"""How often boards that move on meanwhile are compared anew."""

Heads = Callable[[list[bytes]], Awaitable[dict[bytes, int]]]
"""The versions of matches in the log as it is now."""


class ViewCheck:
    """Takes in streams as they are looked at, and compares the views that are there of them."""

    def __init__(self, views: RedisViews, heads: Heads) -> None:
        self._views = views
        self._heads = heads
        self._waiting: list[tuple[StoredStream, Match]] = []
        self.compared = 0
        self.behind = 0
        """Views that are right, and older than their matches: the service puts them right."""
        self.newer = 0
        """Views of matches that have moved on since the moment that is looked at."""
        self.broken: list[Broken] = []

    async def add(self, stream: StoredStream, looked: Looked) -> None:
        """Take in a stream; one that is broken has no views to compare."""
        if looked.match is not None:
            self._waiting.append((stream, looked.match))
        if len(self._waiting) >= BATCH:
            await self.compare()

    async def compare(self) -> None:
        """Compare what was taken in since the last time."""
        now, self._waiting = self._waiting, []
        found = await self._views.several([match.id for _, match in now])
        beyond: dict[bytes, int] = {}
        for stream, match in now:
            if match.id in found:
                self._compare(stream, match, *found[match.id], beyond)
        if beyond:
            await self._hold_against_log(beyond)

    def _compare(
        self,
        stream: StoredStream,
        match: Match,
        version: int,
        packed: bytes,
        beyond: dict[bytes, int],
    ) -> None:
        if version > match.version:
            beyond[match.id] = version
            return
        if version < match.version:
            match = folded(stream, decoded(stream)[:version])
            self.behind += 1
        self.compared += 1
        if pack(views_of(match)) != packed:
            words = "the view in Redis is not the one that the events make"
            self.broken.append(Broken("views", words, stream.name, version))

    async def _hold_against_log(self, beyond: dict[bytes, int]) -> None:
        """A view may be newer than the moment, but not than the log."""
        heads = await self._heads(list(beyond))
        for match, version in beyond.items():
            if heads.get(match, 0) < version:
                words = f"the view in Redis is ahead of the log, which is at {heads.get(match, 0)}"
                self.broken.append(Broken("views", words, id_text(match), version))
            else:
                self.newer += 1


class _UpTo(PostgresScan):
    """The log as it was when it ended at a position."""

    end = 0

    async def position(self) -> int:
        """The last position that is looked at."""
        return min(self.end, await super().position())


async def check_boards(pool: Pool, live: RedisBoards) -> tuple[list[Broken], str | None]:
    """Fill boards from the log up to where those in Redis stand, and compare every line.

    Returns what differs, and why nothing could be compared, if so.
    """
    scan, log = _UpTo(pool), PostgresScan(pool)
    made = MemoryBoards()
    consumer = BoardConsumer(scan, made)
    for _ in range(TRIES):
        before = await live.state()
        if before is None:
            return [], "the boards in Redis are not filled"
        if before.position > await log.position():
            words = f"the boards in Redis stand at {before.position}, beyond the end of the log"
            return [Broken("boards", words)], None
        scan.end = before.position
        while await consumer.step(0):
            pass
        broken = await _lists(made, live)
        if await live.state() == before:
            return broken, None
        await asyncio.sleep(LATER_SECONDS / TRIES)
    return [], "the boards in Redis do not stand still: many matches begin and end"


async def _lists(made: MemoryBoards, live: Boards) -> list[Broken]:
    for status in Status:
        if status is Status.NEW:
            continue
        before: int | None = None
        while True:
            wanted = await made.lobby(status, PAGE, before)
            found = await live.lobby(status, PAGE, before)
            if wanted != found:
                return [Broken("boards", f"the list of {status} matches differs from the log's")]
            if len(wanted) < PAGE:
                break
            before = wanted[-1].position
    matches = made.matches()
    for start in range(0, len(matches), PAGE):
        few = matches[start:][:PAGE]
        known = await live.lines(few)
        for match, line in (await made.lines(few)).items():
            if known.get(match) != line:
                words = "its line on the boards differs from the log's"
                return [Broken("boards", words, id_text(match))]
    return []
