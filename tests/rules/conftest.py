"""Every story of a test is told to its end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.spec import Story


@pytest.fixture(autouse=True)
def no_refusal_goes_unnoticed() -> Iterator[None]:
    Story.told.clear()
    yield
    Story.end()
