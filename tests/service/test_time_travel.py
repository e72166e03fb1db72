"""A match reads for ever as it was told live: histories and views, byte for byte, to each viewer.

Random matches of any kind, from numbers; ``TALON_TRAVELS`` says how many.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.options import Options
from infra.clock import now_us
from service.identity import Kind
from tests.laws.kinds import kind_of
from tests.service.support import Client, House, house

pytestmark = pytest.mark.anyio

MATCHES = int(os.environ.get("TALON_TRAVELS", "6"))
COMMANDS = 50
"""Then an operator voids it: nothing that is compared depends on how a match ends."""
STEP = 200_000
"""Microseconds that pass whenever somebody asks for the time: nobody waits for a grace."""
LINES = {"Accept": "application/x-ndjson"}


@pytest.fixture
async def talon() -> AsyncIterator[House]:
    """The service with a clock that goes on by itself."""
    times = itertools.count(now_us(), STEP)
    async with house(now=lambda: next(times)) as opened:
        yield opened


class Told:
    """A match, who sees it, and what each of them was sent while it went on."""

    def __init__(self, match: str, viewers: dict[str, Client], seats: list[Client]) -> None:
        self.match = match
        self.viewers = viewers
        self.seats = seats
        self.views: dict[tuple[str, int], bytes] = {}
        self.streams: dict[str, asyncio.Task[Any]] = {}

    def listen(self) -> None:
        """Have every viewer follow the match from its first event on."""
        path = f"/v1/matches/{self.match}/events/stream"
        for name, viewer in self.viewers.items():
            self.streams[name] = asyncio.create_task(viewer.get(path, **LINES))

    async def look(self, version: int) -> None:
        """Have every viewer look at the match."""
        for name, viewer in self.viewers.items():
            seen = await viewer.get(f"/v1/matches/{self.match}/view?min_version={version}")
            assert seen.status_code == 200, seen.text
            self.views[name, seen.json()["version"]] = seen.content


def named(command: dict[str, Any], hand: list[str], dice: Random) -> dict[str, Any]:
    """A legal command with what a client adds: a wild's color, and perhaps UNO."""
    if command["type"] != "play_card":
        return command
    if command["card"].startswith("W"):
        command = command | {"color": dice.choice(("red", "yellow", "green", "blue"))}
    if len(hand) == 2 and dice.random() < 0.5:
        command = command | {"uno": True}
    return command


async def begun(talon: House, number: int) -> Told:
    """A table of any kind, at which bots sit as well as persons."""
    options, seats = kind_of(number)
    options = replace(options, uno_grace=min(options.uno_grace, 1), clock=None)
    dice = Random(f"travel {number}")
    persons = [
        await talon.person(f"Person {seat}") for seat in range(dice.randint(2, min(4, seats)))
    ]
    usual = msgspec.to_builtins(Options())
    chosen = msgspec.to_builtins(options).items()
    rules = {name: value for name, value in chosen if value != usual[name]}
    body = {"seats": seats, "rules": rules}
    made = await persons[0].post("/v1/matches", body)
    assert made.status_code == 201, made.text
    match = made.json()["match_id"]
    for person in persons[1:]:
        assert (await person.post(f"/v1/matches/{match}/seats")).status_code == 200
    viewers = {f"seat {seat}": person for seat, person in enumerate(persons)}
    viewers |= {"nobody": talon.stranger, "auditor": await talon.holder(Kind.AUDITOR)}
    told = Told(match, viewers, persons)
    told.listen()
    for _ in range(seats - len(persons)):
        seated = await persons[0].post(f"/v1/matches/{match}/bots", {"level": "random"})
        assert seated.status_code == 200, seated.text
    await told.look(1)
    started = await persons[0].post(f"/v1/matches/{match}/start")
    assert started.status_code == 200, started.text
    return told


async def played(talon: House, number: int) -> Told:
    """A match of any kind that is over, with all that was told of it."""
    told, dice = await begun(talon, number), Random(f"moves {number}")
    for _ in range(COMMANDS):
        view = await told.seats[0].view(told.match)
        await told.look(view["version"])
        if view["status"] != "running":
            break
        for person in dice.sample(told.seats, len(told.seats)):
            mine = await person.view(told.match)
            if legal := mine.get("legal"):
                chosen = named(dict(dice.choice(legal)), mine["you"]["hand"], dice)
                await person.command(told.match, chosen)  # a bot may have been faster
                break
        else:
            await asyncio.sleep(0)  # it is a bot's turn
    operator = await talon.holder(Kind.OPERATOR)
    await operator.post(f"/v1/matches/{told.match}/void")
    return told


@pytest.mark.parametrize("number", range(MATCHES))
async def test_what_was_told_live_is_told_for_ever(talon: House, number: int) -> None:
    told = await played(talon, number)
    answers = {name: await stream for name, stream in told.streams.items()}

    compared = 0
    for name, viewer in told.viewers.items():
        kept = await viewer.get(f"/v1/matches/{told.match}/events", **LINES)
        *live, last = [line for line in answers[name].content.split(b"\n") if line]
        stored = kept.content.splitlines()
        assert b'"match_over"' in last
        # One that was over before the operator voided it ends for those who watch at its end.
        assert stored[: len(live)] == live and 0 <= len(stored) - len(live) <= 1 < len(live)
        for (whose, version), content in told.views.items():
            if whose == name:
                then = await viewer.get(f"/v1/matches/{told.match}/view?at={version}")
                assert then.content == content, (name, version)
                compared += 1
    assert compared == len(told.views) > len(told.viewers)
