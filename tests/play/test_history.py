"""A history reads the same for ever, and each viewer's has what they alone saw."""

from __future__ import annotations

import random

import pytest
from msgspec import UNSET, structs

from domain.events import Seat
from domain.evolve import fold
from domain.match import Match, new_match
from domain.ports import Recorded
from domain.sight import mine, view_of
from service.play.contract import Item, NoMatch
from service.play.matches import Matches
from tests.play.support import (
    ANN,
    BOB,
    CAT,
    World,
    match_id_of,
    play_on,
    running,
    stored,
    table_of,
    world,
)

pytestmark = pytest.mark.anyio


async def _played(shared: World, commands: int = 120) -> tuple[Matches, bytes]:
    play = shared.process()
    async with running(play):
        match_id = await table_of(play, [ANN, BOB, CAT])
        await play_on(play, match_id, random.Random(4), commands)
    return play, match_id


async def _pages(
    play: Matches, match_id: bytes, seat: Seat | None, size: int, player: str | None = None
) -> list[Item]:
    items: list[Item] = []
    while page := await play.history(
        match_id, seat, items[-1].version if items else 0, size, player=player
    ):
        items += page
    return items


async def _states(shared: World, match_id: bytes) -> tuple[tuple[Recorded, ...], list[Match]]:
    """The events, and the state before the first and after each of them."""
    stream = await shared.log.read(match_id)
    events = [one.event for one in stream.events]
    start = fold(events, new_match(match_id, stream.secrets))
    match = new_match(match_id, start.secrets)
    states = [match]
    for event in events:
        match = fold([event], match)
        states.append(match)
    return stream.events, states


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
@pytest.mark.parametrize("commands", [60, 10_000])
async def test_a_history_is_every_event_with_what_the_viewer_alone_saw(
    seat: Seat | None, commands: int
) -> None:
    shared = world()
    play, match_id = await _played(shared, commands)
    items = await _pages(play, match_id, seat, 17)
    events, states = await _states(shared, match_id)
    assert [item.version for item in items] == [one.version for one in events]
    private = 0
    for item, one, before, after in zip(items, events, states, states[1:], strict=False):
        assert bytes(item.event) == one.data
        assert item.hash == one.hash.hex()
        assert item.actor == one.actor
        assert item.data is UNSET
        seen = None if seat is None else mine(before, one.event, after, seat)
        assert (None if item.mine is UNSET else item.mine) == seen
        private += seen is not None
    assert (private > 0) == (seat is not None)


async def test_pages_of_any_size_and_any_process_are_the_same() -> None:
    shared = world()
    play, match_id = await _played(shared)
    whole = await play.history(match_id, Seat(1), 0, 10_000)
    for size in (1, 7, 50):
        assert tuple(await _pages(play, match_id, Seat(1), size)) == whole
        assert tuple(await _pages(shared.process(), match_id, Seat(1), size)) == whole
    assert tuple(await _pages(play, match_id, None, 50, player=BOB)) == whole
    assert await play.history(match_id, Seat(1), whole[-1].version, 10) == ()


async def test_the_exact_stored_bytes_are_there_on_demand() -> None:
    shared = world()
    play, match_id = await _played(shared, 10)
    for seat in (None, Seat(0)):
        items = await play.history(match_id, seat, 0, 1_000, stored=True)
        for item, one in zip(items, await stored(shared.log, match_id), strict=True):
            assert item.data is not UNSET
            assert item.data.encode() == one.data


async def test_a_past_view_is_the_one_that_was_shown_then() -> None:
    shared = world()
    play, match_id = await _played(shared, 10_000)
    events, states = await _states(shared, match_id)
    for version in (1, len(events) // 2, len(events)):
        for seat in (None, Seat(0), Seat(2)):
            if seat is not None and seat >= len(states[version].seats):
                continue
            assert await play.view_at(match_id, seat, version) == view_of(states[version], seat)
    for version in (0, -1, len(events) + 1):
        with pytest.raises(NoMatch):
            await play.view_at(match_id, None, version)


async def test_there_is_no_history_of_no_match() -> None:
    play = world().process()
    for seat in (None, Seat(0)):
        for after in (0, 5):
            with pytest.raises(NoMatch):
                await play.history(match_id_of(5), seat, after, 10)


async def test_an_item_for_all_has_nothing_of_anybody() -> None:
    shared = world()
    play, match_id = await _played(shared, 40)
    for everyone, own in zip(
        await play.history(match_id, None, 0, 1_000),
        await play.history(match_id, Seat(0), 0, 1_000),
        strict=True,
    ):
        assert everyone.mine is UNSET
        assert structs.replace(own, mine=UNSET) == everyone
