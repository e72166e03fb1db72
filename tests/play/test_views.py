"""Views are the newest that are near, and play goes on while their store is away."""

from __future__ import annotations

import asyncio
import random

import pytest
from msgspec import UNSET

from domain.commands import AddSeed, CreateMatch, JoinMatch, LeaveSeat
from domain.events import Visibility
from domain.sight import pack, unpack, view_of, views_of
from service.play import projector
from service.play.contract import Busy, NoMatch, StaleVersion
from tests.play.support import (
    ANN,
    BOB,
    CAT,
    SHORT,
    FaultyLog,
    FaultyViews,
    ask,
    key,
    match_id_of,
    play_on,
    refolded,
    running,
    table_of,
    until,
    world,
)

pytestmark = pytest.mark.anyio


async def test_a_view_is_the_state_as_that_seat_sees_it() -> None:
    shared = world()
    play = shared.process()
    async with running(play):
        match_id = await table_of(play)
        await play_on(play, match_id, random.Random(1), 25)
        match = await refolded(shared.log, match_id)
        for seat in (None, 0, 1):
            assert await play.view(match_id, seat) == view_of(match, seat)
        assert await play.view(match_id, None, player=BOB) == view_of(match, 1)
        assert await play.view(match_id, None, player=CAT) == view_of(match, None)


async def test_another_process_reads_from_the_view_store_without_the_log() -> None:
    shared = world()
    play = shared.process()
    log = FaultyLog(shared.log)
    reader = shared.process(log=log)
    async with running(play):
        match_id = await table_of(play)
        await play_on(play, match_id, random.Random(1), 25)
        match = await refolded(shared.log, match_id)
        store = shared.views

        def is_written() -> bool:
            return store._views.get(match_id, (0,))[0] == match.version

        await until(is_written)
    for seat, player in ((None, None), (None, ANN), (None, BOB)):
        view = await reader.view(match_id, seat, player=player)
        assert view == view_of(match, None if player is None else match.seat_of(player))
    assert log.reads == 0


async def test_a_view_is_never_older_than_what_was_asked_for() -> None:
    shared = world()
    play, reader = shared.process(), shared.process()
    match_id = await table_of(play)  # nobody writes views: the processes are not started
    old = (await reader.folded(match_id)).match
    await shared.views.put({match_id: (old.version, pack(views_of(old)))})
    version = (await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "a"))).version
    assert (await reader.view(match_id, None, version)).version == version
    with pytest.raises(StaleVersion) as stale:
        await reader.view(match_id, None, version + 1)
    assert stale.value.version == version


async def test_an_old_view_in_the_store_does_not_hide_what_is_known_here() -> None:
    shared = world()
    play = shared.process()
    match_id = await table_of(play)
    old = (await play.folded(match_id)).match
    await shared.views.put({match_id: (old.version, pack(views_of(old)))})
    version = (await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "a"))).version
    assert (await play.view(match_id, None)).version == version


async def test_the_store_gets_only_the_newest_of_each_match() -> None:
    shared = world()
    views = FaultyViews(shared.views)
    shared.views = views
    play = shared.process()
    match_id = await table_of(play)
    await play_on(play, match_id, random.Random(1), 10)
    async with running(play):
        await until(lambda: bool(views.put_versions))
    match = await refolded(shared.log, match_id)
    assert views.put_versions == [(match_id, match.version)]
    kept = await views.get(match_id)
    assert kept is not None
    assert unpack(kept[1]) == views_of(match)


async def test_play_and_reading_go_on_while_the_view_store_is_away() -> None:
    shared = world()
    views = FaultyViews(shared.views)
    shared.views = views
    play, reader = shared.process(), shared.process()
    async with running(play, reader):
        match_id = await table_of(play)
        await until(lambda: bool(views.put_versions))
        views.is_away = True
        await play_on(play, match_id, random.Random(1), 10)
        match = await refolded(shared.log, match_id)
        for process in (play, reader):
            assert await process.view(match_id, 0) == view_of(match, 0)
        views.is_away = False
        await until(lambda: views.put_versions[-1] == (match_id, match.version))


async def test_what_the_store_could_not_take_is_written_when_it_is_back() -> None:
    shared = world()
    views = FaultyViews(shared.views)
    shared.views = views
    play = shared.process()
    async with running(play):
        views.is_away = True
        first, second = await table_of(play, number=1), await table_of(play, number=2)
        await asyncio.sleep(0.15)  # it has been tried with both, at least once
        version = (await play.execute(first, ask(ANN, AddSeed(2, "YQ"), "a"))).version
        assert views.put_versions == []
        views.is_away = False
        await until(lambda: len(views.put_versions) >= 2)
        assert dict(views.put_versions)[first] == version
        assert second in dict(views.put_versions)


async def test_a_wiped_store_is_filled_again_by_reading() -> None:
    shared = world()
    views = FaultyViews(shared.views)
    shared.views = views
    play = shared.process()
    match_id = await table_of(play)
    version = (await play.folded(match_id)).match.version
    reader = shared.process()
    async with running(reader):
        assert (await reader.view(match_id, None)).version == version
        await until(lambda: views.put_versions == [(match_id, version)])


async def test_views_packed_by_another_release_are_read_from_the_log() -> None:
    shared = world()
    play, reader = shared.process(), shared.process()
    match_id = await table_of(play)
    match = (await play.folded(match_id)).match
    await shared.views.put({match_id: (match.version, b"from another release")})
    assert await reader.view(match_id, None, player=ANN) == view_of(match, 0)


async def test_what_waits_for_a_store_that_is_away_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(projector, "WAITING_MAX", 3)
    shared = world()
    views = FaultyViews(shared.views)
    shared.views = views
    play = shared.process()
    matches = [await table_of(play, number=number) for number in range(1, 6)]
    async with running(play):
        await until(lambda: len(views.put_versions) == 3)
    assert [match for match, _ in views.put_versions] == matches[2:]


async def test_a_seat_that_has_closed_up_shows_its_person_and_nobody_else() -> None:
    play = world().process()
    match_id = match_id_of(1)
    await play.create(match_id, CreateMatch(SHORT, 4, Visibility.PUBLIC, ANN), key("c"))
    for person in (BOB, CAT):
        await play.execute(match_id, ask(person, JoinMatch(person), person))
    await play.execute(match_id, ask(BOB, LeaveSeat(), "leave"))
    of_cat = await play.view(match_id, None, player=CAT)
    of_bob = await play.view(match_id, None, player=BOB)
    assert of_cat.you is not UNSET
    assert of_cat.you.seat == 1
    assert of_bob.you is UNSET


async def test_reads_say_so_while_the_log_is_away_and_nothing_else_has_the_match() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play = shared.process(log=log)
    log.is_away = True
    for read in (
        play.view(match_id_of(1), None),
        play.folded(match_id_of(1)),
        play.history(match_id_of(1), None, 0, 10),
        play.view_at(match_id_of(1), None, 1),
        play.dry_run(match_id_of(1), ask(ANN, AddSeed(2, "YQ"), "a")),
    ):
        with pytest.raises(Busy):
            await read
    log.is_away = False
    with pytest.raises(NoMatch):
        await play.view(match_id_of(1), None)
