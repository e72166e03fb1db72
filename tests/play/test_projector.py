"""Views are written at once after a pause, and once for several moves in a rush."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import msgspec
import pytest

from domain.match import Match, new_match
from service.play import projector
from service.play.projector import Projector

pytestmark = pytest.mark.anyio


class Noted:
    """A view store that notes the matches and versions of each put, and may be away."""

    def __init__(self) -> None:
        self.puts: list[dict[int, int]] = []
        self.is_away = False

    async def put(self, packed: Mapping[bytes, tuple[int, bytes]]) -> None:
        if self.is_away:
            raise ConnectionError
        if packed:
            self.puts.append({match[0]: version for match, (version, _) in packed.items()})

    async def get(self, match: bytes) -> tuple[int, bytes] | None:
        raise AssertionError(match)


def state(number: int, version: int) -> Match:
    return msgspec.structs.replace(new_match(bytes([number]) * 16), version=version)


async def soon() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.fixture
def views() -> Noted:
    return Noted()


async def test_a_rush_of_moves_is_written_once_a_window(
    views: Noted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projector, "WINDOW_SECONDS", 0.05)
    writer = Projector(views)
    writer.start()
    for version in range(1, 6):
        writer.note(state(1, version))
        await soon()
    assert views.puts == [{1: 1}]
    async with asyncio.timeout(5):
        while len(views.puts) < 2:
            await asyncio.sleep(0.01)
    assert views.puts == [{1: 1}, {1: 5}]
    await writer.stop()


async def test_a_rush_in_one_match_does_not_hold_up_another(
    views: Noted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projector, "WINDOW_SECONDS", 60.0)
    writer = Projector(views)
    writer.start()
    for match, version in ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1)):
        writer.note(state(match, version))
        await soon()
    assert views.puts == [{1: 1}, {2: 1}, {3: 1}]
    await writer.stop()
    assert views.puts[3:] == [{1: 3}]


async def test_what_a_store_did_not_take_is_written_later(
    views: Noted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projector, "WINDOW_SECONDS", 0.01)
    writer = Projector(views)
    writer.start()
    views.is_away = True
    writer.note(state(1, 1))
    await asyncio.sleep(0.03)
    writer.note(state(1, 2))
    views.is_away = False
    async with asyncio.timeout(5):
        while not views.puts:
            await asyncio.sleep(0.01)
    assert views.puts == [{1: 2}]
    await writer.stop()


async def test_more_matches_than_a_flush_takes_are_all_written(
    views: Noted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projector, "FLUSH_MAX", 2)
    monkeypatch.setattr(projector, "WINDOW_SECONDS", 60.0)
    writer = Projector(views)
    for match in range(1, 6):
        writer.note(state(match, 1))
    writer.start()
    await soon()
    assert views.puts == [{1: 1, 2: 1}, {3: 1, 4: 1}, {5: 1}]
    await writer.stop()
