"""Clients of the service in memory: persons who play, and strangers who look."""

from __future__ import annotations

import asyncio
import itertools
import json
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
from litestar import Litestar

from domain.ports import Principal
from service.app import build_in_memory
from service.identity import Kind, new_token, token_hash
from service.ids import new_id
from service.services import Services
from service.settings import Settings

QUICK = Settings(bot_move_ms=0, bot_catch_ms=0, heartbeat_seconds=1)
"""Bots that do not keep a test waiting."""


class Client:
    """Somebody who calls the service; ``token`` is None for a stranger."""

    def __init__(self, http: httpx.AsyncClient, token: str | None = None, **headers: str) -> None:
        self.http = http
        self.token = token
        self.headers = dict(headers)
        if token is not None:
            self.headers["Authorization"] = f"Bearer {token}"
        self.id = ""

    async def get(self, path: str, **headers: str) -> httpx.Response:
        return await self.http.get(path, headers=self.headers | _named(headers))

    async def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        sent = self.headers | _named(headers)
        if body is None:
            return await self.http.post(path, headers=sent)
        return await self.http.post(path, json=body, headers=sent)

    async def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        return await self.http.request(
            method, path, json=body, headers=self.headers | _named(headers)
        )

    async def command(self, match: str, body: Any, **headers: str) -> httpx.Response:
        return await self.post(f"/v1/matches/{match}/commands", body, **headers)

    async def view(self, match: str, min_version: int = 0) -> dict[str, Any]:
        answer = await self.get(f"/v1/matches/{match}/view?min_version={min_version}")
        assert answer.status_code == 200, answer.text
        seen: dict[str, Any] = answer.json()
        return seen

    async def history(self, match: str) -> list[dict[str, Any]]:
        answer = await self.get(f"/v1/matches/{match}/events", Accept="application/x-ndjson")
        assert answer.status_code == 200, answer.text
        return [json.loads(line) for line in answer.text.splitlines()]


class House:
    """The service under test, and whoever comes to it."""

    def __init__(self, app: Litestar, http: httpx.AsyncClient) -> None:
        self.app = app
        self.http = http
        self.stranger = Client(http)
        self._names = itertools.count(1)

    @property
    def services(self) -> Services:
        found: Services = self.app.state.services
        return found

    async def position(self) -> int:
        """The last position of the log."""
        play: Any = self.services.play
        position: int = await play.tables._log.position()
        return position

    async def caught_up(self) -> None:
        """Wait until lists and boards have come as far as the log."""
        boards: Any = self.services.boards
        async with asyncio.timeout(10):
            while (await boards.state()).position < await self.position():
                await asyncio.sleep(0.01)
            while (await self.services.tallies.state()).rated < await self.position():
                await asyncio.sleep(0.01)

    async def person(self, name: str | None = None) -> Client:
        """A new player with a token."""
        chosen = name or f"Player {next(self._names)}"
        made = (await self.stranger.post("/v1/players", {"name": chosen})).json()
        person = Client(self.http, made["token"])
        person.id = made["player_id"]
        return person

    async def holder(self, kind: Kind) -> Client:
        """A new holder of a token of another kind."""
        owner, token = new_id(), new_token()
        if kind is Kind.APP:
            await self.services.registry.add_app(owner, "An app")
        await self.services.registry.add_token(
            token_hash(token), Principal(kind, owner), self.services.now(), None
        )
        holder = Client(self.http, token)
        holder.id = owner.hex()
        return holder

    async def table(self, *persons: Client, **more: Any) -> str:
        """A match that these persons have joined, and that is not started."""
        made = await persons[0].post("/v1/matches", {"seats": max(2, len(persons))} | more)
        assert made.status_code == 201, made.text
        match: str = made.json()["match_id"]
        for person in persons[1:]:
            joined = await person.post(
                f"/v1/matches/{match}/seats", {"invite": made.json().get("invite")}
            )
            assert joined.status_code == 200, joined.text
        return match

    async def running(self, *persons: Client, **more: Any) -> str:
        """A match that these persons have begun to play: somebody is to play or draw."""
        match = await self.table(*persons, **more)
        started = await persons[0].post(f"/v1/matches/{match}/start")
        assert started.status_code == 200, started.text
        pending = started.json()["view"]["pending"]
        if pending["kind"] == "color" and pending["seat"] < len(persons):
            named = {"type": "choose_color", "color": "red"}
            assert (await persons[pending["seat"]].command(match, named)).status_code == 200
        return match

    async def placed(self, *hands: str, **more: Any) -> Placed:
        """A match that begins in a position; see ``position``."""
        made = await self.stranger.post("/v1/sandbox/matches", position(*hands, **more))
        assert made.status_code == 201, made.text
        persons = [Client(self.http, token) for token in made.json()["tokens"]]
        return Placed(made.json()["match_id"], persons, self.stranger)

    async def finished(self, *persons: Client, **more: Any) -> str:
        """A match that these persons have played to its end: their first legal command each."""
        match = await self.running(*persons, **({"rules": {"target": 50}} | more))
        await play_on(match, persons)
        return match


NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jim")


def position(
    *hands: str,
    top: str = "R7",
    turn: int = 0,
    scores: tuple[int, ...] = (),
    said_uno: tuple[int, ...] = (),
    **more: Any,
) -> dict[str, Any]:
    """A position as it is sent: hands by seat, all cards in notation (``"R5 YS W"``)."""
    seats = []
    for seat, hand in enumerate(hands):
        held = {"name": NAMES[seat], "hand": hand.split(), "said_uno": seat in said_uno}
        seats.append(held | ({"score": scores[seat]} if scores else {}))
    lists = {name: more.pop(name).split() for name in ("discard", "draw_pile") if name in more}
    return {"seats": seats, "top": top, "turn": turn, **lists, **more}


class Placed:
    """A match that began in a position, and who plays it, by seat."""

    def __init__(self, match: str, persons: list[Client], stranger: Client) -> None:
        self.match = match
        self.persons = persons
        self.stranger = stranger

    async def send(self, seat: int, type: str, /, **fields: Any) -> httpx.Response:
        """What a seat asks for, accepted or not."""
        return await self.persons[seat].command(self.match, {"type": type, **fields})

    async def does(self, seat: int, type: str, /, **fields: Any) -> dict[str, Any]:
        """What a seat does: its answer."""
        answer = await self.send(seat, type, **fields)
        assert answer.status_code == 200, answer.text
        done: dict[str, Any] = answer.json()
        return done

    async def plays(self, seat: int, card: str, /, **fields: Any) -> dict[str, Any]:
        """A seat lays a card: its answer."""
        return await self.does(seat, "play_card", card=card, **fields)

    async def refused(self, seat: int, code: str, type: str, /, **fields: Any) -> dict[str, Any]:
        """What a seat may not do, for this reason; nothing changes."""
        before = await self.table()
        answer = await self.send(seat, type, **fields)
        assert answer.status_code in (403, 409, 422), answer.text
        problem: dict[str, Any] = answer.json()
        assert problem["code"] == code, problem
        assert await self.table() == before
        return problem

    async def table(self) -> dict[str, Any]:
        """What everybody sees."""
        return await self.stranger.view(self.match)

    async def hand(self, seat: int) -> str:
        """What a seat holds, in notation, sorted."""
        view = await self.persons[seat].view(self.match)
        return " ".join(sorted(view["you"]["hand"]))

    async def counts(self) -> list[int]:
        """How many cards each seat holds."""
        return [seat["cards"] for seat in (await self.table())["seats"]]

    async def events(self, seat: int | None = None) -> list[dict[str, Any]]:
        """The history as a seat, or a stranger, may see it."""
        return await (self.stranger if seat is None else self.persons[seat]).history(self.match)


async def play_on(
    match: str, persons: tuple[Client, ...], each: Callable[[dict[str, Any]], None] | None = None
) -> dict[str, Any]:
    """Play to the end, in turn; the last answer. ``each`` is shown every answer."""
    seats = {(await person.view(match))["you"]["seat"]: person for person in persons}
    view = await persons[0].view(match)
    for _ in range(5_000):
        if view["status"] != "running":
            return view
        person = seats[view["pending"]["seat"]]
        mine = await person.view(match, view["version"])
        done = await person.command(match, choice(mine))
        assert done.status_code == 200, done.text
        if each is not None:
            each(done.json())
        view = done.json()["view"]
    raise AssertionError("the match goes on and on")


def choice(view: dict[str, Any]) -> dict[str, Any]:
    """The first thing this seat may do; a wild names red."""
    command: dict[str, Any] = dict(view["legal"][0])
    if command.get("card", "").startswith("W"):
        command["color"] = "red"
    return command


def on_turn(view: dict[str, Any], persons: tuple[Client, ...]) -> Client:
    """Whose turn it is, of persons in the order of their seats."""
    return persons[view["pending"]["seat"]]


def key() -> str:
    """A fresh idempotency key."""
    return str(uuid.uuid4())


@asynccontextmanager
async def house(settings: Settings = QUICK, **more: Any) -> AsyncIterator[House]:
    """The service in memory, open for the time of a test."""
    app = build_in_memory(settings, **more)
    async with app.lifespan():
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://talon") as http:
            yield House(app, http)


def _named(headers: dict[str, str]) -> dict[str, str]:
    """``If_Match`` as a keyword is the header ``If-Match``."""
    return {name.replace("_", "-"): value for name, value in headers.items()}
