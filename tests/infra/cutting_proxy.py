"""A proxy that loses answers on demand: the request arrives at the server, nothing returns."""

from __future__ import annotations

import asyncio
from types import TracebackType
from urllib.parse import urlsplit, urlunsplit


class CuttingProxy:
    """Forwards bytes both ways; once armed, it takes the next answer for itself.

    ``cut`` closes the connections at that moment; else they stay open and silent.
    """

    def __init__(self, url: str, cut: bool = True) -> None:
        self._target = urlsplit(url)
        self._cut = cut
        self._armed = False
        self._server: asyncio.Server | None = None
        self._writers: list[asyncio.StreamWriter] = []

    @property
    def url(self) -> str:
        """The server's URL, by way of this proxy."""
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        user = self._target.netloc.rpartition("@")[0]
        netloc = f"{user}@127.0.0.1:{port}" if user else f"127.0.0.1:{port}"
        return urlunsplit(self._target._replace(netloc=netloc))

    def lose_next_answer(self) -> None:
        """From now on the client hears nothing more on connections that are open now."""
        self._armed = True

    def heal(self) -> None:
        """Let answers through again."""
        self._armed = False

    async def __aenter__(self) -> CuttingProxy:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.close()
        await asyncio.gather(
            *(writer.wait_closed() for writer in self._writers), return_exceptions=True
        )

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        port = self._target.port
        assert self._target.hostname and port
        there, back = await asyncio.open_connection(self._target.hostname, port)
        self._writers += [writer, back]
        await asyncio.gather(self._forward(reader, back), self._answer(there, writer))

    async def _forward(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while chunk := await _chunk(source):
            sink.write(chunk)
        sink.close()

    async def _answer(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while chunk := await _chunk(source):
            if not self._armed:
                sink.write(chunk)
            elif self._cut:
                break
        sink.close()


async def _chunk(source: asyncio.StreamReader) -> bytes:
    try:
        return await source.read(65_536)
    except ConnectionError:
        return b""
