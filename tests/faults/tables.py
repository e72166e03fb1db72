"""Tables at which people play over HTTP, sensibly and by the book, from several connections."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import Struct, field

from service.cli.demo import choices
from service.cli.demo.testimony import Testimony
from service.cli.demo.wire import Answer, NewMatch, NewPlayer, View, read
from tests.faults.caller import Caller, is_replay

SPEAK = 0.5
"""How often somebody who may call or catch UNO does so before anything else is done."""
TWICE = 0.2
"""How often a command is sent to every process at once under one key."""


class Table(Struct):
    """A match, the people at it by seat, and what they were told."""

    match_id: str
    people: tuple[NewPlayer, ...]
    testimony: Testimony = field(default_factory=Testimony)
    version: int = 0
    """The newest version that anybody was told: nobody looks further back."""
    acknowledged: int = 0
    """Commands that were answered with 200."""
    doubled: int = 0
    """Commands that several processes were sent at once and answered alike."""
    claimed: int = 0
    """Those of which more than one process said that it was the first. Only where the outcome of
    an append had to be looked up: whose it was cannot be told."""

    @property
    def path(self) -> str:
        """Where the match is."""
        return f"/v1/matches/{self.match_id}"


async def person(caller: Caller, name: str = "Ann") -> NewPlayer:
    """Somebody new."""
    return read(await caller.post("/v1/players", {"name": name}), NewPlayer, "a player")


async def table(
    caller: Caller, people: tuple[NewPlayer, ...], target: int = 50, **rules: object
) -> Table:
    """A running match of these people."""
    body = {"seats": len(people), "rules": {"target": target, **rules}}
    made = await caller.post("/v1/matches", body, token=people[0].token)
    found = Table(read(made, NewMatch, "a match").match_id, people)
    for other in people[1:]:
        joined = await caller.post(f"{found.path}/seats", {}, token=other.token)
        assert joined.status == 200, joined.body
    started = await caller.post(f"{found.path}/start", token=people[0].token)
    found.version = read(started, Answer, "a start").version
    return found


async def tables(caller: Caller, count: int, seats: int = 3, target: int = 50) -> list[Table]:
    """So many running matches of the same people."""
    people = tuple([await person(caller, f"Player {seat}") for seat in range(seats)])
    return [await table(caller, people, target) for _ in range(count)]


async def look(at: Table, caller: Caller, seat: int | None) -> View:
    """What a seat sees, or a spectator."""
    token, known = None if seat is None else at.people[seat].token, at.version
    response = await caller.get(f"{at.path}/view?min_version={known}", token=token)
    view = read(response, View, "a view")
    assert view.version >= known
    at.testimony.saw(view)
    return view


async def play(
    at: Table,
    caller: Caller,
    dice: Random,
    is_enough: Callable[[], bool] = lambda: False,
    pause: float = 0.0,
) -> None:
    """Play until the match is over or it is enough.

    Others may play at the same table meanwhile: what the rules refuse because they were faster
    is looked at anew.
    """
    seat = 0
    while not is_enough():
        view = await look(at, caller, seat)
        if view.status != "running":
            return
        turn = view.pending.seat
        if turn is None or turn >= len(at.people):
            await asyncio.sleep(0.02)
        elif (command := _wish(view, seat, dice)) is not None:
            await send(at, caller, seat, command, dice)
            await asyncio.sleep(pause)
        seat = turn if turn is not None and turn < len(at.people) else seat


def _wish(view: View, seat: int, dice: Random) -> dict[str, Any] | None:
    """A command for this seat, None if it has nothing to do now."""
    spoken = [one for one in view.legal if one["type"] in ("call_uno", "catch_uno")]
    if spoken and dice.random() < SPEAK:
        return dice.choice(spoken)
    if view.pending.seat != seat:
        return None
    try:
        return choices.choose(view, dice)
    except LookupError:
        return None


async def send(at: Table, caller: Caller, seat: int, command: dict[str, Any], dice: Random) -> None:
    """Send a command, now and then to every process at once, and keep what was answered."""
    path, token, key = f"{at.path}/commands", at.people[seat].token, str(uuid.uuid4())
    if dice.random() < TWICE:
        answers = await caller.at_each(path, command, token=token, key=key)
    else:
        answers = [await caller.post(path, command, token=token, key=key)]
    accepted = [answer for answer in answers if answer.status == 200]
    refused = [answer for answer in answers if answer.status != 200]
    assert all(answer.status == 409 for answer in refused), [one.body for one in refused]
    if accepted:
        assert len({answer.body for answer in accepted}) == 1, [one.body for one in accepted]
        at.acknowledged += 1
        at.doubled += len(accepted) > 1
        at.claimed += sum(not is_replay(answer) for answer in accepted) > 1
        answer = read(accepted[0], Answer, "a command")
        at.version = max(at.version, answer.version)
        at.testimony.was_answered(seat, command, answer)
