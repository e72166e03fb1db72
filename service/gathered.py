"""uvicorn's HTTP protocol, with the head and the body of an answer in one write.

uvicorn writes them one after the other and uvloop sends each write at once: two system calls, and
two packets that wake the client twice. Nothing here reads or makes HTTP.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class GatheredTransport:
    """A transport that holds writes back until they are flushed, at the latest a turn later."""

    __slots__ = ("_loop", "_parts", "_transport")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> None:
        """Send a part with those that follow right away."""
        if not self._parts:
            self._loop.call_soon(self.flush)  # for streams, whose end is not in sight
        self._parts.append(part)

    def flush(self) -> None:
        """Send what is held back, in one write."""
        if self._parts:
            parts, self._parts = self._parts, []
            self._transport.write(b"".join(parts))

    def write_whole(self, answer: bytes) -> None:
        """Send an answer that nothing follows."""
        self.flush()
        self._transport.write(answer)

    def close(self) -> None:
        """Send what is held back, then close."""
        self.flush()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class GatheredProtocol(HttpToolsProtocol):
    """Each answer is sent as soon as it is whole."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Write through a transport that gathers."""
        self._gathered = GatheredTransport(transport)
        super().connection_made(cast(asyncio.Transport, self._gathered))

    def on_response_complete(self) -> None:
        """Send the answer, then go on to the next request."""
        self._gathered.flush()
        super().on_response_complete()
