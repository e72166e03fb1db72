"""One process that serves requests, started and watched by ``talon serve``.

    python -m service.cli.worker LISTENER READY

Both are inherited file descriptors: the listening socket, and a pipe on which it says that it is
ready. The settings come on standard input, one line of JSON, so that secrets are in no argument;
the pipe stays open as long as the parent lives, however it ends.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
import sys
import threading
import time
from typing import Final

import msgspec

from service import logs
from service.app import build
from service.listener import GRACE_SECONDS
from service.serve import serve
from service.settings import Settings

_LAST_SECONDS: Final = GRACE_SECONDS + 5
_COLLECTIONS: Final = (20_000, 20, 100)
"""Matches hold no cycles, so there is little to find: look less often than the default (700, 10,
10), which costs a twentieth of the processor time under load."""


def main(listener: int, ready: int) -> int:
    """Serve until told to stop, or until the parent is gone."""
    line = sys.stdin.buffer.readline()
    if not line:
        return 0  # the parent gave up before there were servers
    settings = msgspec.json.decode(line, type=Settings)
    logs.configure(settings.log_level)
    threading.Thread(target=_end_with_parent, name="parent-watch", daemon=True).start()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each connection is a file
    app = build(settings)
    gc.collect()
    gc.freeze()  # what is imported stays: the collector need not look at it again
    gc.set_threshold(*_COLLECTIONS)
    serve(app, socket.socket(fileno=listener), lambda: _say_ready(ready))
    return 0


def _say_ready(ready: int) -> None:
    os.write(ready, b"ready")
    os.close(ready)


def _end_with_parent() -> None:
    """Stop in order when the parent's end of standard input closes, and by force after a while."""
    while os.read(sys.stdin.fileno(), 1):  # not by the buffered file, whose lock it would hold
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_LAST_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
