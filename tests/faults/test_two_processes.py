"""Two processes on the same servers are one service, however clients choose between them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from service.cli.demo.wire import Answer, NewMatch, read
from tests.faults import audit
from tests.faults.caller import Caller
from tests.faults.processes import processes
from tests.faults.tables import person, play, tables
from tests.faults.watching import Watch

pytestmark = [pytest.mark.anyio, pytest.mark.servers, pytest.mark.slow]

SEATS = 3
SETTING_UP = 1 + (SEATS - 1) + 1
"""Commands before play: the creation, the others who join, the start."""
MATCHES, RIVALS = 5, 3
"""At each match so many clients play at once, all for all seats."""


async def test_matches_are_played_and_watched_at_both_at_once(
    settings: dict[str, str], tmp_path: Path
) -> None:
    async with processes(settings, tmp_path, 2) as both:
        urls = [process.url for process in both]
        callers = [Caller(urls, Random(seed)) for seed in range(MATCHES * RIVALS)]
        playing = await tables(callers[0], MATCHES)
        watching = []
        for at in playing:
            for token in (None, at.people[0].token, at.people[2].token):
                for url in urls:
                    watching.append((at, token, Watch([url], at.match_id, token)))
                    watching[-1][2].start()

        await asyncio.gather(
            *(
                play(playing[number % MATCHES], caller, Random(number))
                for number, caller in enumerate(callers)
            )
        )

        log = await audit.check_log(settings["TALON_DATABASE_URL"])
        for at, token, watch in watching:
            assert await watch.ended() == await audit.history(callers[0], at, token)
            assert watch.connections == 1
        for at in playing:
            await audit.check_told(callers[0], at)
            commands = audit.commands_of(log, at.match_id)
            assert commands["seat"] == at.acknowledged + SETTING_UP
        assert sum(at.doubled for at in playing) > 10
        await audit.check_standings(callers[0], settings["TALON_DATABASE_URL"])
    await audit.check_redis(settings)


async def test_a_seat_given_up_elsewhere_is_not_said_to_be_kept(
    settings: dict[str, str], tmp_path: Path
) -> None:
    async with processes(settings, tmp_path, 2) as both:
        here, there = (Caller([process.url], Random(1)) for process in both)
        ann, bob = await person(here), await person(here)
        made = await here.post("/v1/matches", {"seats": 2}, token=ann.token)
        path = f"/v1/matches/{read(made, NewMatch, 'a match').match_id}/seats"
        await here.post(path, {}, token=bob.token)
        left = await there.delete(f"{path}/me", token=bob.token)

        again = await here.post(path, {}, token=bob.token)

        assert left.status == 200, left.body
        assert again.status == 200, again.body
        joined = read(again, Answer, "joining again")
        assert [item.type for item in joined.events] == ["player_joined"]
        await audit.check_log(settings["TALON_DATABASE_URL"])
