"""What several commands about a tournament require, in the order in which it is broken."""

from __future__ import annotations

from domain.commands import Actor, ActorKind
from domain.refusals import Refusal, RuleViolation, require
from domain.tournaments.terms import Entrant
from domain.tournaments.tournament import Table, Tournament, TournamentStatus

_RUNS_THE_SERVICE = frozenset((ActorKind.SERVICE, ActorKind.OPERATOR))
_RUNS_THE_TOURNAMENT = _RUNS_THE_SERVICE | {ActorKind.ORGANIZER, ActorKind.APP}


def organizer(actor: Actor) -> None:
    """The organizer asks, or who runs the service."""
    require(actor.kind in _RUNS_THE_TOURNAMENT, Refusal.ORGANIZER_MUST_ASK)


def operator(actor: Actor) -> None:
    """The service itself asks, or its operator."""
    require(actor.kind in _RUNS_THE_SERVICE, Refusal.OPERATOR_MUST_ASK)


def going_on(tournament: Tournament) -> None:
    """The tournament has been created and is not over."""
    require(
        tournament.status in (TournamentStatus.OPEN, TournamentStatus.RUNNING),
        Refusal.TOURNAMENT_MUST_NOT_BE_OVER,
    )


def open_for_entry(tournament: Tournament) -> None:
    """The tournament has not started."""
    going_on(tournament)
    require(tournament.status is TournamentStatus.OPEN, Refusal.TOURNAMENT_MUST_BE_OPEN)


def running(tournament: Tournament) -> None:
    """The tournament has started and is not over."""
    going_on(tournament)
    require(tournament.status is TournamentStatus.RUNNING, Refusal.TOURNAMENT_MUST_BE_RUNNING)


def present(tournament: Tournament, entrant: int | None) -> Entrant:
    """The entrant takes part, and has not left."""
    entries = tournament.entries
    known = entrant is not None and 0 <= entrant < len(entries)
    if not known or entrant is None or entries[entrant].has_left:
        raise RuleViolation(Refusal.ENTRANT_MUST_TAKE_PART)
    return Entrant(entrant)


def own_entry(tournament: Tournament, actor: Actor) -> Entrant:
    """The entrant who asks."""
    require(actor.kind is ActorKind.ENTRANT, Refusal.ENTRANT_MUST_TAKE_PART)
    return present(tournament, actor.seat)


def table_of(tournament: Tournament, round: int, number: int) -> Table:
    """A table of a round that has been paired."""
    known = 0 < round <= len(tournament.rounds)
    if not known or not 0 <= number < len(tournament.rounds[round - 1].tables):
        raise RuleViolation(Refusal.TABLE_MUST_BE_PAIRED)
    return tournament.rounds[round - 1].tables[number]
