"""The end of a tournament: everything is played, or it is canceled."""

from __future__ import annotations

from domain.commands import Actor, Context
from domain.event import Event
from domain.refusals import Refusal, require
from domain.tournaments import guards
from domain.tournaments.commands import CancelTournament, FinishTournament
from domain.tournaments.draft import Draft
from domain.tournaments.events import DrawRevealed, TournamentCanceled, TournamentFinished
from domain.tournaments.evolve import LOT
from domain.tournaments.pairings import is_over_after_this
from domain.tournaments.standings import standings
from domain.tournaments.terms import Entrant
from domain.tournaments.tournament import Tournament, TournamentStatus


def finish_tournament(
    tournament: Tournament, actor: Actor, command: FinishTournament, context: Context
) -> tuple[Event, ...]:
    """Close it with the places as they stand; a second time changes nothing."""
    guards.organizer(actor)
    if tournament.status is TournamentStatus.FINISHED:
        return ()
    guards.running(tournament)
    last = tournament.running_round
    require(last is not None and last.is_over, Refusal.ROUND_MUST_BE_OVER)
    require(is_over_after_this(tournament), Refusal.ROUNDS_MUST_BE_PLAYED)
    places, points = [0] * len(tournament.entries), [0] * len(tournament.entries)
    for line in standings(tournament):
        places[line.entrant], points[line.entrant] = line.place, line.points
    winners = tuple(Entrant(number) for number, place in enumerate(places) if place == 1)
    return (TournamentFinished(winners, tuple(places), tuple(points)),)


def cancel_tournament(
    tournament: Tournament, actor: Actor, command: CancelTournament, context: Context
) -> tuple[Event, ...]:
    """Do not play it on; a lot that was not drawn is shown all the same."""
    guards.organizer(actor)
    if tournament.status is TournamentStatus.CANCELED:
        return ()
    guards.going_on(tournament)
    draft = Draft(tournament)
    if tournament.commitment is not None and not tournament.is_drawn:
        draft.add(DrawRevealed(tournament.secrets[LOT].hex()))
    draft.add(TournamentCanceled(command.reason))
    return draft.events
