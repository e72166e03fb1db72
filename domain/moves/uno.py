"""Saying UNO, and pointing out that somebody has not."""

from __future__ import annotations

from typing import Final

from domain.commands import Actor, CallUno, CatchUno, Context
from domain.events import DrawReason, Event, Pending, Seat, UnoCalled, UnoCaught
from domain.match import Match, Round
from domain.moves import guards
from domain.moves.draft import Draft
from domain.moves.piles import draw
from domain.moves.stacking import answers
from domain.refusals import Refusal, require

UNO_PENALTY: Final = 2
"""UNO-2: cards."""


def call_uno(match: Match, actor: Actor, command: CallUno, context: Context) -> tuple[Event, ...]:
    """Say UNO before the second-to-last card, or after it while nobody has caught you (UNO-1)."""
    round, seat = guards.playing(match, actor)
    require(may_call(round, seat, match), Refusal.UNO_MUST_BE_OWED)
    return (UnoCalled(seat),)


def catch_uno(match: Match, actor: Actor, command: CatchUno, context: Context) -> tuple[Event, ...]:
    """Point out that a seat laid its second-to-last card in silence (UNO-2, UNO-9)."""
    round, seat = guards.playing(match, actor)
    require(round.uno_owed == command.seat, Refusal.CATCH_MUST_BE_IN_TIME)
    require(command.seat != seat, Refusal.CATCH_MUST_BE_BY_ANOTHER)
    draft = Draft(match)
    draft.add(UnoCaught(seat=command.seat, by=seat))
    draw(draft, command.seat, UNO_PENALTY, DrawReason.UNO)
    return draft.events


def may_call(round: Round, seat: Seat, match: Match) -> bool:
    """Whether a call apart from a play is owed: now or by the play to come (UNO-1, UNO-8)."""
    if round.uno_owed == seat:
        return True
    if round.turn != seat or not owes_with_play(round, seat):
        return False
    return round.pending is Pending.TURN or bool(answers(round, match))


def may_say_with_play(round: Round, seat: Seat) -> bool:
    """Whether UNO goes with the next play: it is the second-to-last card (UNO-1).

    Also if it was said just before: once more does no harm (UNO-8).
    """
    return len(round.hands[seat]) == 2


def owes_with_play(round: Round, seat: Seat) -> bool:
    """Whether UNO is owed with the next play: the same, and it was not said yet."""
    return may_say_with_play(round, seat) and seat not in round.uno_said
