"""What the service does for a seat whose time has passed; it never plays a card (AWAY-1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from domain.cards import Color, Hand
from domain.clock import deadline
from domain.commands import Actor, Context, RunOutClock
from domain.events import (
    ClockRanOut,
    ColorChosen,
    DrawReason,
    Event,
    LeaveReason,
    Pending,
    TurnPassed,
)
from domain.limits import CLOCK_RUNS_MAX
from domain.match import Match
from domain.moves import guards
from domain.moves.answer import accept
from domain.moves.draft import Draft
from domain.moves.enforcement import stood
from domain.moves.leave import go_away
from domain.moves.piles import draw
from domain.refusals import Refusal, require


def run_out_clock(
    match: Match, actor: Actor, command: RunOutClock, context: Context
) -> tuple[Event, ...]:
    """Act in place of the seat that is waited for, on the very turn the clock was set for."""
    guards.operator(actor)
    seat = guards.running_round(match).turn
    is_its_turn = deadline(match) == command.deadline
    require(is_its_turn and context.now >= command.deadline, Refusal.CLOCK_MUST_HAVE_RUN_OUT)
    draft = Draft(match)
    row = match.silences.get(seat, 0) + 1
    draft.add(ClockRanOut(seat, row))
    if row >= CLOCK_RUNS_MAX and match.seats[seat].bot is None:
        go_away(draft, seat, LeaveReason.CLOCK, context)
    else:
        _ACTS[draft.round.pending](draft, context)
    return draft.events


def _draw_and_pass(draft: Draft, context: Context) -> None:
    """Draw and pass, whatever fits; just pass if nothing can be drawn, which blocks no round."""
    for event in stood(draft.match)[1]:
        draft.add(event)
    round, seat = draft.round, draft.round.turn
    draws = not round.has_drawn and round.drawable > 0
    if draws:
        draw(draft, seat, 1, DrawReason.CLOCK)
    turn = round.seat_after(seat, 1, round.direction)
    draft.add(TurnPassed(seat, drew=draws or round.has_drawn, turn=turn, by_clock=True))


def _accept(draft: Draft, context: Context) -> None:
    accept(draft, context, by_clock=True)


def _name_a_color(draft: Draft, context: Context) -> None:
    seat = draft.round.turn
    color = most_frequent_color(draft.round.hands[seat])
    draft.add(ColorChosen(seat, color, turn=seat, by_clock=True))


def most_frequent_color(hand: Hand) -> Color:
    """The color a hand holds most of; of several the first: red, yellow, green, blue (AWAY-1)."""
    counts = Counter(card.color for card in hand)
    return max(Color, key=lambda color: counts[color])


_ACTS: Final[Mapping[Pending, Callable[[Draft, Context], None]]] = {
    Pending.TURN: _draw_and_pass,
    Pending.PENALTY: _accept,
    Pending.COLOR: _name_a_color,
}
