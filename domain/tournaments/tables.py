"""At the tables of a round: who comes, who does not, the match, its end, and a void result."""

from __future__ import annotations

from domain.commands import Actor, Context
from domain.event import Event
from domain.limits import VOIDS_PER_TABLE
from domain.refusals import Refusal, RuleViolation, require
from domain.terms import BotLevel
from domain.tournaments import guards
from domain.tournaments.commands import Arrive, CloseArrivals, EndTable, OpenTable, VoidTable
from domain.tournaments.draft import Draft
from domain.tournaments.events import (
    EntrantArrived,
    EntrantMissed,
    TableEnded,
    TableForfeited,
    TableOpened,
    TableVoided,
)
from domain.tournaments.terms import Entrant, Format, NoShow
from domain.tournaments.tournament import Table, Tournament

STAND_IN = BotLevel.STEADY
"""Who plays for an entrant who left or did not come, where the table needs somebody (ROT-1)."""


def deadline(tournament: Tournament, context: Context) -> int | None:
    """How long tables that are set now wait for their players."""
    seconds = tournament.settings.arrival_seconds
    return None if seconds is None else context.now + seconds * 1_000_000


def arrive(
    tournament: Tournament, actor: Actor, command: Arrive, context: Context
) -> tuple[Event, ...]:
    """Be at the table; who is there already, or is not waited for, changes nothing."""
    guards.running(tournament)
    entrant = guards.own_entry(tournament, actor)
    number, table = _own_table(tournament, entrant)
    if entrant in tournament.awaited(table):
        return (EntrantArrived(len(tournament.rounds), number, entrant),)
    require(entrant not in table.missed, Refusal.ARRIVAL_MUST_BE_IN_TIME)
    return ()


def _own_table(tournament: Tournament, entrant: Entrant) -> tuple[int, Table]:
    last = tournament.running_round
    number = None if last is None else last.table_of(entrant)
    if last is None or number is None:
        raise RuleViolation(Refusal.TABLE_MUST_BE_PAIRED)
    return number, last.tables[number]


def close_arrivals(
    tournament: Tournament, actor: Actor, command: CloseArrivals, context: Context
) -> tuple[Event, ...]:
    """Wait no longer: for who is not there a bot plays, or they forfeit the table."""
    guards.operator(actor)
    guards.running(tournament)
    table = guards.table_of(tournament, command.round, command.table)
    awaited = tournament.awaited(table)
    if not awaited:
        return ()
    has_passed = table.until is not None and context.now >= table.until
    require(has_passed, Refusal.ARRIVALS_MUST_BE_WAITED_FOR)
    bot = STAND_IN if tournament.settings.no_show is NoShow.BOT else None
    draft = Draft(tournament)
    for entrant in awaited:
        draft.add(EntrantMissed(command.round, command.table, entrant, bot))
    _forfeit_if_too_few(draft, command.round, command.table)
    return draft.events


def settle_absent(draft: Draft, entrant: Entrant) -> None:
    """Who has left forfeits the table of the running round that has not opened yet."""
    last = draft.tournament.running_round
    number = None if last is None else last.table_of(entrant)
    if last is None or number is None:
        return
    table = last.tables[number]
    if table.match is None and not table.is_over and entrant not in table.missed:
        round = len(draft.tournament.rounds)
        draft.add(EntrantMissed(round, number, entrant))
        _forfeit_if_too_few(draft, round, number)


def _forfeit_if_too_few(draft: Draft, round: int, number: int) -> None:
    """A table at which less than two can play is over."""
    tournament = draft.tournament
    table = tournament.rounds[round - 1].tables[number]
    seats = tournament.to_seat(table)
    if len(seats) < 2 and not tournament.awaited(table):
        draft.add(TableForfeited(round, number, seats[0][0] if seats else None))


def open_table(
    tournament: Tournament, actor: Actor, command: OpenTable, context: Context
) -> tuple[Event, ...]:
    """Name the match as which a table is played; the same one again changes nothing."""
    guards.operator(actor)
    guards.running(tournament)
    table = guards.table_of(tournament, command.round, command.table)
    if table.match == command.match:
        return ()
    require(table.match is None and not table.is_over, Refusal.TABLE_MUST_BE_WAITING)
    require(not tournament.awaited(table), Refusal.TABLE_MUST_BE_COMPLETE)
    require(command.match not in matches_of(tournament), Refusal.MATCH_MUST_BE_ANOTHER)
    seats = tournament.to_seat(table)
    return (
        TableOpened(
            command.round,
            command.table,
            command.match,
            seats=tuple(entrant for entrant, _ in seats),
            bots=tuple(bot for _, bot in seats),
        ),
    )


def matches_of(tournament: Tournament) -> frozenset[str]:
    """All matches that were ever named for its tables, also those that do not count."""
    tables = [table for round in tournament.rounds for table in round.tables]
    named = {match for table in tables for match in (table.match, *table.voided)}
    return frozenset(match for match in named if match is not None)


def end_table(
    tournament: Tournament, actor: Actor, command: EndTable, context: Context
) -> tuple[Event, ...]:
    """A table's match is over and counts; the same end again changes nothing."""
    guards.operator(actor)
    guards.running(tournament)
    table = guards.table_of(tournament, command.round, command.table)
    require(table.match == command.match, Refusal.MATCH_MUST_BE_THE_TABLES)
    if table.is_over:
        return ()
    seats = len(table.seats)
    fits = len(command.scores) == len(command.places) == seats
    require(fits, Refusal.RESULT_MUST_FIT_THE_TABLE)
    return (
        TableEnded(
            command.round,
            command.table,
            command.match,
            version=command.version,
            hash=command.hash,
            reason=command.reason,
            scores=command.scores,
            places=command.places,
        ),
    )


def void_table(
    tournament: Tournament, actor: Actor, command: VoidTable, context: Context
) -> tuple[Event, ...]:
    """A table does not count: it is played again if its round is still the last one.

    In a knockout, those who went on from an earlier round have played on: it stays as it is.
    """
    guards.operator(actor)
    guards.running(tournament)
    table = guards.table_of(tournament, command.round, command.table)
    is_this = command.match is None or command.match == table.match
    require(is_this, Refusal.MATCH_MUST_BE_THE_TABLES)
    require(_has_begun(tournament, table), Refusal.TABLE_MUST_HAVE_BEGUN)
    is_last = command.round == len(tournament.rounds)
    is_open = is_last or tournament.settings.format is not Format.KNOCKOUT
    require(is_open, Refusal.TABLE_MUST_BE_OF_THE_ROUND)
    require(len(table.voided) < VOIDS_PER_TABLE, Refusal.VOIDS_MUST_BE_FEW)
    until = deadline(tournament, context) if is_last else None
    draft = Draft(tournament)
    draft.add(
        TableVoided(command.round, command.table, table.match, command.reason, is_last, until)
    )
    if is_last:
        for entrant in table.entrants:
            if not draft.tournament.entries[entrant].is_playing:
                draft.add(EntrantMissed(command.round, command.table, entrant))
        _forfeit_if_too_few(draft, command.round, command.table)
    return draft.events


def _has_begun(tournament: Tournament, table: Table) -> bool:
    """Something was played, or forfeited by somebody who could still come."""
    could_come = sum(tournament.entries[entrant].is_playing for entrant in table.entrants)
    return table.match is not None or (table.outcome is not None and could_come > 1)
