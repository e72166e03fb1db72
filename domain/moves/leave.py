"""Leaving for good, and what becomes of turn, hand, penalty and match (AWAY-2 to AWAY-5)."""

from __future__ import annotations

from domain.commands import Actor, Context, Leave, LeaveSeat, Return
from domain.deal import order_digest
from domain.events import (
    AbandonReason,
    BotLevel,
    EndReason,
    Event,
    HandReturned,
    HostChanged,
    LeaveReason,
    MatchAbandoned,
    Pending,
    PlayerLeft,
    PlayerReturned,
    Seat,
    VoidReason,
)
from domain.facts.rounds import shuffled_hand
from domain.match import Match, Round, Status
from domain.moves import guards
from domain.moves.draft import Draft
from domain.moves.enforcement import lapse
from domain.moves.match_end import abandon, end_match, void_round
from domain.moves.round_end import end_round
from domain.moves.table import leave_seat, persons
from domain.options import Form, OnLeave
from domain.refusals import Refusal, require
from domain.scoring import counting_of


def leave(match: Match, actor: Actor, command: Leave, context: Context) -> tuple[Event, ...]:
    """Be out of the match, or leave one's seat to a bot; off the seat if it has not started."""
    if match.status is Status.OPEN:
        return leave_seat(match, actor, LeaveSeat(), context)
    _, seat = guards.playing(match, actor)
    draft = Draft(match)
    go_away(draft, seat, LeaveReason.LEFT, context)
    return draft.events


def go_away(draft: Draft, seat: Seat, reason: LeaveReason, context: Context) -> None:
    """What becomes of the seat and the match of a player who is away (AWAY-2, AWAY-3)."""
    is_kept = _is_kept(draft.match)
    if not is_kept:
        lapse(draft, seat)
    round = draft.round
    turn, pending = (round.turn, round.pending) if is_kept else _what_is_due_then(round, seat)
    bot = BotLevel.STEADY if is_kept else None
    draft.add(PlayerLeft(seat, reason, turn, pending, bot))
    if not persons(draft.match):
        abandon(draft, MatchAbandoned(AbandonReason.EMPTY))
    elif counting_of(draft.match).is_forfeited(draft.match):
        void_round(draft, VoidReason.FORFEIT)
        end_match(draft, EndReason.FORFEIT)
    else:
        _go_on_without(draft, seat, is_kept)
        if pending is Pending.NONE and round.penalty is not None:
            end_round(draft, round.penalty.author, context)


def return_to_seat(
    match: Match, actor: Actor, command: Return, context: Context
) -> tuple[Event, ...]:
    """Take one's seat back from the bot (AWAY-2); rotating partners stay away (ROT-1)."""
    guards.running_round(match)
    seat = guards.own_seat(match, actor)
    is_free = seat in match.still_in and match.options.form is not Form.ROTATING_PARTNERS
    require(seat in match.away and is_free, Refusal.SEAT_MUST_BE_KEPT_BY_A_BOT)
    return (PlayerReturned(seat),)


def _is_kept(match: Match) -> bool:
    """Whether a bot plays on in a leaver's place (AWAY-2, ROT-1)."""
    options = match.options
    return options.on_leave is OnLeave.BOT or options.form is Form.ROTATING_PARTNERS


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


def _go_on_without(draft: Draft, seat: Seat, is_kept: bool) -> None:
    """The hand goes under the draw pile, and another person is host (AWAY-2, AWAY-7)."""
    round = draft.round
    cards = () if is_kept else shuffled_hand(round, seat, round.shuffles)
    if cards:
        digest = order_digest(round.key, round.shuffles, cards)
        draft.add(HandReturned(seat, round.shuffles, len(cards), digest))
    if draft.match.host is None:
        draft.add(HostChanged(persons(draft.match)[0]))
