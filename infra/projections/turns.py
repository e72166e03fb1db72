"""The loop of work that goes on beside the requests: turn after turn, with pauses in between."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress


async def take_turns(turn: Callable[[], Awaitable[float | None]], stopping: asyncio.Event) -> None:
    """Take turns until ``stopping`` is set, or there can be none.

    Each tells the seconds to wait until the next; None if there can be none.
    """
    while not stopping.is_set() and (pause := await turn()) is not None:
        with suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), pause)
