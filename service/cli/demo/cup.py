"""A tournament of the demonstration: some play over HTTP, bots of the service the others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec import Struct

from service.cli.demo import choices
from service.cli.demo.client import Client
from service.cli.demo.table import Progress
from service.cli.demo.wire import (
    PAGE,
    DemoError,
    Item,
    NewPlayer,
    Page,
    View,
    get,
    post,
    read,
)

FORMATS: Final = {"rotating_partners_4": 4, "pairs_8": 8, "knockout": 8, "swiss": 8}
"""How each is played, and by how many if nobody says otherwise."""
FIXED: Final = ("rotating_partners_4", "pairs_8")
LOOK_SECONDS: Final = 0.1
QUIET_SECONDS: Final = 300
"""Without a word from the tournament for so long, something is wrong."""
_LEVELS: Final = ("steady", "random")


class TableSeen(Struct, frozen=True):
    """A table as the schedule shows it."""

    table: int
    status: str
    entrants: tuple[int, ...]
    seats: tuple[int, ...]
    match_id: str | None
    scores: tuple[int, ...]
    places: tuple[int, ...]


class RoundSeen(Struct, frozen=True):
    """A round of the schedule."""

    round: int
    tables: tuple[TableSeen, ...]
    byes: tuple[int, ...]


class ScheduleSeen(Struct, frozen=True):
    """The schedule."""

    version: int
    status: str
    rounds: tuple[RoundSeen, ...]


class EntrantSeen(Struct, frozen=True):
    """Who stands on a line."""

    entrant: int


class StandingSeen(Struct, frozen=True):
    """A line of the standings."""

    place: int
    points: int
    tie_breaks: tuple[int, ...]
    entrant: EntrantSeen


class StandingsSeen(Struct, frozen=True):
    """The standings."""

    version: int
    status: str
    items: tuple[StandingSeen, ...]


class _Tournament(Struct, frozen=True):
    tournament_id: str


class _Made(Struct, frozen=True):
    tournament: _Tournament


class Cup:
    """One tournament; ``people`` are entrants who play over HTTP, from number 0 on."""

    def __init__(self, url: str, dice: Random, progress: Progress) -> None:
        self._url = url
        self._client = Client(url)
        self._dice = dice
        self._progress = progress
        self._people: list[NewPlayer] = []
        self._playing: dict[str, asyncio.Task[None]] = {}
        self.tournament_id = ""
        self.commands = 0

    async def set_up(self, format: str, entrants: int, people: int, target: int) -> None:
        """Register the people, set the tournament up, have everybody enter, start it."""
        for number in range(max(1, people)):
            answer = await post(self._client, "/v1/players", {"name": f"Player {number + 1}"})
            self._people.append(read(answer, NewPlayer, "registering a player"))
        body = {"format": format, "rules": {"target": target}, "tags": ["demo"]}
        organizer = self._people[0]
        answer = await post(self._client, "/v1/tournaments", body, organizer.token)
        made = read(answer, _Made, "setting up the tournament")
        self.tournament_id = made.tournament.tournament_id
        del self._people[people:]
        for person in self._people:
            answer = await post(self._client, f"{self.path}/entrants", {}, person.token)
            read(answer, dict, "entering the tournament")
        for number in range(entrants - people):
            bot = {"level": _LEVELS[number % len(_LEVELS)]}
            answer = await post(self._client, f"{self.path}/bots", bot, organizer.token)
            read(answer, dict, "entering a bot")
        answer = await post(self._client, f"{self.path}/start", {}, organizer.token)
        read(answer, dict, "starting the tournament")

    async def play(self) -> ScheduleSeen:
        """Let it be played to its end, the people's own tables too; the last schedule."""
        told, quiet_since, loop = 0, 0.0, asyncio.get_running_loop()
        known = -1
        try:
            while True:
                seen = await self.schedule()
                if seen.version != known:
                    known, quiet_since = seen.version, loop.time()
                over = [one for one in seen.rounds if all(t.status == "over" for t in one.tables)]
                for round in over[told:]:
                    self._progress(_line_of(round))
                told = len(over)
                if seen.status != "running":
                    return seen
                if loop.time() - quiet_since > QUIET_SECONDS and not self._playing:
                    raise DemoError(f"nothing has happened for {QUIET_SECONDS} s")
                self._sit_down(seen.rounds[-1])
                await self._rest()
        finally:
            for task in self._playing.values():
                task.cancel()
            await asyncio.gather(*self._playing.values(), return_exceptions=True)

    async def schedule(self) -> ScheduleSeen:
        """Who meets whom, as everybody sees it."""
        path = f"{self.path}/schedule"
        return await get(self._client, path, None, ScheduleSeen, "reading the schedule")

    async def standings(self) -> StandingsSeen:
        """Where everybody stands, as everybody sees it."""
        path = f"{self.path}/standings"
        return await get(self._client, path, None, StandingsSeen, "reading the standings")

    async def history(self) -> tuple[Item, ...]:
        """The whole history of the tournament with its stored bytes."""
        items: list[Item] = []
        path = f"{self.path}/events?format=stored&limit={PAGE}"
        while True:
            after = items[-1].version if items else 0
            page = await get(self._client, f"{path}&after={after}", None, Page, "reading events")
            items += page.items
            if not page.items or page.next is None:
                return tuple(items)

    async def record(self, match_id: str) -> bytes:
        """The record of a table's match."""
        answer = await self._client.request("GET", f"/v1/matches/{match_id}/record")
        if answer.status != 200:
            raise DemoError(f"the record of match {match_id}: status {answer.status}")
        return answer.body

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    @property
    def path(self) -> str:
        """Where the tournament is."""
        return f"/v1/tournaments/{self.tournament_id}"

    def _sit_down(self, round: RoundSeen) -> None:
        """Have the people play at those of their tables that have opened."""
        for table in round.tables:
            match, people = table.match_id, len(self._people)
            mine = {seat: one for seat, one in enumerate(table.seats) if one < people}
            is_open = table.status == "playing" and match not in self._playing
            if match is not None and is_open and mine:
                persons = {seat: self._people[one] for seat, one in mine.items()}
                self._playing[match] = asyncio.create_task(self._play_at(match, persons))

    async def _rest(self) -> None:
        """Wait a little, and see whether somebody came to harm at a table."""
        await asyncio.sleep(LOOK_SECONDS)
        for match, task in list(self._playing.items()):
            if task.done():
                del self._playing[match]
                task.result()

    async def _play_at(self, match: str, persons: dict[int, NewPlayer]) -> None:
        """Play for some seats of a match until it is over, each by what it sees itself."""
        client, path = Client(self._url), f"/v1/matches/{match}"
        first = next(iter(persons))
        try:
            while True:
                seat = first
                view = await _view(client, path, persons[seat])
                if view is None:  # a table has its match's name a moment before the match is there
                    await asyncio.sleep(LOOK_SECONDS)
                    continue
                if view.status not in ("open", "running"):
                    return
                if view.pending.seat in persons and view.pending.seat is not None:
                    seat = view.pending.seat
                    view = await _view(client, path, persons[seat], view.version)
                if view is None or view.pending.seat != seat or not view.legal:
                    await asyncio.sleep(LOOK_SECONDS / 5)
                    continue
                command = choices.choose(view, self._dice)
                answer = await post(client, f"{path}/commands", command, persons[seat].token)
                if answer.status not in (200, 409):  # a bot may have been faster, by catching
                    read(answer, dict, f"{command}")
                self.commands += answer.status == 200
        finally:
            client.close()


async def _view(client: Client, path: str, person: NewPlayer, version: int = 0) -> View | None:
    """What a person sees of their match; None if it is not there yet."""
    query = f"?min_version={version}" if version else ""
    answer = await client.request("GET", f"{path}/view{query}", token=person.token)
    return None if answer.status == 404 else read(answer, View, "reading a view")


def _line_of(round: RoundSeen) -> str:
    """A round on one line."""
    tables = "  ".join(_table(one.entrants, one.scores) for one in round.tables[:4])
    more = f"  and {len(round.tables) - 4} more" if len(round.tables) > 4 else ""
    byes = f"  byes {list(round.byes)}" if round.byes else ""
    return f"round {round.round:>2}  {tables}{more}{byes}"


def _table(entrants: Sequence[int], scores: Sequence[int]) -> str:
    return f"{'-'.join(map(str, entrants))} {':'.join(map(str, scores))}"
