"""What of a match's events, or a tournament's, is worth telling an app, and whom it concerns. Pure.

Only what everybody may see is read: who sits where, and whom the match waits for. No seed, no
hand. Whose players they are is for others to find out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.codec import UnknownEvent
from domain.events import (
    BotSeated,
    Event,
    MatchAbandoned,
    MatchEnded,
    MatchStarted,
    MatchVoided,
    Pending,
    PlayerJoined,
    PlayerLeft,
    PlayerReturned,
    PositionPlaced,
    RoundBlocked,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    Seat,
)
from domain.ports import Recorded
from domain.tournaments.events import (
    BotEntered,
    EntrantJoined,
    EntrantLeft,
    EntrantReplaced,
    TournamentStarted,
)
from domain.webhooks import NoticeType


class Table(Struct, frozen=True, gc=False):
    """A match as notices need it: digests by seat (None: a bot), and whom it waits for.

    Of a tournament, digests are by entrant (None: a bot, or one who left before the start).
    Seats ``away`` are played by a bot for a person who left.
    """

    version: int = 0
    seats: tuple[str | None, ...] = ()
    has_started: bool = False
    away: frozenset[Seat] = frozenset()
    round: int = 0
    waits_for: Seat | None = None
    pending: Pending = Pending.NONE

    @property
    def call(self) -> tuple[int, Seat] | None:
        """The round and the seat of the person it waits for, if it is one."""
        seat = self.waits_for
        if seat is None or seat in self.away or self.seats[seat] is None:
            return None
        return self.round, seat


class Notice(Struct, frozen=True, gc=False):
    """Something to tell about a match. ``persons`` are those it concerns, by seat."""

    type: NoticeType
    at: Recorded
    event: bytes
    persons: tuple[tuple[int, str], ...]


class YourTurn(Struct, frozen=True, gc=False, tag_field="type", tag="your_turn"):
    """That a match waits for a seat, and for what. No event of the log: it follows from them."""

    seat: Seat
    pending: Pending


def table_after(table: Table, recorded: Recorded) -> Table:
    """The table after an event; one that cannot be read changes nothing but the version."""
    try:
        event: Any = recorded.event
    except (UnknownEvent, msgspec.DecodeError):
        return replace(table, version=recorded.version)
    change = _CHANGES.get(type(event))
    changed = table if change is None else change(table, event)
    turn = getattr(event, "turn", None)
    if turn is not None:
        pending = getattr(event, "pending", None) or Pending.TURN
        waits = None if pending is Pending.NONE else turn
        changed = replace(changed, waits_for=waits, pending=pending)
    if isinstance(event, RoundStarted | PositionPlaced):
        changed = replace(changed, round=event.round)
    return replace(changed, version=recorded.version)


def notices_of(table: Table, command: Sequence[Recorded]) -> tuple[Table, tuple[Notice, ...]]:
    """What the events of one command are worth telling, and the table after them.

    Whom the match waits for is told once all of the command has happened.
    """
    notices: list[Notice] = []
    before = table.call
    for recorded in command:
        table = table_after(table, recorded)
        if recorded.type in _TOLD:
            persons = _concerned(table, recorded)
            notices.append(Notice(NoticeType(recorded.type), recorded, recorded.data, persons))
    call = table.call
    if call is not None and call != before:
        seat = call[1]
        event = _encoder.encode(YourTurn(seat, table.pending))
        who = table.seats[seat]
        assert who is not None
        notices.append(Notice(NoticeType.YOUR_TURN, command[-1], event, ((seat, who),)))
    return table, tuple(notices)


def _concerned(table: Table, recorded: Recorded) -> tuple[tuple[int, str], ...]:
    """The persons whom an event concerns: all, or those who sit down at a tournament's table."""
    persons = tuple((seat, who) for seat, who in enumerate(table.seats) if who)
    if recorded.type != NoticeType.TABLE_OPENED:
        return persons
    try:
        opened: Any = recorded.event
    except (UnknownEvent, msgspec.DecodeError):
        return ()
    playing = {one for one, bot in zip(opened.seats, opened.bots, strict=True) if bot is None}
    return tuple((entrant, who) for entrant, who in persons if entrant in playing)


def _entered(table: Table, event: EntrantJoined | BotEntered | EntrantReplaced) -> Table:
    """Somebody has a number from now on: a new one, or one that was another's."""
    player = None if isinstance(event, BotEntered) else event.player
    seats = (*table.seats[: event.entrant], player, *table.seats[event.entrant + 1 :])
    return replace(table, seats=seats)


def _withdrew(table: Table, event: EntrantLeft) -> Table:
    """Before the start one has no number any more; later one is still told of the end."""
    if table.has_started:
        return table
    seats = (*table.seats[: event.entrant], None, *table.seats[event.entrant + 1 :])
    return replace(table, seats=seats)


def _joined(table: Table, event: PlayerJoined) -> Table:
    return replace(table, seats=(*table.seats, event.player))


def _bot_seated(table: Table, event: BotSeated) -> Table:
    return replace(table, seats=(*table.seats, None))


def _left(table: Table, event: PlayerLeft) -> Table:
    """Before the start the seats above move down; later the seat stays, perhaps with a bot."""
    if not table.has_started:
        return replace(table, seats=table.seats[: event.seat] + table.seats[event.seat + 1 :])
    return table if event.bot is None else replace(table, away=table.away | {event.seat})


def _returned(table: Table, event: PlayerReturned) -> Table:
    return replace(table, away=table.away - {event.seat})


def _started(table: Table, event: MatchStarted | TournamentStarted) -> Table:
    return replace(table, has_started=True)


def _waits_no_more(table: Table, event: Event) -> Table:
    return replace(table, waits_for=None, pending=Pending.NONE)


_TOLD: Final = frozenset(NoticeType) - {NoticeType.YOUR_TURN}
_CHANGES: Final[dict[type[Event], Callable[[Table, Any], Table]]] = {
    PlayerJoined: _joined,
    BotSeated: _bot_seated,
    PlayerLeft: _left,
    PlayerReturned: _returned,
    MatchStarted: _started,
    EntrantJoined: _entered,
    BotEntered: _entered,
    EntrantReplaced: _entered,
    EntrantLeft: _withdrew,
    TournamentStarted: _started,
    **dict.fromkeys(
        (RoundEnded, RoundBlocked, RoundVoided, MatchEnded, MatchAbandoned, MatchVoided),
        _waits_no_more,
    ),
}
_encoder: Final = msgspec.json.Encoder()
