"""How a tournament goes: its standings, its schedule, and an operator's ruling on a table."""

from __future__ import annotations

from typing import Final

from litestar.types import ASGIApp
from msgspec import Struct

from domain.commands import ActorKind
from domain.tournaments.commands import VoidTable
from domain.tournaments.standings import Line
from domain.tournaments.tournament import Table, Tournament, TournamentStatus
from service import versions
from service.call import Call, not_found
from service.ids import text_of
from service.operation import Needs, Operation, Shape, operation
from service.play.times import rfc3339
from service.reply import as_json
from service.routes.views import UNCHANGED, unless_known
from service.tournament_access import answer_of, ask_of, entrant_lines, seen
from service.tournament_forms import (
    EntrantLine,
    RoundLine,
    Schedule,
    TableLine,
    TableVoiding,
    TournamentAnswer,
)
from service.wire import Id, NotOlder


class TournamentStanding(Struct, frozen=True, gc=False):
    """An entrant's line. ``place`` is 1, 2, 2, 4; 0 is unranked. ``tie_breaks``: more is better.

    ``tables`` is how many tables of theirs count, byes aside.
    """

    place: int
    points: int
    tie_breaks: tuple[int, ...]
    tables: int
    entrant: EntrantLine


class TournamentStandings(Struct, frozen=True, gc=False):
    """Where everybody stands, the best first; empty before the start."""

    tournament_id: Id
    version: int
    status: TournamentStatus
    items: tuple[TournamentStanding, ...]


@operation(
    "GET",
    "/v1/tournaments/{tournament_id}/standings",
    tag="Tournaments",
    answers=(Shape(200, TournamentStandings, headers=("ETag",)), UNCHANGED),
    problems=(404, 412),
    takes=("If-None-Match", "Talon-Invite"),
)
async def get_standings(call: Call, query: NotOlder) -> ASGIApp:
    """Read where everybody stands, by the tables that count so far.

    `docs/tournaments.md` names the points and the tie-breaks of each format.
    """
    looked = await seen(call, call.id("tournament_id"), query.min_version)
    tournament = looked.followed.tournament
    if (unchanged := unless_known(call, tournament.version, looked.viewer)) is not None:
        return unchanged
    entrants = await entrant_lines(call, tournament)
    lines = call.services.tournaments.standings(looked.followed)
    answer = TournamentStandings(
        text_of(tournament.id),
        tournament.version,
        tournament.status,
        tuple(_standing(line, entrants) for line in lines),
    )
    return as_json(answer, 200, versions.headers(tournament.version, looked.viewer))


@operation(
    "GET",
    "/v1/tournaments/{tournament_id}/schedule",
    tag="Tournaments",
    answers=(Shape(200, Schedule, headers=("ETag",)), UNCHANGED),
    problems=(404, 412),
    takes=("If-None-Match", "Talon-Invite"),
)
async def get_schedule(call: Call, query: NotOlder) -> ASGIApp:
    """Read who meets whom, as which matches, and how those ended: all rounds that are paired.

    Whoever sits at a table finds their match here, and plays it like any other: the seat is
    theirs from the beginning, without an invite.
    """
    looked = await seen(call, call.id("tournament_id"), query.min_version)
    tournament = looked.followed.tournament
    if (unchanged := unless_known(call, tournament.version, looked.viewer)) is not None:
        return unchanged
    headers = versions.headers(tournament.version, looked.viewer)
    return as_json(schedule_of(tournament), 200, headers)


@operation(
    "POST",
    "/v1/tournaments/{tournament_id}/rounds/{round}/tables/{table}/void",
    tag="Tournaments",
    needs=Needs.OPERATOR,
    answers=(Shape(200, TournamentAnswer, headers=("ETag", "Idempotent-Replayed")),),
    problems=(404, 409, 412),
    takes=("If-Match",),
)
async def void_table(call: Call, body: TableVoiding) -> ASGIApp:
    """Declare that a table does not count: in the round that is played, it is played again.

    An operator does. A table whose match is declared void needs no more than that: it follows by
    itself.
    """
    id = call.id("tournament_id")
    await seen(call, id)
    command = VoidTable(_number(call, "round"), _number(call, "table"), body.reason)
    ask = ask_of(call, id, command, ActorKind.OPERATOR)
    done = await call.services.tournaments.execute(id, ask)
    answer, headers = await answer_of(call, id, done)
    return as_json(answer, 200, headers)


def schedule_of(tournament: Tournament) -> Schedule:
    """All rounds that are paired."""
    rounds = tuple(
        RoundLine(
            number,
            tuple(_table(tournament, place, table) for place, table in enumerate(round.tables)),
            round.byes,
        )
        for number, round in enumerate(tournament.rounds, 1)
    )
    return Schedule(text_of(tournament.id), tournament.version, tournament.status, rounds)


def _table(tournament: Tournament, number: int, table: Table) -> TableLine:
    waits_for = () if table.match or table.is_over else tournament.awaited(table)
    outcome = table.outcome
    return TableLine(
        table=number,
        status=_status(table),
        entrants=table.entrants,
        waits_for=waits_for,
        until=rfc3339(table.until) if waits_for and table.until is not None else None,
        missed=tuple(sorted(table.missed)),
        match_id=None if table.match is None else text_of(bytes.fromhex(table.match)),
        seats=table.seats,
        scores=() if outcome is None else outcome.scores,
        places=() if outcome is None else outcome.places,
        voided=tuple(text_of(bytes.fromhex(match)) for match in table.voided if match),
    )


def _status(table: Table) -> str:
    if table.is_dropped:
        return "dropped"
    if table.outcome is not None:
        return "over"
    return "waiting" if table.match is None else "playing"


def _standing(line: Line, entrants: tuple[EntrantLine, ...]) -> TournamentStanding:
    return TournamentStanding(
        line.place, line.points, line.tie_breaks, line.tables, entrants[line.entrant]
    )


def _number(call: Call, name: str) -> int:
    """A number in the path; raises ProblemError (404) for what cannot be one."""
    text = call.path[name]
    if not text.isdecimal() or len(text) > 6:
        raise not_found()
    return int(text)


OPERATIONS: Final[tuple[Operation, ...]] = (get_standings, get_schedule, void_table)
