"""Times: microseconds since the epoch inside, RFC 3339 UTC outside."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

SECOND: Final = 1_000_000
"""In the microseconds that the log counts in."""
DAY: Final = 86_400 * SECOND
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def now_us() -> int:
    """The time now, in microseconds since the epoch."""
    return time.time_ns() // 1_000


def rfc3339(microseconds: int) -> str:
    """``2026-01-31T12:00:00.000001Z``: always six digits, so that texts sort as times do."""
    seconds, fraction = divmod(microseconds, SECOND)
    return f"{_whole(seconds)}.{fraction:06}Z"


@lru_cache(64)
def _whole(seconds: int) -> str:
    """What all times within a second begin with: those written in a row are mostly of one."""
    return (_EPOCH + timedelta(seconds=seconds)).isoformat()[:-6]
