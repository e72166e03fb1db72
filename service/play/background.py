"""Work beside the requests: loops that outlive faults, and work that outlives its caller."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

from domain.ports import Unavailable

_log: Final = logging.getLogger("talon.play")
BACKOFF_SECONDS: Final = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Pauses after faults in a row; the last one goes on. A store that comes back is seen within it."""

Result = TypeVar("Result")


class Background:
    """Tasks that belong to one owner: kept alive while it runs, ended when it stops."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Run ``work`` beside everything else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def keep(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Run ``work`` for ever: when it fails, again after a pause; when it returns, at once."""
        self.start(_kept(name, work))

    async def drain(self) -> None:
        """Wait until what was started is done."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self) -> None:
        """Cancel what is running and wait until it has ended."""
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _kept(name: str, work: Callable[[], Awaitable[None]]) -> None:
    """``work`` again and again, with longer pauses while it goes on failing.

    A library may swallow a cancellation (``asyncio.wait_for`` before Python 3.12 does, if what it
    waits for is done at that moment): who was cancelled ends all the same, or whoever stops it
    would wait for ever.
    """
    task, faults = asyncio.current_task(), 0
    while task is None or not task.cancelling():
        try:
            await work()
            faults = 0
        except Unavailable:
            faults += 1
            _log.warning("%s: the store is away", name)
        except Exception:
            faults += 1
            _log.exception("%s failed", name)
        if faults:
            await asyncio.sleep(pause_after(faults))


def pause_after(faults: int) -> float:
    """Seconds to wait after so many faults in a row."""
    return BACKOFF_SECONDS[min(faults, len(BACKOFF_SECONDS)) - 1]
