"""The real clock. Not here: any decision; the domain gets its times as numbers."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Microseconds since the epoch, UTC."""


def now_us() -> int:
    """The time as microseconds since the epoch, UTC."""
    return time.time_ns() // 1_000
