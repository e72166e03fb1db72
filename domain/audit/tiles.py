"""The tree in pieces that never change: 256 hashes a tile, as in C2SP tlog-tiles.

A tile of level L holds hashes of subtrees of 256^L leaves. The last tile of a level grows; what
it held at a former size is its beginning. Not here: where tiles are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from domain.audit.merkle import HASH_BYTES, Range, Subtree, folded, range_hash, subtrees

WIDTH: Final = 256
"""Hashes in a full tile; the format fixes it."""
LEVELS: Final = 8
"""Levels of the tree that a tile spans, and more levels of tiles than any log will have."""

Tile = tuple[int, int]
"""A level and a number."""
Tiles = Mapping[Tile, bytes]
"""Hashes of tiles, one after the other; of the last tile of a level, those that there are."""


def tile_of(subtree: Subtree) -> Tile:
    """The tile from which the hash of a full subtree follows."""
    level, number = subtree
    return level // LEVELS, (number << level % LEVELS) // WIDTH


def tiles_for(ranges: Iterable[Range]) -> frozenset[Tile]:
    """The tiles from which the hashes of ranges follow."""
    return frozenset(tile_of(subtree) for leaves in ranges for subtree in subtrees(leaves))


def last_tiles(size: int) -> dict[Tile, int]:
    """The tiles of a tree that are not full, with how many hashes each has."""
    found: dict[Tile, int] = {}
    for level in range(LEVELS):
        count = size >> LEVELS * level
        if count % WIDTH:
            found[level, count // WIDTH] = count % WIDTH
    return found


def width_of(tile: Tile, size: int) -> int:
    """How many hashes a tile has in a tree of this size."""
    level, number = tile
    return max(0, min(WIDTH, (size >> LEVELS * level) - number * WIDTH))


def hash_in(tiles: Tiles, subtree: Subtree) -> bytes:
    """The hash of a full subtree; raises KeyError if its tile is missing, or too short."""
    level, number = subtree
    tile = tile_of(subtree)
    count = 1 << level % LEVELS
    start = (number << level % LEVELS) % WIDTH
    found = _split(tiles[tile])[start : start + count]
    if len(found) != count:
        raise KeyError(tile)
    return folded(found)


class Growth:
    """A tree that grows: it keeps the tiles that are not full, and says which have changed."""

    def __init__(self, size: int = 0, tiles: Tiles | None = None) -> None:
        self.size = size
        self._open: list[list[bytes]] = [[] for _ in range(LEVELS)]
        for (level, number), width in last_tiles(size).items():
            hashes = _split((tiles or {})[level, number])[:width]
            if len(hashes) != width:
                raise KeyError((level, number))
            self._open[level] = hashes

    def add(self, leaves: Iterable[bytes]) -> dict[Tile, bytes]:
        """Add the hashes of leaves; the tiles that are new or longer by it."""
        changed: dict[Tile, bytes] = {}
        touched: set[int] = set()
        for leaf in leaves:
            self.size += 1
            level, value = 0, leaf
            while True:
                hashes = self._open[level]
                hashes.append(value)
                touched.add(level)
                if len(hashes) < WIDTH:
                    break
                number = (self.size >> LEVELS * level) // WIDTH - 1
                changed[level, number] = b"".join(hashes)
                value = folded(hashes)
                self._open[level] = []
                level += 1
        for tile in last_tiles(self.size):
            if tile[0] in touched:
                changed[tile] = b"".join(self._open[tile[0]])
        return changed

    def root(self) -> bytes:
        """The root over all leaves so far."""
        tiles = {tile: b"".join(self._open[tile[0]]) for tile in last_tiles(self.size)}
        return range_hash((0, self.size), lambda subtree: hash_in(tiles, subtree))


def _split(hashes: bytes) -> list[bytes]:
    return [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]
