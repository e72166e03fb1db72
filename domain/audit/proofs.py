"""Proofs of the log from its tiles, and what has to be kept for them.

Not here: the tree itself (``merkle``), nor who makes it grow (``infra.proofs``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from msgspec import Struct

from domain.audit.merkle import (
    Range,
    consistency_ranges,
    inclusion_ranges,
    range_hash,
)
from domain.audit.tiles import Tile, hash_in, tiles_for


class Signed(Struct, frozen=True, gc=False):
    """A checkpoint as it was signed; ``previous`` is the size that was signed before it."""

    size: int
    previous: int
    root: bytes
    note: str


class TreeContradiction(Exception):  # noqa: N818
    """What is stored contradicts what was signed: nothing more may be signed."""


class Trees(Protocol):
    """What the log's tree is kept in. All methods may raise Unavailable."""

    async def newest(self) -> Signed | None:
        """The checkpoint of the greatest size."""

    async def at(self, size: int) -> Signed | None:
        """The checkpoint of a size, if one was signed."""

    async def tiles(self, wanted: Collection[Tile]) -> Mapping[Tile, bytes]:
        """Tiles as far as they have grown; those that are missing are left out."""

    async def hashes(self, after: int, limit: int) -> tuple[bytes, ...]:
        """The hashes of the events after a position, in order.

        Raises TreeContradiction if one is missing between others.
        """

    async def grow(self, to: Signed, tiles: Mapping[Tile, bytes]) -> bool:
        """Keep a checkpoint with the tiles that have changed, both or neither.

        False if another one follows on ``to.previous`` already: then nothing is kept.
        """


class LastSigned(Protocol):
    """The last checkpoint that was signed under a name, kept apart from the database."""

    async def load(self, origin: str) -> str | None:
        """The note, if there is one."""

    async def keep(self, origin: str, note: str) -> None:
        """Keep a note in place of the last one; it stands when this returns."""


async def inclusion(trees: Trees, index: int, size: int) -> tuple[bytes, ...]:
    """The proof that the leaf of this number is in the tree of this size."""
    return await _hashes(trees, inclusion_ranges(index, size))


async def consistency(trees: Trees, old: int, new: int) -> tuple[bytes, ...]:
    """The proof that the tree of one size begins with that of the other."""
    return await _hashes(trees, consistency_ranges(old, new))


async def root(trees: Trees, size: int) -> bytes:
    """The root at a size, from the tiles."""
    (found,) = await _hashes(trees, [(0, size)])
    return found


async def _hashes(trees: Trees, ranges: Collection[Range]) -> tuple[bytes, ...]:
    tiles = await trees.tiles(tiles_for(ranges))
    try:
        return tuple(_each(ranges, tiles))
    except KeyError as error:
        raise TreeContradiction(f"the tile {error} is missing or too short") from error


def _each(ranges: Iterable[Range], tiles: Mapping[Tile, bytes]) -> Iterable[bytes]:
    for one in ranges:
        yield range_hash(one, lambda subtree: hash_in(tiles, subtree))
