"""What a command leads to: one move a command, looked up in a table.

Not here: how events change the match (``domain.evolve``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from domain import commands
from domain.commands import Actor, AnyCommand, Command, Context
from domain.events import Event
from domain.match import Match
from domain.moves import answer, draw, leave, match_end, play, seeds, table, uno
from domain.moves.limit import is_near_the_limit, within_the_limit


def decide(match: Match, actor: Actor, command: Command, context: Context) -> tuple[Event, ...]:
    """The events that ``command`` causes in ``match``; raises ``RuleViolation``.

    None at all where the command asks for what is so already (joining or starting twice). The
    caller adds ``context.seed`` to the match before it evolves a ``round_committed``.
    """
    events = _MOVES[type(command)](match, actor, command, context)
    if is_near_the_limit(match):
        return within_the_limit(match, events, context)
    return events


_Move = Callable[[Match, Actor, Any, Context], tuple[Event, ...]]

_MOVES: Final[Mapping[type[Command], _Move]] = {
    commands.PlayCard: play.play_card,
    commands.DrawCard: draw.draw_card,
    commands.PassTurn: draw.pass_turn,
    commands.ChooseColor: answer.choose_color,
    commands.AcceptPenalty: answer.accept_penalty,
    commands.Challenge: answer.challenge,
    commands.CallUno: uno.call_uno,
    commands.CatchUno: uno.catch_uno,
    commands.Leave: leave.leave,
    commands.AddSeed: seeds.add_seed,
    commands.CreateMatch: table.create_match,
    commands.JoinMatch: table.join_match,
    commands.SeatBot: table.seat_bot,
    commands.LeaveSeat: table.leave_seat,
    commands.StartMatch: table.start_match,
    commands.AbandonMatch: match_end.abandon_match,
    commands.VoidMatch: match_end.void_match,
}
assert _MOVES.keys() == set(get_args(AnyCommand)), "every command has exactly one move"
