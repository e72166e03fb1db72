"""Hints by pub/sub: a wake-up, never the truth. Heals by itself after outages of any length."""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from infra.redis.server import Server

MISSED: Final = (b"", 0)
"""The hint that says that hints may have been missed."""
SILENCE_SECONDS: Final = 5.0
"""After this much silence the server is asked for a sign of life, and given as long again."""
PAUSE_SECONDS: Final = 0.5
"""Between attempts to subscribe."""
_MOVE: Final = struct.Struct(">16sI")
"""A match and its version, as a hint tells them: one after another."""


def hint(moved: Iterable[tuple[bytes, int]]) -> bytes:
    """The message that tells that these matches have come to these versions."""
    return b"".join([_MOVE.pack(match, version) for match, version in moved])


def _hinted(message: bytes) -> Iterator[tuple[bytes, int]]:
    """What a message tells; of one that is none of ours, that something was missed."""
    if len(message) % _MOVE.size:
        return iter((MISSED,))
    return _MOVE.iter_unpack(message)


class RedisHints:
    """Match ids and versions as any process announces them."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def listen(self) -> AsyncIterator[tuple[bytes, int]]:
        """Match ids and versions, for ever; MISSED after every subscription, the first included."""
        while True:
            client = self._server.dedicated()
            subscription = client.pubsub()
            try:
                await subscription.subscribe(self._server.keys.hints)
                async for message in _messages(subscription):
                    yield message
            except (RedisError, OSError):
                await asyncio.sleep(PAUSE_SECONDS)
            finally:
                with suppress(RedisError, OSError):
                    await subscription.aclose()  # type: ignore[no-untyped-call]
                with suppress(RedisError, OSError):
                    await client.aclose()


async def _messages(subscription: PubSub) -> AsyncIterator[tuple[bytes, int]]:
    """What a subscription brings, until its connection fails or falls silent."""
    heard_at, is_asked = time.monotonic(), False
    while True:
        message: dict[str, Any] | None = await subscription.get_message(timeout=1.0)
        if message is not None:
            heard_at, is_asked = time.monotonic(), False
            if message["type"] == "subscribe":
                yield MISSED
            elif message["type"] == "message":
                for match, version in _hinted(message["data"]):
                    yield match, version
        elif time.monotonic() - heard_at > 2 * SILENCE_SECONDS:
            return
        elif not is_asked and time.monotonic() - heard_at > SILENCE_SECONDS:
            await subscription.ping()
            is_asked = True
