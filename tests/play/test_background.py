"""Work beside the requests ends when its owner stops, whatever it makes of being cancelled."""

from __future__ import annotations

import asyncio

import pytest

from domain.ports import Unavailable
from service.play.background import Background

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("fault", [Unavailable("a time-out at that very moment"), OSError(), None])
async def test_who_takes_a_cancellation_for_a_fault_is_ended_all_the_same(
    fault: Exception | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.play.background.BACKOFF_SECONDS", (0.0,))
    begun: list[int] = []

    async def work() -> None:
        begun.append(len(begun))
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if fault is not None:
                raise fault from None

    background = Background()
    background.keep("work", work)
    while not begun:
        await asyncio.sleep(0)
    async with asyncio.timeout(10):
        await background.stop()

    assert begun == [0]
