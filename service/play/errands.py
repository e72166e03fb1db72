"""What the bots at a table have to do, and when: a pure question to the state.

Not here: how they choose (``domain.bots``) and who sees to it (``service.play.bots``).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct

from domain.clock import deadline
from domain.events import Seat
from domain.match import Match, Round, Status
from service.play.times import SECOND
from service.settings import Settings

GRACE_US: Final = 2 * SECOND
"""How much later than its owner another process does an errand: by then the owner has crashed."""
_MS: Final = 1_000


class Kind(StrEnum):
    """What a bot may do about it."""

    SPEAK = "speak"
    """Say the UNO it owes."""
    CATCH = "catch"
    """Point out that somebody has not said UNO, or has laid a card that does not fit."""
    MOVE = "move"
    """Whatever its turn asks for."""


class Errand(Struct, frozen=True, gc=False):
    """One bot's occasion to act, ``after_us`` microseconds from when the match came to this."""

    seat: Seat
    kind: Kind
    after_us: int


def errands(match: Match, settings: Settings) -> tuple[Errand, ...]:
    """The occasions in their order; the first that is taken makes the others void.

    While a person owes an UNO no bot ends the time to say it: all wait ``bot_catch_ms``, and then
    those who noticed catch before anybody moves. All follows from the state, so that processes
    agree.
    """
    running = match.round
    if match.status is not Status.RUNNING or running is None:
        return ()
    return tuple(sorted(_occasions(match, running, settings), key=lambda one: one.after_us))


def due_at(match: Match, now: int, settings: Settings) -> int | None:
    """When a process that finds the match waiting may see to it; None if it waits for people.

    That is when a clock runs out (AWAY-1), or when the bots' own process is too late.
    """
    waiting, until = errands(match, settings), deadline(match)
    late = now + waiting[-1].after_us + GRACE_US if waiting else None
    return min((at for at in (late, until) if at is not None), default=None)


def _occasions(match: Match, running: Round, settings: Settings) -> Iterator[Errand]:
    """Speaking first, then catching, then moving: sorting by time keeps this order."""
    move_us, catch_us = settings.bot_move_ms * _MS, settings.bot_catch_ms * _MS
    owed = running.uno_owed
    if owed is not None and _is_bot(match, owed):
        yield Errand(owed, Kind.SPEAK, move_us)
    slip = _slip_of(running)
    if slip is not None:
        for steps in range(1, len(running.order)):
            seat = running.seat_after(slip, steps, running.direction)
            if _is_bot(match, seat):
                yield Errand(seat, Kind.CATCH, catch_us)
    if _is_bot(match, running.turn):
        yield Errand(running.turn, Kind.MOVE, _move_us(match, running, settings))


def _slip_of(running: Round) -> Seat | None:
    """Whose slip can be pointed out: an UNO that is owed, or a card that does not fit (TABLE-2)."""
    if running.uno_owed is None and running.unfit is not None:
        return running.unfit.author
    return running.uno_owed


def _move_us(match: Match, running: Round, settings: Settings) -> int:
    """A bot moves when those who might say or catch an UNO have had their time (UNO-7)."""
    if _slip_of(running) is None:
        return settings.bot_move_ms * _MS
    grace_us = 0 if running.not_before is None else match.options.uno_grace * SECOND
    return max(settings.bot_catch_ms * _MS, grace_us)


def _is_bot(match: Match, seat: Seat) -> bool:
    return match.seats[seat].bot is not None
