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

    async def finished(self, *persons: Client, **more: Any) -> str:
        """A match that these persons have played to its end: their first legal command each."""
        match = await self.running(*persons, **({"rules": {"target": 50}} | more))
        await play_on(match, persons)
        return match


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
