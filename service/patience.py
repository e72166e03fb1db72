"""How much of a request's head is taken, and how long its arrival is waited for.

uvicorn bounds neither with its faster parser: one client could fill the memory with a header that
never ends, or hold connections that never ask for anything. Whoever sends more, or nothing for
too long, is cut off; nothing here reads HTTP.
"""

from __future__ import annotations

import asyncio
from typing import Final

from service import problems
from service.gathered import GatheredProtocol
from service.problems import Code, fail

HEAD_BYTES: Final = 64 * 1024
"""All headers of a request: browsers with many cookies send some 10 KiB."""
_END: Final = b"\r\n\r\n"
HEAD_SECONDS: Final = 20
"""From the first connection to its first whole head: a phone on a bad line needs a few."""


class PatientProtocol(GatheredProtocol):
    """The protocol that cuts off whoever sends an endless head, or none."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._head_bytes: int | None = 0
        self._before = b""  # what came last, where the end of the head may have begun
        self._idle: asyncio.TimerHandle | None = None
        self._idle_since = 0.0
        self._impatient = asyncio.get_running_loop().call_later(HEAD_SECONDS, self._cut_off)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """The connection is another protocol's from now on: wait for nothing more."""
        self._stop_waiting()
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Count what comes before a head is whole."""
        if self._head_bytes is not None:
            room = max(0, HEAD_BYTES - self._head_bytes)
            if len(data) > room and _END not in self._before + data[:room]:
                self._cut_off()
                return
            self._head_bytes += len(data)
        super().data_received(data)
        if self._head_bytes is not None:
            self._before = data[1 - len(_END) :]

    def on_message_begin(self) -> None:
        """A request begins: its head is counted anew."""
        self._head_bytes = self._head_bytes or 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self.head_is_whole()
        super().on_headers_complete()

    def head_is_whole(self) -> None:
        """Count and wait no longer."""
        if self._head_bytes is not None:
            self._head_bytes = None
            self._impatient.cancel()

    def send_400_response(self, msg: str) -> None:
        """Tell whoever does not speak HTTP so, and close; clients get a problem here as well."""
        self._gathered.write(_NOT_HTTP)
        self._gathered.close()

    def on_response_complete(self) -> None:
        """An answer was sent by uvicorn, which waits for the next request in its own way."""
        self._idle_since = self.loop.time()
        super().on_response_complete()

    def answered(self) -> None:
        """An answer was sent without uvicorn: wait for the next request.

        One timer goes on from request to request, since setting and canceling one for each costs
        more than looking at the clock.
        """
        if self.pipeline or self.flow.read_paused:
            self.on_response_complete()
            return
        self._idle_since = self.loop.time()
        if self._idle is None:
            self._idle = self.loop.call_later(self.timeout_keep_alive, self._end_if_idle)

    def _end_if_idle(self) -> None:
        """Close the connection if nothing was asked for long enough; else look again then."""
        is_busy = self.cycle is not None and not self.cycle.response_complete
        rest = self.timeout_keep_alive - (self.loop.time() - self._idle_since)
        if not is_busy and rest <= 0:
            self._cut_off()
            return
        wait = self.timeout_keep_alive if is_busy else rest
        self._idle = self.loop.call_later(wait, self._end_if_idle)

    def _stop_waiting(self) -> None:
        self._impatient.cancel()
        if self._idle is not None:
            self._idle.cancel()

    def _cut_off(self) -> None:
        self._gathered.close()


_PROBLEM: Final = problems.encode(
    fail(Code.BAD_REQUEST, "This is no HTTP request, or none that is well-formed.").problem
)
_NOT_HTTP: Final = (
    b"HTTP/1.1 400 Bad Request\r\n"
    b"content-type: %b\r\n"
    b"content-length: %d\r\n"
    b"content-language: en\r\n"
    b"cache-control: no-store\r\n"
    b"connection: close\r\n\r\n%b" % (problems.MEDIA_TYPE.encode(), len(_PROBLEM), _PROBLEM)
)
