"""People whose connections break at random points, and who retry and resume by the book.

``TALON_TEST_BAD_LINES=200`` plays so many matches; without it a few.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from random import Random

import pytest

from service.app import build_in_memory
from service.direct import DirectProtocol
from tests.faults import audit
from tests.faults.caller import Caller
from tests.faults.evening import SETTING_UP
from tests.faults.snapping_proxy import SnappingProxy
from tests.faults.socket_caller import SocketCaller
from tests.faults.tables import Table, person, play, table
from tests.faults.watching import Watch
from tests.service.serving import serving
from tests.service.support import QUICK

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
MATCHES = int(os.environ.get("TALON_TEST_BAD_LINES", "6"))
AT_ONCE = 4
SEATS = 3


async def test_who_is_cut_off_anywhere_has_acted_once_and_misses_nothing() -> None:
    with serving(build_in_memory(QUICK), DirectProtocol) as url:
        async with SnappingProxy(url, Random(1)) as line:
            places = asyncio.Semaphore(AT_ONCE)

            async def one(number: int) -> int:
                async with places:
                    return await a_match(url, line.url, Random(number))

            lost = await asyncio.gather(*map(one, range(MATCHES)))
            snapped = line.snapped

    assert min(lost) > 0
    assert snapped > 10 * MATCHES


async def test_who_plays_over_sockets_that_break_has_acted_once_and_misses_nothing() -> None:
    with serving(build_in_memory(QUICK), DirectProtocol) as url:
        async with SnappingProxy(url, Random(2)) as line:
            for number in range(max(1, MATCHES // 3)):
                dice = Random(number)
                caller, sound = SocketCaller([line.url], dice), Caller([url], dice)
                people = tuple([await person(sound, f"Player {seat}") for seat in range(SEATS)])
                at = await table(sound, people)
                await play(at, caller, dice)
                for one in people:
                    items = await caller.to_the_end((at.path, one.token))
                    assert items == await audit.history(sound, at, one.token)
                await audit.check_told(sound, at)
                await check_acted_once(sound, at)
                assert caller.sockets_lost > 0
                await caller.leave()
                caller.close()
                sound.close()


async def a_match(url: str, line: str, dice: Random) -> int:
    """Play and watch a match over a bad line, and check it over a good one; requests cut off."""
    caller, sound = Caller([line], dice), Caller([url], dice)
    try:
        people = tuple([await person(caller, f"Player {seat}") for seat in range(SEATS)])
        at = await table(caller, people)
        tokens = (None, *(one.token for one in people))
        watches = [Watch([line], at.match_id, token, dice) for token in tokens]
        for watch in watches:
            watch.start()
        await play(at, caller, dice)
        received = [await watch.ended(60) for watch in watches]

        for token, items in zip(tokens, received, strict=True):
            assert items == await audit.history(sound, at, token)
        assert max(watch.connections for watch in watches) > 1
        await audit.check_told(sound, at)
        await check_acted_once(sound, at)
    finally:
        caller.close()
        sound.close()
    return caller.lost


async def check_acted_once(caller: Caller, at: Table) -> None:
    """The history has a command for each that was answered, and no other."""
    items = await audit.history(caller, at, None)
    commands = [item for item in items if item.get("command_id")]
    assert len({item["command_id"] for item in commands}) == len(commands)
    kinds = Counter(item["actor"].partition(":")[0] for item in commands)
    assert kinds == {"seat": at.acknowledged + SETTING_UP}
