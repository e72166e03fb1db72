"""The service in memory for each case, with its sandbox open."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.service.support import House, house


@pytest.fixture
async def talon() -> AsyncIterator[House]:
    async with house() as opened:
        yield opened
