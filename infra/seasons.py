"""Seasons: calendar months in UTC, by the time a match ended."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def season_of(ended_at: int) -> str:
    """The season of a time in microseconds since the epoch: ``2026-01``."""
    return (_EPOCH + timedelta(microseconds=ended_at)).strftime("%Y-%m")
