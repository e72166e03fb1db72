"""The address that the service listens on, taken before anything else is started."""

from __future__ import annotations

import socket
from typing import Final

BACKLOG: Final = 2048
"""Connections that may wait to be accepted."""
GRACE_SECONDS: Final = 5
"""How long answers in progress get, once the service stops."""
_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; connections wait in it until a worker takes them. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    return socket.create_server((str(address[0]), port), family=family, backlog=BACKLOG)


def address_of(listener: socket.socket) -> str:
    """The URL under which this machine reaches a listening socket."""
    host, port = listener.getsockname()[:2]
    reachable = _EVERYWHERE.get(host, host)
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"
