"""Tournaments of bots whose process is killed at random moments: nothing is lost, nothing twice,
and each ends as one that nobody disturbed.

    TALON_TEST_TOURNAMENT_KILLS=20 ./talon test tests/faults/test_tournaments.py
    TALON_TEST_TOURNAMENT=knockout:64 TALON_TEST_TOURNAMENT_KILLS=20 ./talon test …
"""

from __future__ import annotations

import asyncio
import base64
import os
import sys
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec import Struct

from domain.ports import Recorded
from domain.tournaments.events import TableEnded, TableOpened
from domain.tournaments.tournament import Tournament
from service.cli.demo.cup import ScheduleSeen, StandingsSeen
from service.cli.demo.evidence import record_of
from service.cli.demo.verify_cup import decode, verify_cup
from service.cli.demo.wire import PAGE, Item, Page
from service.identity import Kind
from service.tournaments.tables import Place
from tests.faults import audit
from tests.faults.caller import Caller
from tests.faults.foreseeable import entropy
from tests.faults.on_their_own import an_app
from tests.faults.processes import Process, processes
from tests.service.support import QUICK, house
from tests.service.tournaments import Held

pytestmark = [pytest.mark.anyio, pytest.mark.servers, pytest.mark.slow]

KILLS = int(os.environ.get("TALON_TEST_TOURNAMENT_KILLS", "3"))
SEED = int(os.environ.get("TALON_TEST_TOURNAMENT_SEED", "1"))
PAUSE_SECONDS = (0.0, 5.0)
"""How long a process lives, from when it is ready."""
CHOSEN = os.environ.get("TALON_TEST_TOURNAMENT")
"""The format of all tournaments and how many enter, as ``swiss:64``; none: some small ones."""
OVER_SECONDS = 1_200 if CHOSEN else 180
"""From the last kill on."""
LEVELS = ("steady", "random", "sharp")
CUPS: Sequence[tuple[str, int, dict[str, object]]] = (
    ("knockout", 8, {"rules": {"target": 50}}),
    ("swiss", 5, {"rules": {"target": 50}}),
    ("rotating_partners_4", 4, {"rules": {"rounds_per_pairing": 1}}),
)
"""Formats, how many enter, and what else is asked for."""
SHORT: Mapping[str, dict[str, object]] = {
    "knockout": {"rules": {"target": 50}},
    "swiss": {"rules": {"target": 50}},
}


class Foreseeable(Process):
    """A service in one process, whose deals and bots can be foreseen."""

    def command(self, port: str) -> Sequence[str]:
        return [sys.executable, "-m", "tests.faults.foreseeable", port]


class Cup(Struct):
    """A tournament as it was set up, and what is left of it."""

    id: str
    body: dict[str, object]
    items: tuple[Item, ...] = ()

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.id}"


async def test_a_tournament_ends_as_one_that_nobody_disturbed(
    settings: dict[str, str], tmp_path: Path
) -> None:
    app, dice = await an_app(settings), Random(SEED)
    settings |= {
        "TALON_SIGNING_KEY": base64.b64encode(bytes(range(32))).decode(),
        "TALON_BOT_MOVE_MS": "15",
        "TALON_BOT_CATCH_MS": "30",
    }
    async with processes(settings, tmp_path, kind=Foreseeable) as (process,):
        caller, kills, cups = Caller([process.url], dice), 0, []
        while kills < KILLS:
            cup = await begun(caller, app, len(cups))
            cups.append(cup)
            watching = asyncio.create_task(over(caller, cup))
            while kills < KILLS and not watching.done():
                await asyncio.sleep(dice.uniform(*PAUSE_SECONDS))
                await process.kill()
                kills += 1
                process.start()
                await process.ready()
            async with asyncio.timeout(OVER_SECONDS):
                await watching
        for cup in cups:
            await check_held(caller, cup)
    await audit.check_log(settings["TALON_DATABASE_URL"])
    for cup in cups:
        await check_undisturbed(cup, await streams(settings["TALON_DATABASE_URL"], cup))


