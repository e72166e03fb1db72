"""What goes on in tournaments by itself: rounds are paired, tables opened, results told.

Every process does this; doing a thing twice is found again in the log, so that it does no harm.
A match that ends here wakes the tournament of its table; a look at all that run is the truth.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import suppress
from typing import Any, Final

from domain.commands import SERVICE, ActorKind
from domain.limits import IDLE_DAYS, PAGE_ITEMS
from domain.match import Match
from domain.ports import EventLog, Unavailable
from domain.refusals import RuleViolation
from domain.tournaments.commands import (
    AnyTournamentCommand,
    CancelTournament,
    CloseArrivals,
    FinishTournament,
    OpenTable,
    PairRound,
)
from domain.tournaments.due import due, openings
from domain.tournaments.events import TableEnded
from domain.tournaments.terms import CancelReason, Entrant, Format
from domain.tournaments.tournament import Table, Tournament, TournamentStatus
from service.ids import made_at, new_id
from service.play.background import Background
from service.play.command_ids import command_id
from service.play.contract import Busy, KeyReused, StaleVersion
from service.play.times import DAY
from service.recent import Recent
from service.tournaments.contract import Followed, NoTournament, TournamentAsk
from service.tournaments.handle import Tournaments
from service.tournaments.tables import Place, Tables

_log: Final = logging.getLogger("talon.tournaments")
LOOK_SECONDS: Final = 1.0
STRAYS_SECONDS: Final = 20.0
"""How often all that run are looked at, and all that are not over; half as much again at random,
so that processes take turns."""
FAILED_SECONDS: Final = 60.0
FAILED_MAX: Final = 1_000
"""How soon one that failed in an unforeseen way is tried again, and how many are remembered."""
AT_ONCE: Final = 8
"""Tables that are set up at the same time: half of the connections to the log."""
NewMatchId = Callable[[Tournament, Place], bytes]
"""Names the match of a table that is about to open."""


def new_match_id(tournament: Tournament, place: Place) -> bytes:
    """A new id: nothing about the table is told by it."""
    return new_id()


class Runner:
    """Takes tournaments on, step by step, until they wait for people or for matches."""

    def __init__(
        self,
        tournaments: Tournaments,
        tables: Tables,
        log: EventLog,
        names: NewMatchId = new_match_id,
    ) -> None:
        self._tournaments = tournaments
        self._tables = tables
        self._log = log
        self._names = names
        self._background = Background()
        self._seeing_to: dict[bytes, bool] = {}
        self._of_match: dict[bytes, bytes] = {}
        self._set_up: set[bytes] = set()
        self._seen_off: set[tuple[str | None, Entrant]] = set()
        self._failed: Recent[bytes, None] = Recent(FAILED_SECONDS, FAILED_MAX)
        tournaments.moved = self._moved

    def start(self) -> None:
        """Begin to look."""
        self._background.keep("tournaments that run", self._look)
        self._background.keep("tournaments that are not over", self._look_for_strays)

    async def stop(self) -> None:
        """Break off what is under way: another process, or this one later, goes on with it."""
        await self._background.stop()

    def match_moved(self, match: Match) -> None:
        """Go on with the tournament of a table whose match is over."""
        if match.is_over and (tournament := self._of_match.get(match.id)) is not None:
            self.wake(tournament)

    def wake(self, id: bytes) -> None:
        """See to a tournament soon; once more, if that is being done; one that failed, later."""
        if self._failed.has(id, self._tournaments.clock()):
            return
        if id in self._seeing_to:
            self._seeing_to[id] = True
            return
        self._seeing_to[id] = False
        self._background.start(self._see_to(id))

    async def see_to(self, id: bytes) -> None:
        """Take all steps that can be taken now; raises Busy and Unavailable."""
        try:
            while await self._step(await self._tournaments.current(id)):
                pass
        except (NoTournament, StaleVersion, RuleViolation, KeyReused) as error:
            _log.info("tournament %s has moved on: %r", id.hex(), error)

    def _moved(self, tournament: Tournament) -> None:
        if tournament.status is TournamentStatus.RUNNING:
            self.wake(tournament.id)

    async def _see_to(self, id: bytes) -> None:
        """See to a tournament, and again while somebody asked for it meanwhile."""
        try:
            while True:
                self._seeing_to[id] = False
                await self.see_to(id)
                if not self._seeing_to[id]:
                    return
        except (Busy, Unavailable):
            _log.warning("tournament %s waits: the store is away", id.hex())
        except Exception:
            _log.exception("tournament %s cannot go on", id.hex())
            self._failed.put(id, None, self._tournaments.clock())
        finally:
            self._seeing_to.pop(id, None)

    async def _step(self, followed: Followed) -> bool:
        """Whether something was done that may lead to more."""
        tournament = followed.tournament
        if tournament.status is not TournamentStatus.RUNNING:
            await self._tournaments.tell_lists(followed)
            self._forget(tournament.id)
            return False
        commands = self._due(tournament)
        for command in commands:
            await self._do(tournament, command)
        if commands:
            return True
        round = tournament.running_round
        assert round is not None, "a tournament that runs has a round"
        opened = [
            (Place(len(tournament.rounds), number), table)
            for number, table in enumerate(round.tables)
            if table.match is not None and not table.is_over
        ]
        self._forget(tournament.id, {bytes.fromhex(table.match or "") for _, table in opened})
        await self._set_tables(tournament, [table for _, table in opened])
        await self._see_off(tournament, opened)
        if await self._tell_results(tournament, opened):
            return True
        return await self._tell_voids(followed)

    def _forget(self, id: bytes, but: Collection[bytes] = ()) -> None:
        """Forget what was done at a tournament's tables, but for those of these matches."""
        over = {match for match, of in self._of_match.items() if of == id and match not in but}
        for match in over:
            del self._of_match[match]
        self._set_up -= over
        self._seen_off = {one for one in self._seen_off if bytes.fromhex(one[0] or "") not in over}

    def _due(self, tournament: Tournament) -> list[AnyTournamentCommand]:
        """What is to be done by the state alone: nothing while people are waited for."""
        steps: list[Any] = list(due(tournament, self._tournaments.clock()))
        for opening in openings(tournament):
            match = self._names(tournament, Place(opening.round, opening.table))
            steps.append(OpenTable(opening.round, opening.table, match.hex()))
        return steps

    async def _set_tables(self, tournament: Tournament, tables: Sequence[Table]) -> None:
        """Have the matches of these tables run, a few at a time."""
        slots = asyncio.Semaphore(AT_ONCE)

        async def set_up(table: Table) -> None:
            match = bytes.fromhex(table.match or "")
            async with slots:
                await self._tables.set_up(tournament, table)
            self._set_up.add(match)

        for table in tables:
            self._of_match[bytes.fromhex(table.match or "")] = tournament.id
        fresh = [t for t in tables if bytes.fromhex(t.match or "") not in self._set_up]
        for failed in await asyncio.gather(*map(set_up, fresh), return_exceptions=True):
            if failed is not None:
                raise failed

    async def _see_off(self, tournament: Tournament, opened: Sequence[tuple[Place, Table]]) -> None:
        """Have those leave their tables who have left the tournament, once each."""
        for _, table in opened:
            for entrant in table.seats:
                gone = (table.match, entrant)
                if tournament.entries[entrant].has_left and gone not in self._seen_off:
                    await self._tables.get_up(tournament, table, entrant)
                    self._seen_off.add(gone)

    async def _tell_results(
        self, tournament: Tournament, opened: Sequence[tuple[Place, Table]]
    ) -> bool:
        """Tell the tournament of the tables that are over; whether it took any of that.

        What this process knows of a match may be a moment old: the next look tells the rest.
        """
        is_told = False
        over = await self._log.over([bytes.fromhex(table.match or "") for _, table in opened])
        for place, table in opened:
            match = bytes.fromhex(table.match or "")
            if match in over and (command := await self._tables.ended(place, table)) is not None:
                is_told |= await self._told(tournament, command)
        return is_told

    async def _told(self, tournament: Tournament, command: AnyTournamentCommand) -> bool:
        """Tell of one table; a refusal, which another process may be the reason of, ends no other
        table's turn."""
        try:
            await self._do(tournament, command)
        except RuleViolation as refused:
            _log.info("tournament %s takes no %r: %s", tournament.id.hex(), command, refused)
            return False
        return True

    async def _tell_voids(self, followed: Followed) -> bool:
        """Tell of matches that were declared void after their tables had ended; whether it took
        any of that."""
        tournament, is_told = followed.tournament, False
        told = {
            bytes.fromhex(one.event.match): one.event
            for one in followed.recorded
            if isinstance(one.event, TableEnded)
        }
        is_knockout = tournament.settings.format is Format.KNOCKOUT
        counting = {
            bytes.fromhex(table.match or "")
            for round in tournament.rounds[-1 if is_knockout else 0 :]
            for table in round.tables
            if table.outcome is not None and table.match is not None
        }
        heads = await self._log.heads(list(counting))
        moved = [match for match in counting if heads.get(match, 0) > told[match].version]
        for match in moved:
            end = told[match]
            command = await self._tables.void_of(Place(end.round, end.table), match)
            if command is not None:
                is_told |= await self._told(tournament, command)
        return is_told

    async def _do(self, tournament: Tournament, command: AnyTournamentCommand) -> None:
        """Send a command once among all processes: its id follows from what it is about."""
        key = _key_of(tournament, command)
        id = command_id(tournament.id, ActorKind.SERVICE, None, key)
        await self._tournaments.execute(tournament.id, TournamentAsk(SERVICE, command, id))

    async def _look(self) -> None:
        """See to all that run, one after the other."""
        async for page in self._going_on((TournamentStatus.RUNNING,)):
            for id, _ in page:
                self.wake(id)
        await asyncio.sleep(LOOK_SECONDS * random.uniform(1.0, 1.5))

    async def _look_for_strays(self) -> None:
        """Find those whose line was not written when they moved, and those nobody goes on with."""
        idle_before = self._tournaments.clock() - IDLE_DAYS * DAY
        async for page in self._going_on((TournamentStatus.NEW, TournamentStatus.OPEN)):
            heads = await self._log.heads([id for id, _ in page])
            for id, version in page:
                is_old = made_at(id) * 1_000 < idle_before
                if id in heads and (is_old or heads[id] != version):
                    await self._look_at(id, idle_before)
        await asyncio.sleep(STRAYS_SECONDS * random.uniform(1.0, 1.5))

    async def _look_at(self, id: bytes, idle_before: int) -> None:
        followed = await self._tournaments.current(id)
        tournament = followed.tournament
        await self._tournaments.tell_lists(followed)
        self._moved(tournament)
        if tournament.status is TournamentStatus.OPEN and followed.occurred_at < idle_before:
            with suppress(RuleViolation):  # somebody came just in time
                await self._do(tournament, CancelTournament(CancelReason.IDLE))

    async def _going_on(
        self, statuses: Sequence[TournamentStatus]
    ) -> AsyncIterator[Sequence[tuple[bytes, int]]]:
        """Those of these statuses and the versions of their lines, page by page."""
        after: bytes | None = None
        while True:
            page = await self._tournaments.lines.going_on(
                statuses, after, self._tournaments.clock() - DAY, PAGE_ITEMS
            )
            if page:
                yield page
            if len(page) < PAGE_ITEMS:
                return
            after = page[-1][0]


def _key_of(tournament: Tournament, command: AnyTournamentCommand) -> str:
    """What a step is about, in words that no client can send: theirs are printable.

    A table that was voided is opened again, and so the number of times is part of it.
    """
    kind = command.__struct_config__.tag
    match command:
        case OpenTable() | CloseArrivals():
            table = tournament.rounds[command.round - 1].tables[command.table]
            return f"\0{kind}:{command.round}:{command.table}:{len(table.voided)}"
        case PairRound():
            return f"\0{kind}:{command.round}"
        case FinishTournament() | CancelTournament():
            return f"\0{kind}:{tournament.version}"
        case _:
            table = tournament.rounds[command.round - 1].tables[command.table]  # type: ignore
            return f"\0{kind}:{table.match}"
