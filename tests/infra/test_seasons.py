"""Seasons end at midnight UTC, whatever the machine's own time is."""

from __future__ import annotations

from datetime import datetime

import pytest

from infra.seasons import season_of


@pytest.mark.parametrize(
    ("moment", "season"),
    [
        ("2026-01-31T23:59:59.999999+00:00", "2026-01"),
        ("2026-02-01T00:00:00+00:00", "2026-02"),
        ("2026-01-31T23:00:00-02:00", "2026-02"),
        ("2024-02-29T12:00:00+00:00", "2024-02"),
        ("1970-01-01T00:00:00+00:00", "1970-01"),
    ],
)
def test_a_season_is_a_calendar_month(moment: str, season: str) -> None:
    since_1970 = datetime.fromisoformat(moment) - datetime.fromisoformat("1970-01-01T00:00+00:00")
    assert season_of(round(since_1970.total_seconds() * 1_000_000)) == season
