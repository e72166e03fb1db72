"""A receiver of webhooks on loopback, which answers as a test wants it to."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from standardwebhooks.webhooks import Webhook


class Letter(NamedTuple):
    """A request that came."""

    path: str
    headers: dict[str, str]
    body: bytes
    came_at: float

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def told(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.body)
        return told

    def verified(self, secret: str) -> Any:
        """The body, if the published library takes its signature; raises otherwise."""
        return Webhook(secret).verify(self.body, self.headers)


class Receiver:
    """What came, and what is answered: a status, or a function of what came so far."""

    def __init__(self) -> None:
        self.letters: list[Letter] = []
        self.status: int | Callable[[Letter], int] = 204
        self.headers: dict[str, str] = {}
        self.body = b""
        self.hold = threading.Event()
        """Answers wait for it."""
        self.hold.set()
        self.under_way = self.most_under_way = 0
        self._lock = threading.Lock()
        self.url = ""

    def take(self, letter: Letter) -> int:
        """Note a letter; the status to answer."""
        with self._lock:
            self.letters.append(letter)
            self.under_way += 1
            self.most_under_way = max(self.under_way, self.most_under_way)
        self.hold.wait(30)
        with self._lock:
            self.under_way -= 1
        return self.status if isinstance(self.status, int) else self.status(letter)

    def told(self, *types: str) -> list[dict[str, Any]]:
        """The bodies that came, of these types or of all."""
        bodies = [letter.told for letter in list(self.letters)]
        return [one for one in bodies if not types or one["type"] in types]


@contextmanager
def receiver(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """A receiver that answers at its ``url``, for the time of a test; with ``tls`` over https."""
    held = Receiver()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            named = {name.lower(): value for name, value in self.headers.items()}
            status = held.take(Letter(self.path, named, body, time.monotonic()))
            self.send_response(status)
            for name, value in held.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(held.body)))
            self.end_headers()
            self.wfile.write(held.body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    held.url = f"{'http' if tls is None else 'https'}://127.0.0.1:{server.server_port}"
    try:
        yield held
    finally:
        held.hold.set()
        server.shutdown()
        server.server_close()
        thread.join(10)
