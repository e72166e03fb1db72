"""Leaving for good, and what becomes of turn, hand, penalty and match (AWAY-2 to AWAY-5)."""

from __future__ import annotations

from domain.commands import Actor, Context, Leave, LeaveSeat
from domain.deal import order_digest
from domain.events import (
    AbandonReason,
    EndReason,
    Event,
    HandReturned,
    HostChanged,
    MatchAbandoned,
    Pending,
    PlayerLeft,
    Seat,
    VoidReason,
)
from domain.facts.rounds import shuffled_hand
from domain.match import Match, Round, Status
from domain.moves import guards
from domain.moves.draft import Draft
from domain.moves.match_end import abandon, end_match, void_round
from domain.moves.round_end import end_round
from domain.moves.table import leave_seat, persons


def leave(match: Match, actor: Actor, command: Leave, context: Context) -> tuple[Event, ...]:
    """Be out of the match, or off the seat if it has not started."""
    if match.status is Status.OPEN:
        return leave_seat(match, actor, LeaveSeat(), context)
    round, seat = guards.playing(match, actor)

    draft = Draft(match)
    turn, pending = _what_is_due_then(round, seat)
    draft.add(PlayerLeft(seat, turn=turn, pending=pending))
    if not persons(draft.match):
        abandon(draft, MatchAbandoned(AbandonReason.EMPTY))
    elif len(draft.match.still_in) == 1:
        void_round(draft, VoidReason.FORFEIT)
        end_match(draft, EndReason.FORFEIT)
    else:
        _go_on_without(draft, seat)
        if pending is Pending.NONE and round.penalty is not None:
            end_round(draft, round.penalty.author, context)
    return draft.events


def _what_is_due_then(round: Round, seat: Seat) -> tuple[Seat, Pending]:
    """The turn moves only if it was the leaver's; a color is then named by the next (AWAY-5).

    A penalty that the leaver faced lapses; after a last card nothing is due but the count (AWAY-4).
    """
    if seat != round.turn:
        return round.turn, round.pending
    turn = round.seat_after(seat, 1, round.direction)
    if round.penalty is not None:
        return turn, Pending.NONE if round.penalty.last else Pending.TURN
    return turn, round.pending


def _go_on_without(draft: Draft, seat: Seat) -> None:
    """The hand goes under the draw pile, and another person is host (AWAY-2, AWAY-7)."""
    round = draft.round
    cards = shuffled_hand(round, seat, round.shuffles)
    if cards:
        digest = order_digest(round.key, round.shuffles, cards)
        draft.add(HandReturned(seat, round.shuffles, len(cards), digest))
    if draft.match.host is None:
        draft.add(HostChanged(persons(draft.match)[0]))
