"""How much of a request's head is taken, and how long its arrival is waited for.

uvicorn bounds neither with its faster parser: one client could fill the memory with a header that
never ends, or hold connections that never ask for anything. Whoever sends more, or nothing for
too long, is cut off; nothing here reads HTTP.
"""

from __future__ import annotations

import asyncio
from typing import Final

from service.gathered import GatheredProtocol

HEAD_BYTES: Final = 64 * 1024
"""All headers of a request: browsers with many cookies send some 10 KiB."""
HEAD_SECONDS: Final = 20
"""From the first connection to its first whole head: a phone on a bad line needs a few."""


class PatientProtocol(GatheredProtocol):
    """The protocol that cuts off whoever sends an endless head, or none."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._head_bytes: int | None = 0
        self._impatient = asyncio.get_running_loop().call_later(HEAD_SECONDS, self._cut_off)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._impatient.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count what comes before a head is whole."""
        if self._head_bytes is not None:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self._cut_off()
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        """A request begins: its head is counted anew."""
        self._head_bytes = self._head_bytes or 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._head_bytes = None
        self._impatient.cancel()
        super().on_headers_complete()

    def _cut_off(self) -> None:
        self._gathered.close()
