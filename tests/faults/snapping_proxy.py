"""A bad line: every connection breaks after a random number of bytes, each way."""

from __future__ import annotations

import asyncio
from random import Random
from urllib.parse import urlsplit

ASKED_BYTES = (50, 4_000)
ANSWERED_BYTES = (100, 25_000)
"""From the middle of the first head to some moves, or some pages of a stream, later."""


class SnappingProxy:
    """Forwards bytes both ways until a connection's time has come."""

    def __init__(self, url: str, dice: Random) -> None:
        self._target = urlsplit(url)
        self._dice = dice
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.snapped = 0

    @property
    def url(self) -> str:
        """The service's URL, by way of this line."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> SnappingProxy:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        there, back = await asyncio.open_connection(self._target.hostname, self._target.port)
        asked, answered = self._dice.randint(*ASKED_BYTES), self._dice.randint(*ANSWERED_BYTES)
        ways = [
            asyncio.create_task(self._forward(reader, back, asked)),
            asyncio.create_task(self._forward(there, writer, answered)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for end in (writer, back):
                end.transport.abort()

    async def _forward(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, left: int
    ) -> None:
        """Pass on so many bytes and no more."""
        while chunk := await source.read(65_536):
            sink.write(chunk[:left])
            await sink.drain()
            left -= len(chunk)
            if left <= 0:
                self.snapped += 1
                return
