"""One process that serves requests, started and watched by ``talon serve``.

    python -m service.cli.worker READY LISTENER

Both are inherited file descriptors: a pipe on which it says that it is ready, and the listening
socket. What follows the log is kept up by another process (``service.cli.keeper``).
"""

from __future__ import annotations

import gc
import resource
import socket
import sys
from typing import Final

from service.app import build
from service.cli.child import briefed, say_ready
from service.serve import serve

_COLLECTIONS: Final = (20_000, 20, 100)
"""Matches hold no cycles, so there is little to find: look less often than the default (700, 10,
10), which costs a twentieth of the processor time under load."""


def main(ready: int, listener: int) -> int:
    """Serve until told to stop, or until the parent is gone."""
    settings = briefed()
    if settings is None:
        return 0
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each connection is a file
    app = build(settings, keeps=False)
    gc.collect()
    gc.freeze()  # what is imported stays: the collector need not look at it again
    gc.set_threshold(*_COLLECTIONS)
    serve(app, socket.socket(fileno=listener), lambda: say_ready(ready))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
