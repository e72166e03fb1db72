"""A public and a private match in the same state, and a caller of every kind."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from service.identity import Kind
from service.openapi import operations
from service.openapi_examples import REQUESTS
from tests.access.declared import ASKED, PARAMETERS, SENT
from tests.service.support import Client, House, house

DOCUMENTED = {described["operationId"]: (path, method) for path, method, described in operations()}
AT_A_PUBLIC_MATCH = ("spectator", "none")
BEYOND = 999_999
PARTNERS = {"form": "teams", "target": 50}


class World:
    """Callers by role, and matches by whether they are private."""

    def __init__(self, talon: House, state: str) -> None:
        self.talon = talon
        self.state = state
        self.callers: dict[str, Client] = {}
        self.matches: dict[bool, str] = {}
        self.versions: dict[bool, int] = {}
        self.tournaments: dict[bool, str] = {}
        self.tournament_invite = ""

    async def prepare(self) -> None:
        """Four people at two tables of an app, and others who are not there."""
        talon = self.talon
        app = await talon.holder(Kind.APP)
        hosting = (await app.post("/v1/players", {"name": "Host"})).json()["player_id"]
        host = Client(talon.http, app.token, **{"Talon-Player": hosting})
        seat, partner, last = [await talon.person(name) for name in ("Seat", "Partner", "Last")]
        seated = (seat, partner) if self.state == "open" else (seat, last, partner)
        await self._table("public", host, *seated)
        invite = await self._table("private", host, *seated)
        self.tournament_invite = await self._tournaments(host, seat, partner)
        if self.state == "finished":
            for private, match in self.matches.items():
                assert (await last.command(match, {"type": "leave"})).status_code == 200
                view = await seat.view(match)
                assert view["status"] == "finished"
                self.versions[private] = view["version"]
        self.callers = {
            "host": host,
            "seat": seat,
            "partner": partner,
            "spectator": await talon.person("Spectator"),
            "stranger": await talon.person("Stranger"),
            "invited": Client(talon.http, None, **{"Talon-Invite": invite}),
            "app": app,
            "other_app": await talon.holder(Kind.APP),
            "auditor": await talon.holder(Kind.AUDITOR),
            "operator": await talon.holder(Kind.OPERATOR),
            "none": talon.stranger,
            "outsider": talon.stranger,
        }

    async def ask(self, line: str, role: str) -> Any:
        """What a caller of this role is answered to what a line of the matrix is about."""
        operation = line.partition(" ")[0]
        path, method = DOCUMENTED[operation]
        private = role not in AT_A_PUBLIC_MATCH
        known = {
            **PARAMETERS,
            "match_id": self.matches[private],
            "tournament_id": self.tournaments[private],
            "player_id": self.callers["seat"].id,
        }
        path = re.sub(r"{(\w+)}", lambda found: known[found[1]], path)
        path += ASKED.get(line, "").format(
            version=self.versions.get(private, BEYOND), player=known["player_id"]
        )
        first = next(iter(REQUESTS.get(operation, {}).values()), None)
        caller = self.callers[role]
        if role == "invited" and "/tournaments/" in path:
            caller = Client(self.talon.http, None, **{"Talon-Invite": self.tournament_invite})
        return await caller.call(method.upper(), path, SENT.get(line, first))

    async def _tournaments(self, host: Client, *persons: Client) -> str:
        """Set up a public and a private tournament, and have these persons enter both."""
        invite = ""
        for visibility in ("public", "private"):
            body = {"format": "knockout", "visibility": visibility}
            made = (await host.post("/v1/tournaments", body)).json()
            id, invite = made["tournament"]["tournament_id"], made.get("invite", "")
            self.tournaments[visibility == "private"] = id
            for person in persons:
                entered = await person.post(f"/v1/tournaments/{id}/entrants", {"invite": invite})
                assert entered.status_code == 200, entered.text
        return invite

    async def _table(self, visibility: str, host: Client, *persons: Client) -> str:
        """Set a table up in the state of this world; its invite, if it is private."""
        body = {"seats": 4, "visibility": visibility, "rules": PARTNERS}
        made = (await host.post("/v1/matches", body)).json()
        match, invite = made["match_id"], made.get("invite")
        self.matches[visibility == "private"] = match
        for person in persons:
            joined = await person.post(f"/v1/matches/{match}/seats", {"invite": invite})
            assert joined.status_code == 200, joined.text
        if self.state != "open":
            assert (await host.post(f"/v1/matches/{match}/start")).status_code == 200
        return invite or ""


@asynccontextmanager
async def world(state: str) -> AsyncIterator[World]:
    """A world of its own, open for a while."""
    async with house() as talon:
        made = World(talon, state)
        await made.prepare()
        yield made
