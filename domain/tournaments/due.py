"""What the service has to do next for a tournament, and when: read off its state."""

from __future__ import annotations

from msgspec import Struct

from domain.commands import Command
from domain.terms import BotLevel
from domain.tournaments.commands import CloseArrivals, FinishTournament, PairRound
from domain.tournaments.pairings import is_over_after_this
from domain.tournaments.terms import Entrant
from domain.tournaments.tournament import Tournament, TournamentStatus


class Chair(Struct, frozen=True, gc=False):
    """A seat of a match that is to be set up: the person's digest, or the bot that plays."""

    entrant: Entrant
    player: str | None
    bot: BotLevel | None


class Opening(Struct, frozen=True, gc=False):
    """A table that waits for nobody any more: a match is to be set up, and named by OpenTable."""

    round: int
    table: int
    chairs: tuple[Chair, ...]
    """By seat."""


def due(tournament: Tournament, now: int) -> tuple[Command, ...]:
    """The commands that the service gives by itself, in this order, by ``now``."""
    last = tournament.running_round
    if tournament.status is not TournamentStatus.RUNNING or last is None:
        return ()
    number = len(tournament.rounds)
    if last.is_over:
        is_last = is_over_after_this(tournament)
        return (FinishTournament(),) if is_last else (PairRound(number + 1),)
    return tuple(
        CloseArrivals(number, place)
        for place, table in enumerate(last.tables)
        if table.until is not None and table.until <= now and tournament.awaited(table)
    )


def openings(tournament: Tournament) -> tuple[Opening, ...]:
    """The tables that can be played now."""
    last = tournament.running_round
    if tournament.status is not TournamentStatus.RUNNING or last is None:
        return ()
    return tuple(
        Opening(
            len(tournament.rounds),
            number,
            tuple(
                Chair(entrant, None if bot else tournament.entries[entrant].player, bot)
                for entrant, bot in tournament.to_seat(table)
            ),
        )
        for number, table in enumerate(last.tables)
        if table.match is None and not table.is_over and not tournament.awaited(table)
    )


def next_deadline(tournament: Tournament) -> int | None:
    """When arrivals close next, in microseconds since the epoch; None if nobody is waited for."""
    last = tournament.running_round
    if tournament.status is not TournamentStatus.RUNNING or last is None:
        return None
    deadlines = [
        table.until
        for table in last.tables
        if table.until is not None and tournament.awaited(table)
    ]
    return min(deadlines, default=None)
