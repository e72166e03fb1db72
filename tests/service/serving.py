"""The service behind a real socket on loopback, in a thread of the test's process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from litestar import Litestar

from service.handshakes import SocketProtocol


@contextmanager
def serving(app: Litestar, protocol: Any = "auto") -> Iterator[str]:
    """The URL under which an application answers, for the time of a test."""
    config = uvicorn.Config(
        app,
        port=0,
        http=protocol,
        ws=SocketProtocol,
        log_config=None,
        lifespan="on",
        proxy_headers=False,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    for _ in range(3_000):
        if server.started or not thread.is_alive():
            break
        time.sleep(0.01)
    assert server.started, "the service did not start within half a minute"
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        app.state.stopping.set()
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive(), "the service did not stop"
