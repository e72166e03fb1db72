"""The HTTP server, run in this process over a socket that is bound already.

Started by hand instead of by uvicorn's command, so that open streams end when the service stops:
uvicorn alone would wait for them for ever.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Final

import uvicorn
from litestar import Litestar

from domain.limits import BODY_BYTES
from service.direct import DirectProtocol
from service.handshakes import SocketProtocol
from service.listener import BACKLOG, GRACE_SECONDS

PING_SECONDS: Final = 20.0
"""Between pings on a socket, and for the pong: a client that is lost is noticed within twice
that."""
KEEP_ALIVE_SECONDS: Final = 75
"""Longer than what clients and proxies keep an idle connection (60), so that they close it."""


class Server(uvicorn.Server):
    """A server that tells the application when it is asked to stop."""

    def __init__(
        self, config: uvicorn.Config, stopping: asyncio.Event, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._stopping = stopping
        self._ready = ready
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """On SIGTERM or SIGINT: let the open streams end, then stop."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
        super().handle_exit(sig, frame)


def serve(app: Litestar, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until SIGTERM or SIGINT; calls ``ready`` once requests are answered.

    Raises SystemExit if the application does not start.
    """
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=DirectProtocol,
        ws=SocketProtocol,
        ws_max_size=BODY_BYTES,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,  # it costs more memory than all the rest of a socket
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # nobody looks at the client's address or scheme
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    # uvicorn sends itself the signal again once it has stopped: that must not end the process.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    Server(config, app.state.stopping, ready).run(sockets=[listener])
