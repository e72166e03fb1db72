"""Which generation of views and boards is read, and which is being built beside it.

A process may be a moment behind: whoever builds waits ``SETTLE_SECONDS`` after a claim and after
a switch, so that every writer of views writes both and no reader is left behind.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator
from typing import Final

from msgspec import Struct

from domain.ports import Unavailable
from infra.redis.server import Server

FRESH_SECONDS: Final = 1.0
SETTLE_SECONDS: Final = 2.5
"""FRESH_SECONDS, and the longest that a flush that began before may take."""
CLAIM_MS: Final = 30_000
"""A builder that is silent for this long has died, and another may begin."""


class Pointer(Struct, frozen=True):
    """The generations in use; ``boards`` is None where they are still to be filled."""

    views: str
    boards: str | None
    views_next: str | None = None
    boards_next: str | None = None


class Build(Struct, frozen=True):
    """The right to build a new generation; None for what is not built."""

    boards: str | None
    views: str | None


class BuildLost(Unavailable):
    """Another builder is at work, has taken over, or another generation is read by now."""


class Generations:
    """The pointer, read again when it is older than ``FRESH_SECONDS``."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._pointer: Pointer | None = None
        self._read_at = 0.0

    async def current(self, *, fresh: bool = False) -> Pointer:
        """The generations in use; raises Unavailable."""
        now = time.monotonic()
        if self._pointer is None or fresh or now - self._read_at > FRESH_SECONDS:
            self._read_at = now  # Others go on with the old one while this one is on its way.
            try:
                self._pointer = await self._read()
            except Unavailable:
                self._read_at = 0.0
                raise
        return self._pointer

    async def _read(self) -> Pointer:
        keys = self._server.keys
        # The first writer after a wipe names the generation of views: whoever comes later,
        # from this or another process, finds that name.
        name = self._pointer.views if self._pointer else new_name()
        _, held, building = await self._server.flush(
            [
                ("HSETNX", keys.pointer, "views", name),
                ("HMGET", keys.pointer, "views", "boards"),
                ("HMGET", keys.building, "views", "boards"),
            ]
        )
        for answer in (held, building):
            if isinstance(answer, Exception):
                raise Unavailable(str(answer)) from answer
        views, boards = (_text(name) for name in held)
        views_next, boards_next = (_text(name) for name in building)
        return Pointer(views or name, boards, views_next, boards_next)

    async def begin(self, *, boards: bool, views: bool) -> Build:
        """Claim the right to build; raises BuildLost if another builder is at work."""
        build = Build(new_name() if boards else None, new_name() if views else None)
        keys = self._server.keys
        names = (build.boards or "", build.views or "", CLAIM_MS)
        answer = await self._server.call(("begin_build", [keys.pointer, keys.building], names))
        if answer != b"ok":
            raise BuildLost
        return build

    async def hold(self, build: Build) -> None:
        """Tell that the builder is alive; raises BuildLost if the claim was lost."""
        keys = self._server.keys
        names = (build.boards or "", build.views or "", CLAIM_MS)
        answer = await self._server.call(("hold_build", [keys.pointer, keys.building], names))
        if answer != b"ok":
            raise BuildLost

    async def abandon(self, build: Build) -> None:
        """Give up a claim; what was written is swept by the next builder."""
        await self.hold(build)
        await self._server.command("DEL", self._server.keys.building)

    async def finish(self, build: Build, *, even_if_behind: bool = False) -> bool:
        """Read what was built from now on; False if the old boards have come further by now."""
        keys = self._server.keys
        live = (await self.current(fresh=True)).boards
        metas = [keys.board(name or "none")[2] for name in (live, build.boards)]
        answer = await self._server.call(
            (
                "finish_build",
                [keys.pointer, keys.building, *metas],
                [build.boards or "", build.views or "", live or "", int(even_if_behind)],
            )
        )
        if answer == b"lost":
            raise BuildLost
        self._pointer = None
        return bool(answer == b"ok")

    async def sweep(self) -> int:
        """Remove the keys of generations that nobody reads or builds; returns how many."""
        pointer = await self.current(fresh=True)
        kept = {
            "v": {pointer.views, pointer.views_next},
            "b": {pointer.boards, pointer.boards_next},
        }
        removed = 0
        for kind, names in kept.items():
            async for page in self.scan(self._server.keys.pattern(kind)):
                gone = [key for key in page if self._server.keys.generation_of(key) not in names]
                await self._server.flush([("UNLINK", key) for key in gone])
                removed += len(gone)
        return removed

    async def scan(self, pattern: str) -> AsyncIterator[list[str]]:
        """Keys that match a pattern, page by page; a key may come twice."""
        cursor: bytes | int = 0
        while True:
            cursor, page = await self._server.command(
                "SCAN", cursor, "MATCH", pattern, "COUNT", 1_000
            )
            yield [key.decode() for key in page]
            if int(cursor) == 0:
                return


def new_name() -> str:
    """A name for a generation that none had before."""
    return secrets.token_hex(4)


def _text(value: bytes | None) -> str | None:
    return value.decode() if value else None
