"""Token buckets on Redis: taken from by a server-side function, in one step for all processes."""

from __future__ import annotations

from domain.buckets import Bucket, Taken
from infra.redis.server import Server


class RedisBuckets:
    """Buckets that all processes on one Redis share; an empty Redis has full ones."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def take(self, bucket: Bucket, least: int, most: int) -> Taken:
        """Take tokens: see Buckets."""
        key = self._server.keys.bucket(bucket.key)
        arguments = [bucket.size, bucket.fills_ms, least, most]
        tokens, left, wait_ms = await self._server.call(("take", [key], arguments))
        return Taken(tokens, left, wait_ms)
