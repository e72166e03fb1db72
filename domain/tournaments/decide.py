"""What a command about a tournament leads to: one function a command, looked up in a table.

Not here: how events change the tournament (``domain.tournaments.evolve``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.commands import Actor, Command, Context
from domain.event import Event
from domain.tournaments import commands, ending, entering, starting, tables
from domain.tournaments.commands import TOURNAMENT_COMMANDS
from domain.tournaments.events import DrawCommitted
from domain.tournaments.evolve import LOT
from domain.tournaments.tournament import Tournament

_Decision = Callable[[Tournament, Actor, Any, Context], tuple[Event, ...]]


def decide(
    tournament: Tournament, actor: Actor, command: Command, context: Context
) -> tuple[Event, ...]:
    """The events that ``command`` causes; raises ``RuleViolation``.

    None at all where the command asks for what is so already.
    """
    return _DECISIONS[type(command)](tournament, actor, command, context)


def secrets_of(events: Sequence[Event], context: Context) -> Mapping[int, bytes]:
    """What the events bind the service to, and the log keeps sealed: the seed of the lot."""
    return {LOT: context.seed} if any(type(e) is DrawCommitted for e in events) else {}


_DECISIONS: Final[Mapping[type[Command], _Decision]] = {
    commands.CreateTournament: entering.create_tournament,
    commands.Enter: entering.enter,
    commands.EnterBot: entering.enter_bot,
    commands.Withdraw: entering.withdraw,
    commands.RemoveEntrant: entering.remove_entrant,
    commands.ReplaceEntrant: entering.replace_entrant,
    commands.StartTournament: starting.start_tournament,
    commands.PairRound: starting.pair_round,
    commands.Arrive: tables.arrive,
    commands.CloseArrivals: tables.close_arrivals,
    commands.OpenTable: tables.open_table,
    commands.EndTable: tables.end_table,
    commands.VoidTable: tables.void_table,
    commands.FinishTournament: ending.finish_tournament,
    commands.CancelTournament: ending.cancel_tournament,
}
assert _DECISIONS.keys() == set(TOURNAMENT_COMMANDS), "every command has exactly one decision"
