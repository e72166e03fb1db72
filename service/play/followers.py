"""One live stream's place in a match: what it has still to send, and when it must read again."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final

from service.play.folding import Step

QUEUE_MAX: Final = 128
"""Steps kept for a stream that is slow to send; one that is slower reads the log again, so that it
costs no memory."""


class Follower:
    """A bounded queue of steps. While ``is_behind``, steps are dropped: the log has them all."""

    def __init__(self) -> None:
        self.is_behind = True
        self.is_stopped = False
        self._steps: deque[Step] = deque()
        self._woken = asyncio.Event()

    def offer(self, steps: Sequence[Step]) -> None:
        """Queue steps, or fall behind if there is no room."""
        if not self.is_behind:
            self._steps.extend(steps)
            if len(self._steps) > QUEUE_MAX:
                self.fall_behind()
        self._woken.set()

    def fall_behind(self) -> None:
        """Drop what is queued; it will be read from the log."""
        self.is_behind = True
        self._steps.clear()
        self._woken.set()

    def catch_up(self) -> None:
        """Queue again from here on; call before reading the log, so that nothing falls between."""
        self.is_behind = False
        self._steps.clear()

    def stop(self) -> None:
        """End the stream."""
        self.is_stopped = True
        self._woken.set()

    def take(self) -> Step | None:
        """The next step, if there is one."""
        return self._steps.popleft() if self._steps else None

    async def wait(self, seconds: float) -> bool:
        """Wait for something to do; False if nothing came within ``seconds``."""
        if self._steps or self.is_stopped:
            return True
        self._woken.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return False
        return True
