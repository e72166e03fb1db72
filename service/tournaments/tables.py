"""A tournament's tables as matches: set up and started once, whoever does it, and how they ended.

Each step is found again, so that any process may do it, and do it again after another was killed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from msgspec import Struct

from domain.commands import (
    SERVICE,
    AbandonMatch,
    Actor,
    ActorKind,
    CreateMatch,
    Leave,
    ServiceCommand,
    StartMatch,
)
from domain.events import AbandonReason, BotLevel, Visibility
from domain.match import Match, Occupant, Status
from domain.ports import MatchFacts, Registry
from domain.refusals import RuleViolation
from domain.tournaments.commands import EndTable, VoidTable
from domain.tournaments.terms import Entrant, TableEnd, TableVoid
from domain.tournaments.tournament import Table, Tournament
from service.play.command_ids import command_id
from service.play.contract import Ask, Folded, NoMatch, Play
from service.seating import new_holder

ONE: Final = {"create": "\0create", "start": "\0start", "empty": "\0empty", "gone": "\0gone"}
"""The keys of what is done once for each match. No client can send them: theirs are printable."""
NOBODYS: Final = bytes(32)
"""The hash of no invite: who may see a private tournament's tables is known otherwise."""


class Place(Struct, frozen=True, gc=False):
    """A table of a tournament: its round from 1, its number in it from 0."""

    round: int
    number: int


class Tables:
    """Sets up the matches of tables, and says how they ended."""

    def __init__(self, play: Play, registry: Registry) -> None:
        self._play = play
        self._registry = registry

    async def set_up(self, tournament: Tournament, table: Table) -> None:
        """Have the match of a table run, if it does not; raises Busy and Unavailable.

        Its seats are everybody's from the beginning. Where one is empty before the start, which
        takes a person who is erased at that very moment, the match is abandoned.
        """
        match = bytes.fromhex(table.match or "")
        before = await self._known(match)
        if before is None:
            await self._create(tournament, table, match)
        elif before.match.status is not Status.OPEN:
            return
        await self._see_off_erased(match)
        try:
            await self._do(match, StartMatch(), "start")
        except RuleViolation:
            with suppress(RuleViolation):
                await self._do(match, AbandonMatch(AbandonReason.EMPTY), "empty")

    async def get_up(self, tournament: Tournament, table: Table, entrant: Entrant) -> None:
        """Have a person leave the match of a table, since they are gone from the tournament.

        Whoever withdraws does so at once; this is for what happened in between, or was left out.
        """
        match = bytes.fromhex(table.match or "")
        entered = tournament.entries[entrant].player
        holders = await self._registry.seat_holders(tournament.id)
        persons = {one.player for one in holders if one.digest == entered}
        for seat in await self._registry.seat_holders(match):
            if seat.player in persons:
                await self._leave(match, seat.digest)

    async def _see_off_erased(self, match: bytes) -> None:
        """Have those get up who were erased while they were seated: nobody else knows their seat.

        Erasing forgets the name first, and this looks at it last: one of the two finds the seat.
        """
        holders = await self._registry.seat_holders(match)
        persons = await self._registry.players([one.player for one in holders])
        named = {one for one, person in persons.items() if person.name is not None}
        present = {one.digest for one in holders if one.player in named}
        for occupant in (await self._play.folded(match)).match.seats:
            if occupant.player is not None and occupant.player not in present:
                await self._leave(match, occupant.player)

    async def _leave(self, match: bytes, digest: str) -> None:
        id = command_id(match, ActorKind.SEAT, digest, ONE["gone"])
        with suppress(RuleViolation):  # over, or left before
            await self._play.execute(match, Ask(Actor(ActorKind.SEAT), Leave(), id, player=digest))

    async def ended(self, place: Place, table: Table) -> EndTable | VoidTable | None:
        """What the tournament is to be told of a table whose match is over; None if it goes on."""
        match = bytes.fromhex(table.match or "")
        found = await self._play.folded(match)
        return _ended(place, found)

    async def void_of(self, place: Place, match: bytes) -> VoidTable | None:
        """What the tournament is to be told of a match that ended and was declared void since."""
        found = await self._play.folded(match)
        if found.match.status is not Status.VOIDED:
            return None
        return VoidTable(place.round, place.number, TableVoid.MATCH_VOIDED)

    async def _known(self, match: bytes) -> Folded | None:
        try:
            return await self._play.folded(match)
        except NoMatch:
            return None

    async def _create(self, tournament: Tournament, table: Table, match: bytes) -> None:
        facts = await self._registry.match_facts(tournament.id)
        is_public = tournament.visibility is Visibility.PUBLIC
        await self._registry.add_match(
            MatchFacts(
                match=match,
                created_by=None,
                app=None if facts is None else facts.app,
                invite_hash=None if is_public else NOBODYS,
                tags=() if facts is None else facts.tags,
                tournament=tournament.id,
            )
        )
        seated = await self._seated(tournament, table, match)
        rules, visibility = tournament.settings.rules, tournament.visibility
        create = CreateMatch(rules, len(seated), visibility, None, seated=seated)
        with suppress(RuleViolation):  # another process was faster
            await self._do(match, create, "create")

    async def _seated(
        self, tournament: Tournament, table: Table, match: bytes
    ) -> tuple[Occupant, ...]:
        """Who sits where: persons under digests of this match, bots; one for who is erased."""
        holders = await self._registry.seat_holders(tournament.id)
        persons = {holder.digest: holder.player for holder in holders}
        seated: list[Occupant] = []
        for entrant in table.seats:
            entry = tournament.entries[entrant]
            bot = entry.bot or table.missed.get(entrant)
            person = None if bot or entry.player is None else persons.get(entry.player)
            if person is not None:
                holder = await self._registry.hold_seat(new_holder(match, person))
                if holder is not None:
                    seated.append(Occupant(player=holder.digest))
                    continue
            seated.append(Occupant(bot=bot or BotLevel.STEADY))
        return tuple(seated)

    async def _do(self, match: bytes, command: ServiceCommand, what: str) -> None:
        id = command_id(match, ActorKind.SERVICE, None, ONE[what])
        await self._play.execute(match, Ask(SERVICE, command, id))


def _ended(place: Place, found: Folded) -> EndTable | VoidTable | None:
    match = found.match
    if not match.is_over:
        return None
    if match.status is Status.VOIDED:
        return VoidTable(place.round, place.number, TableVoid.MATCH_VOIDED)
    if match.status is Status.ABANDONED and _never_started(match):
        return VoidTable(place.round, place.number, TableVoid.FAULT)
    result = match.result
    assert result is not None, "a match that is over has a result"
    is_finished = match.status is Status.FINISHED
    return EndTable(
        round=place.round,
        table=place.number,
        match=match.id.hex(),
        version=found.head.version,
        hash=found.head.hash.hex(),
        reason=TableEnd(result.reason) if is_finished else TableEnd.ABANDONED,
        scores=match.scores,
        places=result.places or (0,) * len(match.scores),
    )


def _never_started(match: Match) -> bool:
    """Whether a match ended before its first round."""
    return match.rounds == 0
