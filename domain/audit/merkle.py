"""The Merkle tree over the log's positions, as in RFC 9162, section 2.1: hashes, proofs, checks.

``docs/log-proofs.md`` is normative. Not here: where hashes are kept (``tiles``), who signs a root
(``notes``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = hashlib.sha256().digest()
"""The root of a tree without leaves."""

Range = tuple[int, int]
"""Leaves from the first number to before the second."""
Subtree = tuple[int, int]
"""A level and a number: the 2^level leaves from number * 2^level on."""
Hashes = Callable[[Subtree], bytes]
"""The hashes of subtrees that are full."""


def leaf_hash(entry: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node over two others."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def folded(hashes: Sequence[bytes]) -> bytes:
    """The root over 1, 2, 4, 8 … hashes of one level."""
    level = list(hashes)
    while len(level) > 1:
        level = [node_hash(*level[at : at + 2]) for at in range(0, len(level), 2)]
    return level[0]


def subtrees(leaves: Range) -> tuple[Subtree, ...]:
    """The fewest full subtrees that make up a range which a proof or a root is about."""
    start, end = leaves
    found: list[Subtree] = []
    while start < end:
        level = (end - start).bit_length() - 1
        found.append((level, start >> level))
        start += 1 << level
    return tuple(found)


def range_hash(leaves: Range, hash_of: Hashes) -> bytes:
    """The hash over a range, from those of its full subtrees."""
    if leaves[0] == leaves[1]:
        return EMPTY_ROOT
    *others, last = (hash_of(subtree) for subtree in subtrees(leaves))
    for left in reversed(others):
        last = node_hash(left, last)
    return last


def inclusion_ranges(index: int, size: int) -> tuple[Range, ...]:
    """Whose hashes prove that a leaf is in a tree, in the order of the proof."""
    return _path(index, (0, size))


def consistency_ranges(old: int, new: int) -> tuple[Range, ...]:
    """Whose hashes prove that a tree was only added to, in the order of the proof."""
    return () if old in (0, new) else _subproof(old, (0, new), is_known=True)


def is_included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether a proof leads from a leaf's hash to a root (RFC 9162, section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    number, last, value = index, size - 1, leaf
    for step in proof:
        if last == 0:
            return False
        if number & 1 or number == last:
            value = node_hash(step, value)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            value = node_hash(value, step)
        number, last = number >> 1, last >> 1
    return last == 0 and value == root


def is_consistent(
    old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Whether a proof shows that one tree begins with the other (RFC 9162, section 2.1.4.2)."""
    if old > new or old < 0:
        return False
    if old in (0, new):
        return not proof and old_root == (EMPTY_ROOT if old == 0 else new_root)
    steps = [old_root, *proof] if old & (old - 1) == 0 else list(proof)
    if not steps:
        return False
    number, last = old - 1, new - 1
    while number & 1:
        number, last = number >> 1, last >> 1
    first = second = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if number & 1 or number == last:
            first, second = node_hash(step, first), node_hash(step, second)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            second = node_hash(second, step)
        number, last = number >> 1, last >> 1
    return last == 0 and (first, second) == (old_root, new_root)


def _path(index: int, leaves: Range) -> tuple[Range, ...]:
    start, end = leaves
    if end - start == 1:
        return ()
    middle = _middle(leaves)
    if index < middle:
        return (*_path(index, (start, middle)), (middle, end))
    return (*_path(index, (middle, end)), (start, middle))


def _subproof(old: int, leaves: Range, *, is_known: bool) -> tuple[Range, ...]:
    start, end = leaves
    if old == end:
        return () if is_known else (leaves,)
    middle = _middle(leaves)
    if old <= middle:
        return (*_subproof(old, (start, middle), is_known=is_known), (middle, end))
    return (*_subproof(old, (middle, end), is_known=False), (start, middle))


def _middle(leaves: Range) -> int:
    """Where a range is split: after the largest power of two of leaves that is less than all."""
    start, end = leaves
    return start + (1 << (end - start - 1).bit_length() - 1)