async def begun(caller: Caller, app: str, number: int) -> Cup:
    """A tournament of bots that has started."""
    format, entrants, more = CUPS[number % len(CUPS)]
    if CHOSEN:
        format, _, count = CHOSEN.partition(":")
        entrants, more = int(count), SHORT.get(format, {})
    bots = [LEVELS[one % len(LEVELS)] for one in range(entrants)]
    body = {"format": format, "bots": bots, **more}
    made = await caller.post("/v1/tournaments", body, token=app)
    assert made.status == 201, made.body
    cup = Cup(msgspec.json.decode(made.body)["tournament"]["tournament_id"], body)
    started = await caller.post(f"{cup.path}/start", token=app)
    assert started.status == 200, started.body
    return cup


async def over(caller: Caller, cup: Cup) -> None:
    """Wait until a tournament is over, whatever becomes of the process meanwhile."""
    while (await caller.get_json(cup.path))["status"] == "running":
        await asyncio.sleep(0.1)


async def check_held(caller: Caller, cup: Cup) -> None:
    """Every table was played once, every result counted once, and all histories hold."""
    path = f"{cup.path}/events?format=stored&limit={PAGE}"
    items: list[Item] = []
    while True:
        found = await caller.get(f"{path}&after={items[-1].version if items else 0}")
        page = msgspec.json.decode(found.body, type=Page)
        items += page.items
        if page.next is None:
            break
    cup.items = tuple(items)
    record = record_of(cup.id, cup.items)
    matches = {}
    for event in decode(record)[1]:
        if isinstance(event, TableEnded):
            match = uuid.UUID(event.match)
            matches[event.match] = (await caller.get(f"/v1/matches/{match}/record")).body
    schedule = (await caller.get(f"{cup.path}/schedule")).body
    standings = (await caller.get(f"{cup.path}/standings")).body
    report = verify_cup(
        record,
        matches,
        msgspec.json.decode(schedule, type=ScheduleSeen),
        msgspec.json.decode(standings, type=StandingsSeen),
    )
    assert report.agrees, report.text()


Histories = Mapping[bytes, list[bytes]]
"""What happened in each match: the data of its events."""


async def streams(database: str, cup: Cup) -> Histories:
    """The matches at the tables of a tournament, as stored."""
    found: dict[bytes, list[bytes]] = {}
    for event in opened(cup):
        rows = await audit.rows(
            database,
            "SELECT data FROM event WHERE stream_id = $1 ORDER BY version",
            uuid.UUID(event.match),
        )
        found[bytes.fromhex(event.match)] = [bytes(row["data"]) for row in rows]
    return found


def opened(cup: Cup) -> list[TableOpened]:
    events = decode(record_of(cup.id, cup.items))[1]
    return [event for event in events if isinstance(event, TableOpened)]


async def check_undisturbed(cup: Cup, disturbed: Histories) -> None:
    """The same tournament in one process that nobody kills, its matches under the same ids."""
    ids = {(one.round, one.table): bytes.fromhex(one.match) for one in opened(cup)}

    def names(tournament: Tournament, place: Place) -> bytes:
        return ids[place.round, place.number]

    async with house(QUICK, entropy=entropy, names=names) as talon:
        organizer = await talon.holder(Kind.APP)
        made = await organizer.post("/v1/tournaments", cup.body)
        held = Held(organizer, made.json(), OVER_SECONDS)
        await held.does("/start")
        await held.over()
        log = talon.services.log
        undisturbed = {match: data_of((await log.read(match)).events) for match in ids.values()}
        ended = (await held.look(f"/events?after={cup.items[-1].version - 1}"))["items"][-1]

    assert undisturbed == disturbed
    assert ended["type"] == cup.items[-1].type == "tournament_finished"
    assert ended["event"] == msgspec.json.decode(cup.items[-1].event)


def data_of(events: Sequence[Recorded]) -> list[bytes]:
    return [one.data for one in events]
