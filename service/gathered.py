"""uvicorn's HTTP protocol, with the head and the body of an answer in one write.

uvicorn writes them one after the other and uvloop sends each write at once: two system calls, and
two packets that wake the client twice. Nothing here reads or makes HTTP.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LINGER_SECONDS: Final = 1.0
"""How long a body that nobody wants may still come: time for the answer to be read."""


class GatheredTransport:
    """A transport that holds writes back until they are flushed, at the latest a turn later."""

    __slots__ = ("_is_body_coming", "_loop", "_parts", "_transport", "lingers")

    def __init__(self, transport: asyncio.Transport, is_body_coming: Callable[[], bool]) -> None:
        self._transport = transport
        self._is_body_coming = is_body_coming
        self._loop = asyncio.get_running_loop()
        self._parts: list[bytes] = []
        self.lingers = False
        """Whether what comes is only thrown away."""

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
        """Send what is held back, then close.

        If a body is still coming, it is thrown away for a moment: closed at once, the connection
        would be reset, and the client might lose the answer that tells why.
        """
        self.flush()
        if self.lingers or not self._is_body_coming() or self._transport.is_closing():
            self._transport.close()
            return
        self.lingers = True
        self._transport.write_eof()
        self._transport.resume_reading()
        self._loop.call_later(LINGER_SECONDS, self._transport.close)

    def is_closing(self) -> bool:
        """Whether nothing more is to be said."""
        return self.lingers or self._transport.is_closing()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class GatheredProtocol(HttpToolsProtocol):
    """Each answer is sent as soon as it is whole."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Write through a transport that gathers."""
        self._gathered = GatheredTransport(transport, self._is_body_coming)
        super().connection_made(cast(asyncio.Transport, self._gathered))

    def data_received(self, data: bytes) -> None:
        """Read on, but for what is thrown away."""
        if not self._gathered.lingers:
            super().data_received(data)

    def on_response_complete(self) -> None:
        """Send the answer, then go on to the next request."""
        self._gathered.flush()
        super().on_response_complete()

    def _is_body_coming(self) -> bool:
        """Whether a request was answered whose body is not whole."""
        cycle = self.cycle
        return cycle is not None and cycle.more_body and not cycle.disconnected
