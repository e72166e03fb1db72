"""The view store on Redis: one key per match, written only by what is newer, never waited for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

from domain.ports import Unavailable
from infra.redis.generations import Generations
from infra.redis.hints import hint
from infra.redis.server import Call, Server

KEEP_SECONDS: Final = 7 * 24 * 3600
"""Views of a match that nobody touches for a week are read from the log again when asked for."""
VERSION_BYTES: Final = 4
"""A stored view begins with its version, big-endian."""


class RedisViews:
    """The newest packed views of each match; a write also announces the match to listeners."""

    def __init__(self, server: Server, generations: Generations) -> None:
        self._server = server
        self._generations = generations

    async def put(self, packed: Mapping[bytes, tuple[int, bytes]]) -> None:
        """Store each match's version and packed views unless a newer one is there; tell others.

        All in one flush, with one hint for all, which costs its listeners less than many; while a
        new generation is being built, into that as well. Raises Unavailable within a second; play
        goes on, the repair catches up.
        """
        if not packed:
            return
        pointer = await self._generations.current()
        calls = self._puts(pointer.views, packed)
        if pointer.views_next:
            calls += self._puts(pointer.views_next, packed)
        moved = [(match, version) for match, (version, _) in packed.items()]
        await self._server.calls(calls, then=("PUBLISH", self._server.keys.hints, hint(moved)))

    async def fill(self, generation: str, packed: Mapping[bytes, tuple[int, bytes]]) -> None:
        """Store views in a generation that is being built; nobody is told."""
        await self._server.calls(self._puts(generation, packed))

    async def get(self, match: bytes) -> tuple[int, bytes] | None:
        """A match's version and packed views."""
        pointer = await self._generations.current()
        stored = await self._server.command("GET", self._server.keys.view(pointer.views, match))
        return _parted(stored)

    async def several(self, matches: Sequence[bytes]) -> dict[bytes, tuple[int, bytes]]:
        """The versions and packed views of matches; one without views is left out."""
        pointer = await self._generations.current()
        key = self._server.keys.view
        answers = await self._server.flush([("GET", key(pointer.views, one)) for one in matches])
        found: dict[bytes, tuple[int, bytes]] = {}
        for match, answer in zip(matches, answers, strict=True):
            if isinstance(answer, Exception):
                raise Unavailable(str(answer)) from answer
            if (parted := _parted(answer)) is not None:
                found[match] = parted
        return found

    async def stored(self) -> AsyncIterator[Sequence[bytes]]:
        """The matches whose views are there, page by page; one may come twice."""
        pointer = await self._generations.current()
        keys = self._server.keys
        async for page in self._generations.scan(keys.pattern("v", pointer.views)):
            yield [keys.match_of(key) for key in page]

    async def versions(self, matches: Sequence[bytes]) -> dict[bytes, int]:
        """The versions of the views that are there."""
        pointer = await self._generations.current()
        last = VERSION_BYTES - 1
        answers = await self._server.flush(
            [
                ("GETRANGE", self._server.keys.view(pointer.views, match), 0, last)
                for match in matches
            ]
        )
        found: dict[bytes, int] = {}
        for match, answer in zip(matches, answers, strict=True):
            if isinstance(answer, Exception):
                raise Unavailable(str(answer)) from answer
            if answer:
                found[match] = int.from_bytes(answer, "big")
        return found

    def _puts(self, generation: str, packed: Mapping[bytes, tuple[int, bytes]]) -> list[Call]:
        view_key = self._server.keys.view
        return [
            (
                "put_view",
                [view_key(generation, match)],
                [version.to_bytes(VERSION_BYTES, "big") + views, KEEP_SECONDS],
            )
            for match, (version, views) in packed.items()
        ]


def _parted(stored: bytes | None) -> tuple[int, bytes] | None:
    if stored is None:
        return None
    return int.from_bytes(stored[:VERSION_BYTES], "big"), stored[VERSION_BYTES:]
