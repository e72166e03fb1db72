"""What the processes that ``talon serve`` starts have in common: their settings, word and end.

The settings come on standard input, one line of JSON, so that secrets are in no argument; the pipe
stays open as long as the parent lives, however it ends. A second pipe takes the word that a
process is ready.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import Final

import msgspec

from service import logs
from service.listener import GRACE_SECONDS
from service.settings import Settings

_LAST_SECONDS: Final = GRACE_SECONDS + 5


def briefed() -> Settings | None:
    """Wait for the settings, and end with the parent from now on; None if it gave up before."""
    line = sys.stdin.buffer.readline()
    if not line:
        return None
    settings = msgspec.json.decode(line, type=Settings)
    logs.configure(settings.log_level)
    threading.Thread(target=_end_with_parent, name="parent-watch", daemon=True).start()
    return settings


def say_ready(ready: int) -> None:
    """Tell the parent, once."""
    os.write(ready, b"ready")
    os.close(ready)


def _end_with_parent() -> None:
    """Stop in order when the parent's end of standard input closes, and by force after a while."""
    while os.read(sys.stdin.fileno(), 1):  # not by the buffered file, whose lock it would hold
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_LAST_SECONDS)
    os._exit(1)
