"""The process that keeps up what follows the log, started and watched by ``talon serve``.

    python -m service.cli.keeper READY

READY is the inherited end of a pipe on which it says that it is ready. No request waits for what
it does (``docs/decisions/026``).
"""

from __future__ import annotations

import asyncio
import signal
import sys

import uvloop

from service.app.keeping import keeping
from service.cli.child import briefed, say_ready
from service.settings import Settings


def main(ready: int) -> int:
    """Keep up with the log until told to stop, or until the parent is gone."""
    settings = briefed()
    if settings is not None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        uvloop.run(_keep(settings, ready))
    return 0


async def _keep(settings: Settings, ready: int) -> None:
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    async with keeping(settings, stopping):
        say_ready(ready)
        await stopping.wait()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
