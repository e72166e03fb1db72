"""A reader of many live streams: whether each event came once and in order, and how late.

It reads no more of an event than that, so that a thousand streams cost it little.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, cast

from service.cli.demo.client import address_of, request_head

OPENED_AT_ONCE: Final = 50
_EVENT: Final = re.compile(rb"id: (\d+)\ndata: .*?\"occurred_at\":\"([^\"]+)\"", re.DOTALL)
_END: Final = b"event: end\n"


class StreamReader(asyncio.Protocol):
    """One stream of one match: its last version, and what was wrong with it."""

    def __init__(self, match_id: str, request: bytes, delays: list[float]) -> None:
        self.match_id = match_id
        self.version = 0
        self.out_of_order = 0
        self.is_over = False
        self.is_lost = False
        self.is_timed = False
        self._request = request
        self._delays = delays
        self._raw = b""
        self._text = b""
        self._head_is_read = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Take whole chunks, and the whole messages in them."""
        now = time.time()
        self._raw += data
        if not self._head_is_read:
            head, found, rest = self._raw.partition(b"\r\n\r\n")
            if not found:
                return
            self._head_is_read, self._raw = True, rest
            self.is_lost = not head.startswith(b"HTTP/1.1 200")
        while (chunk := self._chunk()) is not None:
            self._text += chunk
        *messages, self._text = self._text.split(b"\n\n")
        for message in messages:
            self._take(message, now)

    def connection_lost(self, exc: Exception | None) -> None:
        """A stream that ends without having said so is lost."""
        self.is_lost = self.is_lost or not self.is_over

    def close(self) -> None:
        """Go away."""
        if self._transport is not None:
            self._transport.close()

    def _chunk(self) -> bytes | None:
        """The next chunk, once it is all there."""
        size, found, rest = self._raw.partition(b"\r\n")
        if not found:
            return None
        length = int(size, 16)
        if len(rest) < length + 2:
            return None
        self._raw = rest[length + 2 :]
        return rest[:length] if length else None

    def _take(self, message: bytes, now: float) -> None:
        event = _EVENT.match(message)
        if event is None:
            self.is_over = self.is_over or message.startswith(_END)
            return
        version = int(event[1])
        self.out_of_order += version != self.version + 1
        self.version = version
        if self.is_timed:
            happened = datetime.fromisoformat(event[2].decode()).timestamp()
            self._delays.append(now - happened)


class StreamReaders:
    """So many streams, spread evenly over the matches. ``delays`` are in seconds."""

    def __init__(self, url: str, matches: Sequence[str]) -> None:
        self._address = address_of(url)
        self._matches = matches
        self.delays: list[float] = []
        self.all: list[StreamReader] = []

    async def open(self, count: int) -> None:
        """Open streams from the first event on, some at a time."""
        for start in range(0, count, OPENED_AT_ONCE):
            numbers = range(start, min(count, start + OPENED_AT_ONCE))
            await asyncio.gather(*(self._open(number) for number in numbers))

    async def until(self, is_so: Callable[[StreamReader], bool], seconds: float) -> bool:
        """Wait until something is so of every stream; whether it came to be."""
        for _ in range(int(seconds * 20)):
            if all(map(is_so, self.all)):
                return True
            await asyncio.sleep(0.05)
        return False

    def begin_timing(self) -> None:
        """From now on, note how late events come."""
        for reader in self.all:
            reader.is_timed = True

    def close(self) -> None:
        """Go away."""
        for reader in self.all:
            reader.close()

    async def _open(self, number: int) -> None:
        match_id = self._matches[number % len(self._matches)]
        path = f"/v1/matches/{match_id}/events/stream"
        request = request_head(self._address, "GET", path, None, {}) + b"\r\n\r\n"
        reader = StreamReader(match_id, request, self.delays)
        self.all.append(reader)
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: reader, self._address.host, self._address.port)
