"""A table of the demonstration: players who register, sit down and play a match over HTTP.

Everything they are told is kept as testimony, to be held against the history afterwards.
"""

from __future__ import annotations

import base64
import uuid
from collections.abc import Callable
from random import Random
from typing import Any

from service.cli.demo import choices
from service.cli.demo.client import Client, Response
from service.cli.demo.testimony import Testimony
from service.cli.demo.wire import (
    PAGE,
    Answer,
    DemoError,
    Item,
    NewMatch,
    NewPlayer,
    Page,
    View,
    get,
    post,
    read,
)

Progress = Callable[[str], None]


class Table:
    """One match and its players, all over one connection."""

    def __init__(self, client: Client, dice: Random, progress: Progress) -> None:
        self._client = client
        self._dice = dice
        self._progress = progress
        self._players: list[NewPlayer] = []
        """In the order of their seats."""
        self.match_id = ""
        self.rounds = 0
        self.testimony = Testimony()

    async def sit_down(self, seats: int, target: int) -> None:
        """Register the players, set the match up, take every seat, mix seeds and start."""
        for number in range(1, seats + 1):
            answer = await post(self._client, "/v1/players", {"name": f"Player {number}"})
            self._players.append(read(answer, NewPlayer, "registering a player"))
        body = {"seats": seats, "rules": {"target": target}, "tags": ["demo"]}
        host, others = self._players[0], self._players[1:]
        answer = await post(self._client, "/v1/matches", body, host.token)
        self.match_id = read(answer, NewMatch, "setting up the match").match_id
        for player in others:
            answer = await post(self._client, f"{self._path}/seats", {}, player.token)
            read(answer, dict, "joining the match")
        for seat in range(seats):
            await self._mix(await self.view(seat))
        answer = await post(self._client, f"{self._path}/start", {}, host.token)
        read(answer, dict, "starting the match")

    async def play(self) -> View:
        """Play until the match is over; the host's last view of it."""
        view = await self.view(0)
        while view.status == "running":
            seat = view.pending.seat
            if seat is None:
                raise DemoError(f"the match waits for nobody at version {view.version}")
            mine = await self.view(seat, view.version)
            command = choices.choose(mine, self._dice)
            answer = await self.send(seat, command)
            view = answer.view
            if choices.is_silent_uno(command, mine):
                view = await self._after_silence(seat, view)
            if self._dice.random() < choices.MIX_SEED / len(self._players):
                view = await self._mix(view)
        return await self.view(0, view.version)

    @property
    def _path(self) -> str:
        return f"/v1/matches/{self.match_id}"

    async def view(self, seat: int, min_version: int = 0) -> View:
        """What a seat sees, no older than a version."""
        path = f"{self._path}/view?min_version={min_version}"
        view = await get(self._client, path, self._players[seat].token, View, "reading a view")
        if view.version < min_version or view.you is None or view.you.seat != seat:
            raise DemoError(f"asked for seat {seat} from version {min_version}, got {view}")
        self.testimony.saw(view)
        return view

    async def send(self, seat: int, command: dict[str, Any]) -> Answer:
        """Send a command of a seat and keep all that the answer says; now and then twice."""
        path, key = f"{self._path}/commands", str(uuid.uuid4())
        token, doing = self._players[seat].token, f"seat {seat} {command}"
        first = await post(self._client, path, command, token, key)
        answer = read(first, Answer, doing)
        if answer.view.you is None or answer.view.you.seat != seat:
            raise DemoError(f"{doing}: the answer has another's view")
        self.testimony.was_answered(seat, command, answer)
        if self._dice.random() < choices.RESEND:
            self._hold_same(first, await post(self._client, path, command, token, key), doing)
        self._tell(answer.events)
        return answer

    def _hold_same(self, first: Response, again: Response, doing: str) -> None:
        """A command sent again under its key has the first answer."""
        if again.header("Idempotent-Replayed") != "true":
            raise DemoError(f"{doing}: sent again, the answer is not marked as a replay")
        if (again.status, again.body) != (first.status, first.body):
            raise DemoError(f"{doing}: sent again under its key, the answer differs")
        self.testimony.resent += 1

    async def _after_silence(self, author: int, view: View) -> View:
        """A second-to-last card lay without UNO: it is said late, or caught, or neither."""
        if view.status != "running":
            return view
        if self._dice.random() < choices.SAY_LATE:
            if {"type": "call_uno"} in view.legal:
                return (await self.send(author, {"type": "call_uno"})).view
            return view
        if self._dice.random() < choices.CATCH:
            others = [seat for seat in range(len(self._players)) if seat != author]
            catcher = self._dice.choice(others)
            catch = {"type": "catch_uno", "seat": author}
            if catch in (await self.view(catcher, view.version)).legal:
                return (await self.send(catcher, catch)).view
        return view

    async def _mix(self, view: View) -> View:
        """A player adds bytes to the coming deal, which the service has bound itself to."""
        if view.fairness is None or view.you is None or view.status not in ("open", "running"):
            return view
        seed = base64.urlsafe_b64encode(self._dice.randbytes(12)).decode().rstrip("=")
        command = {"type": "add_seed", "round": view.fairness.round, "client_seed": seed}
        return (await self.send(view.you.seat, command)).view

    async def history(self) -> tuple[Item, ...]:
        """The whole history of the match with its stored bytes, page by page."""
        items: list[Item] = []
        path = f"{self._path}/events?format=stored&limit={PAGE}"
        token = self._players[0].token
        while True:
            after = items[-1].version if items else 0
            page = await get(self._client, f"{path}&after={after}", token, Page, "reading events")
            items += page.items
            if not page.items or page.next is None:
                return tuple(items)

    def _tell(self, events: tuple[Item, ...]) -> None:
        """A line for each round that ended."""
        for item in events:
            if item.type == "round_ended":
                self.rounds += 1
                self._progress(self.testimony.line_of_round(item))
