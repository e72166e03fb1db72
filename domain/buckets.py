"""What is asked of a store of token buckets, shared by all processes; a port, without a body.

A bucket holds tokens up to its size and fills by itself; who wants to do something takes some.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class Bucket(Struct, frozen=True, gc=False):
    """Which bucket, how many tokens it holds, and in how many milliseconds an empty one fills."""

    key: str
    size: int
    fills_ms: int


class Taken(Struct, frozen=True, gc=False):
    """Tokens taken, those left, and in how many milliseconds there will be enough if none were."""

    tokens: int
    left: int
    wait_ms: int = 0


class Buckets(Protocol):
    """Token buckets by key. A bucket that nobody has taken from is full."""

    async def take(self, bucket: Bucket, least: int, most: int) -> Taken:
        """Take as many tokens as are there, up to ``most``; none if there are fewer than ``least``.

        In one step, whoever else takes at the same time. Raises Unavailable.
        """
