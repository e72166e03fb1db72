"""What else is posted: positions, what follows a match that is over, keys, tickets and webhooks."""

from __future__ import annotations

import msgspec

from service.cli.demo.wire import NewPlayer
from tests.faults.caller import Caller
from tests.faults.posts import LONG, Post, post
from tests.faults.tables import Table, person, table

POSITION = {
    "seats": [{"name": "Ann", "hand": ["B7", "R2"]}, {"name": "Bob", "hand": ["Y2", "Y3"]}],
    "top": "R7",
    "turn": 0,
}
"""It is the turn of a person, also in a fork: no bot moves meanwhile."""
HOOK = {"url": "https://example.com/talon", "types": ["match_ended"]}
"""No match of the app ends, so nothing is ever sent there."""


async def more_posts(caller: Caller, app: str) -> list[Post]:
    """The POSTs that are about no match that goes on."""
    return [
        post("position", "/v1/sandbox/matches", POSITION),
        post("key", "/v1/keys", {}, app),
        post("queue", "/v1/queue", {"seats": 2}, (await person(caller)).token),
        await _fork(caller),
        await _rematch(caller),
        post("webhook", "/v1/webhooks", HOOK, app),
        await _secret(caller, app),
    ]


async def _fork(caller: Caller) -> Post:
    """A position to go on from, of a match that is over."""
    placed = msgspec.json.decode((await caller.post("/v1/sandbox/matches", POSITION)).body)
    at, (ann, bob) = f"/v1/matches/{placed['match_id']}", placed["tokens"]
    left = await caller.post(f"{at}/commands", {"type": "leave"}, token=bob)
    assert left.status == 200, left.body
    return post("fork", f"{at}/forks", {"version": placed["version"]}, ann)


async def _rematch(caller: Caller) -> Post:
    """Another match of those who played one."""
    people: tuple[NewPlayer, ...] = (await person(caller, "Ann"), await person(caller, "Bob"))
    at: Table = await table(caller, people, LONG)
    left = await caller.post(f"{at.path}/commands", {"type": "leave"}, token=people[1].token)
    assert left.status == 200, left.body
    return post("rematch", f"{at.path}/rematch", None, people[0].token)


async def _secret(caller: Caller, app: str) -> Post:
    """A new secret for a webhook."""
    made = msgspec.json.decode((await caller.post("/v1/webhooks", HOOK, token=app)).body)
    return post("secret", f"/v1/webhooks/{made['webhook']['webhook_id']}/secret", None, app)
