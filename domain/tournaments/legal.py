"""What an entrant may do now: the commands that ``decide`` would take from them, and act on."""

from __future__ import annotations

from domain.commands import Command
from domain.tournaments.commands import Arrive, Withdraw
from domain.tournaments.terms import Entrant
from domain.tournaments.tournament import Tournament, TournamentStatus

_GOING_ON = (TournamentStatus.OPEN, TournamentStatus.RUNNING)


def legal_commands(tournament: Tournament, entrant: Entrant) -> tuple[Command, ...]:
    """The commands of an entrant, ready to send; none for who has left."""
    is_there = entrant in tournament.present
    if tournament.status not in _GOING_ON or not is_there:
        return ()
    return (Arrive(), Withdraw()) if _is_awaited(tournament, entrant) else (Withdraw(),)


def _is_awaited(tournament: Tournament, entrant: Entrant) -> bool:
    """A table of the running round waits for the entrant to come (TOUR-2)."""
    last = tournament.running_round
    number = None if last is None else last.table_of(entrant)
    if last is None or number is None:
        return False
    return entrant in tournament.awaited(last.tables[number])
