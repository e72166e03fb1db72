"""The tree of docs/log-proofs.md, written from the page and RFC 9162 alone, as they define it."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence


def root(leaves: Sequence[bytes]) -> bytes:
    """MTH of section 2.1.1."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    k = split(len(leaves))
    return hashlib.sha256(b"\x01" + root(leaves[:k]) + root(leaves[k:])).digest()


def inclusion(number: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PATH of section 2.1.3.1."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if number < k:
        return [*inclusion(number, leaves[:k]), root(leaves[k:])]
    return [*inclusion(number - k, leaves[k:]), root(leaves[:k])]


def consistency(size: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PROOF of section 2.1.4.1."""
    return subproof(size, leaves, True) if 0 < size < len(leaves) else []


def subproof(size: int, leaves: Sequence[bytes], known: bool) -> list[bytes]:
    """SUBPROOF of section 2.1.4.1."""
    if size == len(leaves):
        return [] if known else [root(leaves)]
    k = split(len(leaves))
    if size <= k:
        return [*subproof(size, leaves[:k], known), root(leaves[k:])]
    return [*subproof(size - k, leaves[k:], False), root(leaves[:k])]


def split(count: int) -> int:
    """The largest power of two that is less than ``count``."""
    k = 1
    while 2 * k < count:
        k *= 2
    return k


def checkpoint(origin: str, leaves: Sequence[bytes]) -> str:
    """The text that is signed."""
    return f"{origin}\n{len(leaves)}\n{b64encode(root(leaves)).decode()}\n"


def key_id(origin: str, public_key: bytes) -> bytes:
    """The four bytes that name a key."""
    return hashlib.sha256(origin.encode() + b"\n\x01" + public_key).digest()[:4]


def origin(public_key: bytes, since: int) -> str:
    """The name of a log that was given none."""
    text = b"talon-origin/1" + public_key + since.to_bytes(8, "big")
    return f"talon/{hashlib.sha256(text).hexdigest()[:16]}"
