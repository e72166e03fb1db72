"""One request of every kind that changes something, each where it is allowed and not yet sent."""

from __future__ import annotations

import uuid
from collections import Counter
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from service.cli.demo import choices
from service.cli.demo.client import Response
from service.cli.demo.wire import Answer, NewMatch, NewPlayer, read
from tests.faults.caller import Caller
from tests.faults.tables import Table, look, person, table

OPENINGS_MAX = 500
"""Matches set up at most until one opens with a wild: one in 26 does."""
STEPS_MAX = 400
"""Moves looked at most at one table."""
LONG = 2_000
REASON = "named_a_card"


CREATE = frozenset(
    [
        *("player", "token", "match", "ticket", "position", "key"),
        *("queue", "fork", "rematch", "webhook", "secret", "tournament"),
    ]
)
"""Those that are answered with 201."""


class Post(Struct, frozen=True):
    """A request, with a key of its own."""

    name: str
    path: str
    body: object
    token: str | None
    key: str
    match_id: str | None = None


def post(
    name: str, path: str, body: object, token: str | None = None, at: Table | None = None
) -> Post:
    """A request under a new key."""
    return Post(name, path, body, token, str(uuid.uuid4()), None if at is None else at.match_id)


def written(post: Post, answer: Response) -> Counter[str]:
    """The rows that a POST leaves that was carried out once."""
    found = {
        "player": {"player": 1, "token": 1},
        "token": {"token": 1},
        "match": {"stream_head": 1, "match_facts": 1, "match_seat": 1},
        "join": {"match_seat": 1},
    }
    rows = Counter(found.get(post.name, {}))
    if post.name not in ("player", "token", "ticket"):
        receipt = msgspec.json.decode(answer.body)["receipt"]
        rows["event"] = receipt["version"] - receipt["from_version"]
    return rows


async def every_post(caller: Caller, dice: Random) -> list[Post]:
    """Every kind of POST."""
    return [*await settings_up(caller), *await commands(caller, dice)]


async def settings_up(caller: Caller) -> list[Post]:
    """The POSTs that are no commands of players."""
    ann, bob = await person(caller, "Ann"), await person(caller, "Bob")
    return [
        post("player", "/v1/players", {"name": "Cat"}),
        post("token", "/v1/players/me/tokens", {}, ann.token),
        post(
            "match",
            "/v1/matches",
            {"seats": 4, "visibility": "private", "bots": ["random", "steady"]},
            ann.token,
        ),
        await ticket(caller, ann),
        await join(caller, ann, bob),
        await seat_bot(caller, ann),
        await start(caller, ann, bob),
    ]


async def ticket(caller: Caller, host: NewPlayer) -> Post:
    """A ticket for one's own table."""
    at = await _open(caller, host)
    return post("ticket", "/v1/tickets", {"match_id": at.match_id}, host.token)


async def join(caller: Caller, host: NewPlayer, guest: NewPlayer) -> Post:
    """A seat to take at a table of another's."""
    at = await _open(caller, host)
    return post("join", f"{at.path}/seats", {}, guest.token, at)


async def seat_bot(caller: Caller, host: NewPlayer) -> Post:
    """A bot to seat at one's own table."""
    at = await _open(caller, host)
    return post("bots", f"{at.path}/bots", {"level": "steady"}, host.token, at)


async def start(caller: Caller, host: NewPlayer, guest: NewPlayer) -> Post:
    """A match to start."""
    at = await _open(caller, host)
    await caller.post(f"{at.path}/seats", {}, token=guest.token)
    return post("start", f"{at.path}/start", None, host.token, at)


async def commands(caller: Caller, dice: Random) -> list[Post]:
    """Every command of a player, each in a match of its own."""
    people = await person(caller, "Ann"), await person(caller, "Bob"), await person(caller, "Cat")
    found = [await _opening_wild(caller, people)]
    missing = {"play_card", "draw_card", "pass_turn", "accept_penalty", "challenge"}
    missing |= {"call_uno", "catch_uno"}
    while missing:
        at = await table(caller, people, LONG)
        found.append(await _played_to_one_of(missing, at, caller, dice))
        missing.discard(found[-1].name)
    at = await table(caller, people, LONG, enforcement="table", uno_grace=10)
    found.append(await _played_to_one_of({"call_out"}, at, caller, dice))
    at = await table(caller, people, LONG)
    found.append(_command(at, 0, {"type": "penalize_advice", "seat": 1, "reason": REASON}))
    at = await table(caller, people, LONG)
    found.append(_command(at, 1, {"type": "add_seed", "round": 2, "client_seed": "YQ"}))
    at = await table(caller, people, LONG)
    found.append(_command(at, 1, {"type": "leave"}))
    return [*found, await _return(caller, people)]


async def _open(caller: Caller, host: NewPlayer) -> Table:
    """An open table for two with a free seat."""
    made = await caller.post("/v1/matches", {"seats": 2}, token=host.token)
    return Table(read(made, NewMatch, "a match").match_id, (host,))


async def _opening_wild(caller: Caller, people: tuple[NewPlayer, ...]) -> Post:
    """The choice of a color for a wild that was turned up first (FIRST-4)."""
    for _ in range(OPENINGS_MAX):
        at = await table(caller, people[:2], LONG)
        view = await look(at, caller, 0)
        if view.pending.kind == "color":
            assert view.pending.seat is not None
            return _command(at, view.pending.seat, {"type": "choose_color", "color": "blue"})
    raise AssertionError("no match opened with a wild")


async def _return(caller: Caller, people: tuple[NewPlayer, ...]) -> Post:
    """A seat to take back from a bot, which has nothing to do: it is another's turn."""
    at = await table(caller, people, LONG, on_leave="bot")
    turn = (await look(at, caller, 0)).pending.seat
    assert turn is not None
    seat = (turn + 1) % len(people)
    await _move(at, caller, seat, {"type": "leave"})
    return _command(at, seat, {"type": "return"})


async def _played_to_one_of(names: set[str], at: Table, caller: Caller, dice: Random) -> Post:
    """Play until a command of one of these names may be sent, and leave it there."""
    people = at.people
    for _ in range(STEPS_MAX):
        views = [await look(at, caller, seat) for seat in range(len(people))]
        for seat, view in enumerate(views):
            for body in view.legal:
                if body["type"] in names:
                    return _command(at, seat, _colored(body))
        turn = views[0].pending.seat
        assert turn is not None
        await _move(at, caller, turn, choices.choose(views[turn], dice))
    raise AssertionError(f"none of {names} in {STEPS_MAX} moves")


async def _move(at: Table, caller: Caller, seat: int, body: dict[str, Any]) -> None:
    sent = await caller.post(f"{at.path}/commands", body, token=at.people[seat].token)
    at.version = read(sent, Answer, "a move").version


def _colored(body: dict[str, Any]) -> dict[str, Any]:
    """A legal command as it is sent: a wild is listed without its color."""
    return body | ({"color": "red"} if body.get("card") in ("W", "W4") else {})


def _command(at: Table, seat: int, body: dict[str, Any]) -> Post:
    return post(body["type"], f"{at.path}/commands", body, at.people[seat].token, at)
