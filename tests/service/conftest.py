"""The service in memory for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.service.support import Client, House, house


@pytest.fixture
async def talon() -> AsyncIterator[House]:
    async with house() as opened:
        yield opened


@pytest.fixture
async def ann(talon: House) -> Client:
    return await talon.person("Ann")


@pytest.fixture
async def bob(talon: House) -> Client:
    return await talon.person("Bob")
