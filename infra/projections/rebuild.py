"""Everything in Redis written anew beside the old, then read instead of it, then the old removed.

Other processes go on meanwhile: writers of views write both generations, readers change over at
the switch, the live consumer of the boards goes on where the new one stands.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from msgspec import Struct

from domain.ports import BoardBatch, EventLog, Unavailable
from domain.tournaments.streams import is_tournament
from infra.projections.board_consumer import BoardConsumer, BoardsLost
from infra.projections.projected import PoisonEvent
from infra.projections.scan import LogScan
from infra.projections.view_repair import BuildViews
from infra.redis.boards import RedisBoards
from infra.redis.generations import SETTLE_SECONDS, Build, BuildLost, Generations
from infra.redis.server import Server
from infra.redis.views import RedisViews

PAGE_EVENTS: Final = 5_000
FLUSH_MATCHES: Final = 100
"""Matches whose views are written in one flush: a few hundred kilobytes."""


class Rebuilt(Struct, frozen=True):
    """What a rebuild did."""

    matches: int
    """Whose views were written."""
    position: int
    """Up to which the boards were filled."""
    removed: int
    """Keys of older generations."""


class Rebuilder:
    """Rebuilds boards and views from the log."""

    def __init__(
        self,
        log: EventLog,
        scan: LogScan,
        server: Server,
        generations: Generations,
        build_views: BuildViews,
        settle_seconds: float = SETTLE_SECONDS,
    ) -> None:
        self._log = log
        self._scan = scan
        self._server = server
        self._generations = generations
        self._build_views = build_views
        self._settle_seconds = settle_seconds

    async def run(
        self, *, boards: bool = True, views: bool = True, strict: bool = True, epoch: int = 0
    ) -> Rebuilt:
        """Rebuild; raises BuildLost if another builder is at work, or takes over.

        ``strict``: an event that cannot be understood raises PoisonEvent, and nothing changes.
        """
        build = await self._generations.begin(boards=boards, views=views)
        try:
            matches = await self._fill_views(build)
            position = await self._fill_boards(build, strict=strict, epoch=epoch)
        except BaseException:
            with suppress(Unavailable, BuildLost):
                await self._generations.abandon(build)
            raise
        await asyncio.sleep(self._settle_seconds if views else 0)
        return Rebuilt(matches, position, await self._generations.sweep())

    async def _fill_views(self, build: Build) -> int:
        if build.views is None:
            return 0
        # From here on every writer writes the new generation as well; what was written before
        # is in the log up to a position that is read after.
        await asyncio.sleep(self._settle_seconds)
        store = RedisViews(self._server, self._generations)
        written: set[bytes] = set()
        position = count = 0
        while True:
            page = await self._scan.changed(position, PAGE_EVENTS)
            if page.end == position:
                return count
            matches = [match for match in page.versions if match not in written]
            for start in range(0, len(matches), FLUSH_MATCHES):
                some = [(m, await self._views_of(m)) for m in matches[start:][:FLUSH_MATCHES]]
                packed = {match: views for match, views in some if views is not None}
                await store.fill(build.views, packed)
                await self._generations.hold(build)
                count += len(packed)
            written.update(matches)
            position = page.end

    async def _views_of(self, match: bytes) -> tuple[int, bytes] | None:
        """A match's version and views; nothing of a tournament, which has none."""
        stream = await self._log.read(match)
        if is_tournament(stream.events):
            return None
        try:
            return self._build_views(match, stream)
        except Exception as error:
            raise PoisonEvent(f"{match.hex()}: {error}") from error

    async def _fill_boards(self, build: Build, *, strict: bool, epoch: int) -> int:
        if build.boards is None:
            if not await self._generations.finish(build):
                raise BuildLost
            return 0
        store = RedisBoards(self._server, self._generations, build.boards)
        consumer = BoardConsumer(self._scan, store, strict=strict)
        if await store.state() is None:
            raise BuildLost
        await store.apply(BoardBatch(0, 0, epoch))  # It has a position from now.
        try:
            while await consumer.step(epoch):
                pass
            while not await self._generations.finish(build):
                reached = consumer.position
                await consumer.step(epoch)
                if consumer.position == reached:
                    # The log has no more, and yet the old boards are ahead: of another log.
                    await self._generations.finish(build, even_if_behind=True)
                    break
        except BoardsLost as error:
            raise BuildLost from error
        return consumer.position
