"""Token buckets in one process: for tests and for a service without servers."""

from __future__ import annotations

from collections.abc import Callable

from domain.buckets import Bucket, Taken


class MemoryBuckets:
    """Buckets in a dict; a level is in tokens times milliseconds, so that it is whole."""

    def __init__(self, now_us: Callable[[], int]) -> None:
        self._now_us = now_us
        self._levels: dict[str, tuple[int, int]] = {}

    async def take(self, bucket: Bucket, least: int, most: int) -> Taken:
        """Take tokens: see Buckets."""
        now, full = self._now_us() // 1_000, bucket.size * bucket.fills_ms
        level, at = self._levels.get(bucket.key, (full, now))
        level = min(full, level + max(0, now - at) * bucket.size)
        there = level // bucket.fills_ms
        tokens = min(there, most) if there >= least else 0
        level -= tokens * bucket.fills_ms
        self._levels[bucket.key] = level, now
        missing = least * bucket.fills_ms - level
        wait_ms = 0 if tokens else -(-missing // bucket.size)
        return Taken(tokens, level // bucket.fills_ms, wait_ms)
