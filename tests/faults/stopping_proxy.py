"""A proxy before Postgres that stops at a chosen statement: just before it, or once it stands.

It reads the protocol's messages as far as it takes to tell which statement is being executed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from enum import StrEnum
from urllib.parse import urlsplit, urlunsplit

from infra.postgres.statements import statement

_PARSE, _BIND, _READY = b"P", b"B", b"Z"
_UNTYPED = 4
"""The first message of a connection is its length and no type."""


class Side(StrEnum):
    """Where to stop: the server never sees the statement, or carries it out and is not heard."""

    BEFORE = "before"
    AFTER = "after"


class _Stop:
    """The n-th execution of a statement from now on."""

    def __init__(self, name: str, number: int, side: Side) -> None:
        self.text = statement(name)
        self.left = number
        self.side = side
        self.reached = asyncio.Event()
        self.link: _Link | None = None
        """Where it was met."""


class StoppingProxy:
    """Forwards bytes both ways, until a statement that it has been told to stop at."""

    def __init__(self, url: str) -> None:
        self._target = urlsplit(url)
        self._server: asyncio.Server | None = None
        self._stop: _Stop | None = None
        self._last: _Stop | None = None
        self._links: set[_Link] = set()

    @property
    def url(self) -> str:
        """The server's URL, by way of this proxy, in the clear so that it can be read."""
        assert self._server is not None
        user = self._target.netloc.rpartition("@")[0]
        place = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        netloc = f"{user}@{place}" if user else place
        return urlunsplit(self._target._replace(netloc=netloc, query="sslmode=disable"))

    def stop_at(self, name: str, number: int, side: Side) -> None:
        """Stop at the n-th execution of ``sql/{name}.sql``, once."""
        self._stop = _Stop(name, number, side)

    async def stopped(self) -> None:
        """Wait until it has stopped there; then what comes later goes through again."""
        assert self._stop is not None
        await asyncio.wait_for(self._stop.reached.wait(), 20)
        self._last, self._stop = self._stop, None

    def cut(self) -> None:
        """Break the connection that it has stopped on."""
        assert self._last is not None and self._last.link is not None
        self._last.link.gone.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of the service, until either end of it is gone."""
        there, back = await asyncio.open_connection(self._target.hostname, self._target.port)
        link = _Link(self)
        ways = [
            asyncio.create_task(link.ask(reader, back)),
            asyncio.create_task(link.answer(there, writer)),
            asyncio.create_task(link.gone.wait()),
        ]
        self._links.add(link)
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        await closed(writer, back)
        self._links.discard(link)

    def meets(self, text: str) -> _Stop | None:
        """The stop, if this execution is the one."""
        stop = self._stop
        if stop is None or stop.left == 0 or stop.text != text:
            return None
        stop.left -= 1
        return stop if stop.left == 0 else None

    async def __aenter__(self) -> StoppingProxy:
        self._server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for link in self._links:
            link.gone.set()
        async with asyncio.timeout(10):
            while self._links:
                await asyncio.sleep(0.01)


async def closed(*writers: asyncio.StreamWriter) -> None:
    """Close connections and wait until they are."""
    for writer in writers:
        writer.close()
    await asyncio.gather(*(writer.wait_closed() for writer in writers), return_exceptions=True)


class _Link:
    """One connection: the statements prepared on it, and where it was stopped."""

    def __init__(self, proxy: StoppingProxy) -> None:
        self._proxy = proxy
        self._prepared: dict[bytes, str] = {}
        self._deaf: _Stop | None = None
        """Set once answers are no longer passed on."""
        self.gone = asyncio.Event()

    async def ask(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        """Pass on what the service says."""
        sink.write(await _first(source))
        async for kind, message in _messages(source):
            stop = self._met(kind, message)
            if stop is not None:
                stop.link = self
            if stop is not None and stop.side is Side.BEFORE:
                stop.reached.set()
                await asyncio.Event().wait()
            self._deaf = self._deaf or stop
            sink.write(message)

    async def answer(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        """Pass on what the server says, or only watch it finish."""
        async for kind, message in _messages(source):
            if self._deaf is None:
                sink.write(message)
            elif kind == _READY:  # it comes after the commit
                self._deaf.reached.set()

    def _met(self, kind: bytes, message: bytes) -> _Stop | None:
        first, second, *_ = (*message[5:].split(b"\0", 2), b"", b"")
        if kind == _PARSE:
            self._prepared[first] = second.decode()
        return self._proxy.meets(self._prepared.get(second, "")) if kind == _BIND else None


async def _first(source: asyncio.StreamReader) -> bytes:
    length = await source.readexactly(_UNTYPED)
    return length + await source.readexactly(int.from_bytes(length) - _UNTYPED)


async def _messages(source: asyncio.StreamReader) -> AsyncIterator[tuple[bytes, bytes]]:
    """Each message's type and its bytes, until the connection ends."""
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            head = await source.readexactly(5)
            body = await source.readexactly(int.from_bytes(head[1:]) - _UNTYPED)
            yield head[:1], head + body
