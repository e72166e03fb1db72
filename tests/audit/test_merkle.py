"""The tree over the log: published vectors, and the definitions of RFC 9162 spelled out again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import pairwise

import pytest

from domain.audit.merkle import (
    EMPTY_ROOT,
    consistency_ranges,
    inclusion_ranges,
    is_consistent,
    is_included,
    leaf_hash,
    range_hash,
)
from domain.audit.tiles import Growth, Tile, hash_in, tiles_for, width_of

ENTRIES = [
    bytes.fromhex(text) for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657")
] + [bytes(range(0x60, 0x70))]
ROOTS = [  # of the first 1 to 8 entries, as published with Certificate Transparency
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
SIZES = [1, 2, 3, 255, 256, 257, 511, 512, 513, 700]


def test_roots_are_those_that_were_published() -> None:
    for count, expected in enumerate(ROOTS, 1):
        growth = Growth()
        growth.add(map(leaf_hash, ENTRIES[:count]))
        assert growth.root().hex() == expected == by_definition(ENTRIES[:count]).hex()


def test_a_tree_without_leaves_has_the_hash_of_nothing_for_its_root() -> None:
    assert Growth().root() == EMPTY_ROOT == by_definition([])


@pytest.mark.parametrize("size", SIZES)
def test_a_tree_that_grew_in_any_steps_has_the_same_tiles_and_root(size: int) -> None:
    at_once, whole = grown(size)
    growth, tiles = Growth(), dict[Tile, bytes]()
    for start, end in pairwise([0, size // 3, size // 2, size]):
        tiles |= growth.add(map(leaf_hash, entries(size)[start:end]))
        growth = Growth(growth.size, tiles)  # what was kept is enough to go on
    assert (tiles, growth.root()) == (whole, at_once.root())
    assert growth.root() == by_definition(entries(size))
    assert all(len(hashes) == 32 * width_of(tile, size) for tile, hashes in tiles.items())


@pytest.mark.parametrize("size", SIZES)
def test_every_leaf_is_proved_to_be_where_it_is_and_nowhere_else(size: int) -> None:
    growth, tiles = grown(size)
    for index in {0, 1, size // 2, size - 2, size - 1} & set(range(size)):
        proof = proved(inclusion_ranges(index, size), tiles)
        leaf = leaf_hash(entries(size)[index])
        assert is_included(leaf, index, size, proof, growth.root())
        assert not is_included(leaf, index + 1, size, proof, growth.root())
        assert not is_included(leaf, index, size, [*proof, leaf], growth.root())
        assert not is_included(leaf_hash(b"other"), index, size, proof, growth.root())
        for at in range(len(proof)):
            changed = [*proof[:at], bytes(32), *proof[at + 1 :]]
            assert not is_included(leaf, index, size, changed, growth.root())


@pytest.mark.parametrize("new", SIZES)
def test_growth_is_proved_from_every_size_before(new: int) -> None:
    growth, tiles = grown(new)
    for old in [*range(0, new, 37), *(size for size in SIZES if size <= new)]:
        root, proof = grown(old)[0].root(), proved(consistency_ranges(old, new), tiles)
        assert is_consistent(old, new, root, growth.root(), proof)
        if old:
            assert not is_consistent(old, new, bytes(32), growth.root(), proof)
            assert not is_consistent(old, new, root, bytes(32), proof)
        assert not is_consistent(old, new, root, growth.root(), [*proof, root])


def test_a_tree_that_lost_or_changed_a_leaf_is_consistent_with_none_before() -> None:
    root = grown(600)[0].root()
    for other in ([*entries(700)[1:], b"new"], [*entries(599), b"else", *entries(700)[600:]]):
        growth = Growth()
        tiles = growth.add(map(leaf_hash, other))
        proof = proved(consistency_ranges(600, 700), tiles)
        assert not is_consistent(600, 700, root, growth.root(), proof)


def grown(size: int) -> tuple[Growth, dict[Tile, bytes]]:
    growth = Growth()
    return growth, growth.add(map(leaf_hash, entries(size)))


def proved(ranges: Sequence[tuple[int, int]], tiles: dict[Tile, bytes]) -> list[bytes]:
    """A proof from no more tiles than it needs."""
    needed = {tile: tiles[tile] for tile in tiles_for(ranges)}
    return [range_hash(one, lambda subtree: hash_in(needed, subtree)) for one in ranges]


def entries(size: int) -> list[bytes]:
    return [number.to_bytes(4, "big") for number in range(size)]


def by_definition(leaves: Sequence[bytes]) -> bytes:
    """RFC 9162, section 2.1.1, word by word."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    left, right = by_definition(leaves[:k]), by_definition(leaves[k:])
    return hashlib.sha256(b"\x01" + left + right).digest()
