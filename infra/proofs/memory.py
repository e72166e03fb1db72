"""The tree over a log in memory, and the last checkpoint in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from domain.audit.proofs import Signed
from domain.audit.tiles import Tile
from domain.ports import EventLog


class MemoryTrees:
    """``domain.audit.proofs.Trees`` in dicts, over any log."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._signed: dict[int, Signed] = {}
        self._tiles: dict[Tile, bytes] = {}

    async def newest(self) -> Signed | None:
        """The checkpoint of the greatest size."""
        return self._signed[max(self._signed)] if self._signed else None

    async def at(self, size: int) -> Signed | None:
        """The checkpoint of a size, if one was signed."""
        return self._signed.get(size)

    async def tiles(self, wanted: Collection[Tile]) -> Mapping[Tile, bytes]:
        """Tiles as far as they have grown."""
        return {tile: self._tiles[tile] for tile in wanted if tile in self._tiles}

    async def hashes(self, after: int, limit: int) -> tuple[bytes, ...]:
        """The hashes of the events after a position."""
        return tuple(event.hash for event in await self._log.follow(after, limit))

    async def grow(self, to: Signed, tiles: Mapping[Tile, bytes]) -> bool:
        """Keep a checkpoint with the tiles that have changed."""
        if any(one.previous == to.previous for one in self._signed.values()):
            return False
        self._signed[to.size] = to
        self._tiles |= tiles
        return True


class MemoryLastSigned:
    """``domain.audit.proofs.LastSigned`` in a dict."""

    def __init__(self) -> None:
        self._notes: dict[str, str] = {}

    async def load(self, origin: str) -> str | None:
        """The note, if there is one."""
        return self._notes.get(origin)

    async def keep(self, origin: str, note: str) -> None:
        """Keep a note in place of the last one."""
        self._notes[origin] = note
