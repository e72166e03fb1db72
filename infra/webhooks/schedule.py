"""When a delivery that failed is tried again: soon, then ever more rarely, for three days.

All figures in seconds; moments in microseconds since the epoch.
"""

from __future__ import annotations

import random
from typing import Final

from domain.limits import WEBHOOK_DAYS_FAILING

SECOND: Final = 1_000_000
_MINUTE, _HOUR = 60, 3_600
DELAYS: Final = (
    *(5, 5 * _MINUTE, 30 * _MINUTE),
    *(2 * _HOUR, 5 * _HOUR, 10 * _HOUR, 14 * _HOUR, 20 * _HOUR, 24 * _HOUR),
)
"""After each attempt, as Standard Webhooks proposes them: ten attempts within four days."""
JITTER: Final = 0.2
"""At most so much of a delay comes on top, so that receivers are not met by all at once."""
REST_SECONDS_MAX: Final = 300
"""A receiver that fails is left alone for 2, 4, 8 … seconds, whatever waits for it."""


def next_attempt(attempts: int, now: int) -> int | None:
    """When it is tried again after so many attempts; None if that was the last one."""
    if attempts > len(DELAYS):
        return None
    seconds = DELAYS[attempts - 1] * random.uniform(1.0, 1.0 + JITTER)
    return now + int(seconds * SECOND)


def rest_after(failures: int) -> int:
    """How long a receiver is left alone after so many failures in a row, in microseconds."""
    return min(REST_SECONDS_MAX, 1 << min(failures, 16)) * SECOND


def failing_limit(now: int) -> int:
    """Who has failed since then, or longer, is disabled."""
    return now - WEBHOOK_DAYS_FAILING * 24 * _HOUR * SECOND
