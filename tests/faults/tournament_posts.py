"""What is posted to tournaments, where it is allowed and not yet sent; and operators' rulings.

All tables wait for players who do not come, so that nothing goes on by itself meanwhile.
"""

from __future__ import annotations

import asyncio

import msgspec

from service.cli.demo.wire import NewPlayer
from tests.faults.caller import Caller
from tests.faults.posts import LONG, Post, post
from tests.faults.tables import person, table

CUP = {"format": "knockout", "arrival_seconds": 3_600}
WAIT_SECONDS = 30


async def tournament_posts(caller: Caller, operator: str) -> list[Post]:
    """Every POST to a tournament."""
    ann, bob = await person(caller, "Ann"), await person(caller, "Bob")
    token = ann.token
    opened = [await _cup(caller, ann) for _ in range(3)]
    full = await _cup(caller, ann, bob)
    running = [await _started(caller, ann, bob) for _ in range(3)]
    await _begun(caller, running[2], ann, bob)
    return [
        post("tournament", "/v1/tournaments", CUP | {"bots": ["random", "steady"]}, token),
        post("enter", f"{opened[0]}/entrants", {}, bob.token),
        post("enter bot", f"{opened[1]}/bots", {"level": "steady"}, token),
        post("cancel", f"{opened[2]}/cancel", {"reason": "too_few"}, token),
        post("start cup", f"{full}/start", None, token),
        post("arrival", f"{running[0]}/entrants/me/arrival", None, token),
        post("replacement", f"{running[1]}/entrants/1/replacement", {"bot": "steady"}, token),
        post("void table", f"{running[2]}/rounds/1/tables/0/void", {"reason": "fault"}, operator),
        await _void(caller, operator),
    ]


async def _void(caller: Caller, operator: str) -> Post:
    """A match to declare void."""
    at = await table(caller, (await person(caller), await person(caller)), LONG)
    return post("void", f"{at.path}/void", {"reason": "fault"}, operator)


async def _cup(caller: Caller, *people: NewPlayer) -> str:
    """An open tournament that these people have entered; the first one organizes it."""
    made = await caller.post("/v1/tournaments", CUP, token=people[0].token)
    assert made.status == 201, made.body
    path = f"/v1/tournaments/{msgspec.json.decode(made.body)['tournament']['tournament_id']}"
    for one in people:
        entered = await caller.post(f"{path}/entrants", {}, token=one.token)
        assert entered.status == 200, entered.body
    return path


async def _started(caller: Caller, *people: NewPlayer) -> str:
    path = await _cup(caller, *people)
    started = await caller.post(f"{path}/start", token=people[0].token)
    assert started.status == 200, started.body
    return path


async def _begun(caller: Caller, path: str, *people: NewPlayer) -> None:
    """Have the players come to the table, and wait until their match runs."""
    for one in people:
        came = await caller.post(f"{path}/entrants/me/arrival", token=one.token)
        assert came.status == 200, came.body
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            shown = msgspec.json.decode((await caller.get(f"{path}/schedule")).body)
            match = shown["rounds"][0]["tables"][0]["match_id"]
            running = (await caller.get("/v1/matches?status=running&limit=200")).body
            if match is not None and match.encode() in running:
                return
            await asyncio.sleep(0.05)
