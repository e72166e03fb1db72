"""What a command leads to: one move a command, looked up in a table.

Not here: how events change the match (``domain.evolve``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from domain import commands
from domain.commands import Actor, AnyCommand, Command, Context
from domain.committing import secrets_of
from domain.events import Event
from domain.match import Match
from domain.moves import (
    advice,
    anew,
    answer,
    clock,
    draw,
    enforcement,
    leave,
    match_end,
    place,
    play,
    seeds,
    table,
    uno,
)
from domain.moves.limit import is_near_the_limit, within_the_limit

_Move = Callable[[Match, Actor, Any, Context], tuple[Event, ...]]


def decide(match: Match, actor: Actor, command: Command, context: Context) -> tuple[Event, ...]:
    """The events that ``command`` causes in ``match``; raises ``RuleViolation``.

    None at all where the command asks for what is so already (joining or starting twice). The
    caller adds the secrets that ``domain.committing`` tells to the match before it evolves a
    ``round_committed``.
    """
    move = _MOVES[type(command)]
    round = match.round
    if round is not None and round.unfit is not None and move in _BEGIN_A_TURN:
        events = _on_a_card_that_stands(match, actor, command, context, move)
    else:
        events = move(match, actor, command, context)
    if is_near_the_limit(match):
        return within_the_limit(match, events, secrets_of(command, events, context))
    return events


def _on_a_card_that_stands(
    match: Match, actor: Actor, command: Command, context: Context, move: _Move
) -> tuple[Event, ...]:
    """An act that begins a turn makes an unfit card stand: its victim draws first (TABLE-5)."""
    after, stands = enforcement.stood(match)
    return (*stands, *move(after, actor, command, context))


_BEGIN_A_TURN: Final = (play.play_card, draw.draw_card, draw.pass_turn)

_MOVES: Final[Mapping[type[Command], _Move]] = {
    commands.PlayCard: play.play_card,
    commands.DrawCard: draw.draw_card,
    commands.PassTurn: draw.pass_turn,
    commands.ChooseColor: answer.choose_color,
    commands.AcceptPenalty: answer.accept_penalty,
    commands.Challenge: answer.challenge,
    commands.CallUno: uno.call_uno,
    commands.CatchUno: uno.catch_uno,
    commands.CallOut: enforcement.call_out,
    commands.PenalizeAdvice: advice.penalize_advice,
    commands.Leave: leave.leave,
    commands.Return: leave.return_to_seat,
    commands.AddSeed: seeds.add_seed,
    commands.CreateMatch: table.create_match,
    commands.PlaceMatch: place.place_match,
    commands.JoinMatch: table.join_match,
    commands.SeatBot: table.seat_bot,
    commands.LeaveSeat: table.leave_seat,
    commands.StartMatch: table.start_match,
    commands.AbandonMatch: match_end.abandon_match,
    commands.RunOutClock: clock.run_out_clock,
    commands.VoidMatch: match_end.void_match,
    commands.DealAnew: anew.deal_anew,
}
assert _MOVES.keys() == set(get_args(AnyCommand)), "every command has exactly one move"
