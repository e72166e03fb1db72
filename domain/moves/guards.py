"""What several moves require, in the order in which a player breaks it."""

from __future__ import annotations

from typing import Final

from domain.commands import Actor, ActorKind, Context
from domain.events import Pending, Seat
from domain.match import Match, Round, Status
from domain.moves.grace import grace_has_passed
from domain.refusals import Refusal, RuleViolation, require

_RUNS_THE_SERVICE = frozenset((ActorKind.SERVICE, ActorKind.OPERATOR))
_RUNS_THE_MATCH = _RUNS_THE_SERVICE | {ActorKind.APP}


def running_round(match: Match) -> Round:
    """The round that is being played."""
    if match.round is None:
        require(not match.is_over, Refusal.MATCH_MUST_NOT_BE_OVER)
        raise RuleViolation(Refusal.MATCH_MUST_BE_RUNNING)
    return match.round


def own_seat(match: Match, actor: Actor) -> Seat:
    """The seat that the actor holds in this match."""
    seat = actor.seat
    if seat is None or seat >= len(match.seats):
        raise RuleViolation(Refusal.SEAT_MUST_BE_YOURS)
    return seat


def playing(match: Match, actor: Actor) -> tuple[Round, Seat]:
    """The running round and the actor's seat in it."""
    round = running_round(match)
    seat = own_seat(match, actor)
    require(seat in round.order, Refusal.SEAT_MUST_BE_IN_PLAY)
    if match.away and actor.kind is not ActorKind.BOT:
        require(seat not in match.away, Refusal.SEAT_MUST_BE_TAKEN_BACK)
    return round, seat


def waited_for(match: Match, actor: Actor, context: Context) -> tuple[Round, Seat]:
    """The same, where it is this seat that the match waits for, and no grace holds it up."""
    round, seat = playing(match, actor)
    require(seat == round.turn, Refusal.TURN_MUST_BE_YOURS)
    if round.not_before is not None:
        grace_has_passed(round.not_before, context)
    return round, seat


def to_move(match: Match, actor: Actor, context: Context) -> tuple[Round, Seat]:
    """The same, where this seat is to play, draw or pass and nothing else is due first."""
    round, seat = waited_for(match, actor, context)
    if round.pending is not _TURN:
        raise RuleViolation(DUE_FIRST[round.pending])
    return round, seat


_TURN: Final = Pending.TURN
DUE_FIRST = {
    Pending.COLOR: Refusal.COLOR_MUST_BE_NAMED_FIRST,
    Pending.PENALTY: Refusal.PENALTY_MUST_BE_ANSWERED,
    Pending.NONE: Refusal.MATCH_MUST_BE_RUNNING,
}
"""What is refused while something else is due: a color to be named, a penalty to be answered."""


def open_table(match: Match) -> None:
    """The match has not started."""
    require(not match.is_over, Refusal.MATCH_MUST_NOT_BE_OVER)
    require(match.status is Status.OPEN, Refusal.MATCH_MUST_BE_OPEN)


def host(match: Match, actor: Actor) -> None:
    """The match's host asks, or who runs the match."""
    is_host = match.host is not None and actor.seat == match.host
    require(is_host or actor.kind in _RUNS_THE_MATCH, Refusal.HOST_MUST_ASK)


def operator(actor: Actor) -> None:
    """The service itself asks, or its operator."""
    require(actor.kind in _RUNS_THE_SERVICE, Refusal.OPERATOR_MUST_ASK)


def going_on(match: Match) -> None:
    """The match has been created and is not over."""
    require(match.status in (Status.OPEN, Status.RUNNING), Refusal.MATCH_MUST_NOT_BE_OVER)


def not_void(match: Match) -> None:
    """The match has been created and counts, or may come to."""
    require(match.status not in (Status.NEW, Status.VOIDED), Refusal.MATCH_MUST_NOT_BE_OVER)
