"""What events change in the lobby. Pure: no store, no clock.

Unlike a fold of the match this needs no seed and no hand, so it reads 1 event in 60.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from domain.events import (
    BotSeated,
    Event,
    MatchAbandoned,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    MatchVoided,
    PlayerJoined,
    PlayerLeft,
)
from domain.match import Occupant, Status
from domain.ports import MatchLine, Recorded


class Misfit(Exception):  # noqa: N818
    """An event that does not fit what came before it in its match."""


def line_after(line: MatchLine | None, recorded: Recorded) -> MatchLine:
    """A match's line after an event of a HANDLED type.

    Raises Misfit, or what decoding raises, if the event cannot be understood.
    """
    change, event = _CHANGES[recorded.type], recorded.event
    if isinstance(event, MatchCreated):
        return _created(recorded, event)
    if line is None:
        raise Misfit(f"{recorded.type} of a match whose creation was not seen")
    return change(line, event)


def _created(recorded: Recorded, event: MatchCreated) -> MatchLine:
    return MatchLine(
        recorded.stream,
        recorded.position,
        recorded.occurred_at,
        visibility=event.visibility,
        practice=event.practice,
        options=event.options,
        seats_total=event.seats,
    )


def _joined(line: MatchLine, event: PlayerJoined) -> MatchLine:
    return replace(line, seats=(*line.seats, Occupant(player=event.player)))


def _bot_seated(line: MatchLine, event: BotSeated) -> MatchLine:
    return replace(line, seats=(*line.seats, Occupant(bot=event.level)))


def _left(line: MatchLine, event: PlayerLeft) -> MatchLine:
    """Before the start the seats above move down; later the seat stays theirs."""
    if line.status is not Status.OPEN:
        return line
    return replace(line, seats=line.seats[: event.seat] + line.seats[event.seat + 1 :])


def _ended(line: MatchLine, event: MatchEnded) -> MatchLine:
    if len(event.scores) != len(line.seats):
        raise Misfit(f"{len(event.scores)} scores for {len(line.seats)} seats")
    return replace(line, status=Status.FINISHED)


def _status(status: Status) -> Callable[[MatchLine, Any], MatchLine]:
    return lambda line, _: replace(line, status=status)


_EVENTS: Final[dict[type[Event], Callable[[MatchLine, Any], MatchLine]]] = {
    MatchCreated: lambda line, _: line,
    PlayerJoined: _joined,
    BotSeated: _bot_seated,
    PlayerLeft: _left,
    MatchStarted: _status(Status.RUNNING),
    MatchEnded: _ended,
    MatchAbandoned: _status(Status.ABANDONED),
    MatchVoided: _status(Status.VOIDED),
}
_CHANGES: Final = {str(kind.__struct_config__.tag): change for kind, change in _EVENTS.items()}
HANDLED: Final = frozenset(_CHANGES)
"""The types of events that the lobby and the boards are made of; others, those of a later release
included, change nothing here."""
