"""Times as they are written outside: RFC 3339 UTC, from microseconds since the epoch."""

from __future__ import annotations

_DAY = 86_400 * 1_000_000
_ERA_DAYS = 146_097
"""Days of 400 years, after which the calendar repeats itself."""


def rfc3339(microseconds: int) -> str:
    """``2026-01-31T12:00:00.000001Z``: always six digits, so that texts sort as times do.

    >>> rfc3339(951_782_400_000_001)
    '2000-02-29T00:00:00.000001Z'
    """
    days, rest = divmod(microseconds, _DAY)
    seconds, fraction = divmod(rest, 1_000_000)
    hours, minutes = divmod(seconds // 60, 60)
    clock = f"{hours:02}:{minutes:02}:{seconds % 60:02}.{fraction:06}"
    return f"{_date(days)}T{clock}Z"


def _date(days: int) -> str:
    """The day so many days after 1970-01-01, in years that begin in March: leap days come last."""
    era, day = divmod(days + 719_468, _ERA_DAYS)
    year = (day - day // 1_460 + day // 36_524 - day // 146_096) // 365
    of_year = day - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    of_month = of_year - (153 * month + 2) // 5 + 1
    is_next_year = month >= 10
    return f"{era * 400 + year + is_next_year:04}-{(month + 2) % 12 + 1:02}-{of_month:02}"
