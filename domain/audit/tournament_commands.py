"""The command behind some events of a tournament, read off the first of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.audit.commands import NoCommand
from domain.commands import ActorKind, Command
from domain.event import Event
from domain.tournaments import commands as asked
from domain.tournaments import events as happened
from domain.tournaments.evolve import settings_in
from domain.tournaments.terms import ExitReason

NUMBERED: Final = frozenset((ActorKind.SEAT, ActorKind.BOT, ActorKind.ENTRANT))
"""Who acts with a number, of a seat or of an entrant."""


def command_in(events: Sequence[Event]) -> Command:
    """The command that led to these events; raises NoCommand."""
    for event in events:
        find = _FOUND.get(type(event))
        if find is not None:
            return find(event)
    raise NoCommand("no command leads to this")


def _create(e: happened.TournamentCreated) -> Command:
    return asked.CreateTournament(settings_in(e), e.visibility)


def _leave(e: happened.EntrantLeft) -> Command:
    return asked.Withdraw() if e.reason is ExitReason.LEFT else asked.RemoveEntrant(e.entrant)


def _end(e: happened.TableEnded) -> Command:
    return asked.EndTable(
        e.round, e.table, e.match, e.version, e.hash, e.reason, e.scores, e.places
    )


_FOUND: Final[Mapping[type[Event], Callable[[Any], Command]]] = {
    happened.TournamentCreated: _create,
    happened.EntrantJoined: lambda e: asked.Enter(e.player, e.rating),
    happened.BotEntered: lambda e: asked.EnterBot(e.level, e.rating),
    happened.EntrantLeft: _leave,
    happened.EntrantReplaced: lambda e: asked.ReplaceEntrant(e.entrant, e.player, e.bot),
    happened.TournamentStarted: lambda e: asked.StartTournament(),
    happened.RoundPaired: lambda e: asked.PairRound(e.round),
    happened.EntrantArrived: lambda e: asked.Arrive(),
    happened.EntrantMissed: lambda e: asked.CloseArrivals(e.round, e.table),
    happened.TableOpened: lambda e: asked.OpenTable(e.round, e.table, e.match),
    happened.TableEnded: _end,
    happened.TableVoided: lambda e: asked.VoidTable(e.round, e.table, e.reason),
    happened.TournamentFinished: lambda e: asked.FinishTournament(),
    happened.TournamentCanceled: lambda e: asked.CancelTournament(e.reason),
}
"""By the first event that tells: those of a draw by lot, and a forfeit, stand beside another."""
