"""Which secrets a command's events bind the service to: what the log keeps sealed from then on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.commands import Command, Context, DealAnew, PlaceMatch
from domain.events import Event, RoundCommitted
from domain.moves.place import hidden_of
from domain.placement import secret_of


def secrets_of(command: Command, events: Sequence[Event], context: Context) -> Mapping[int, bytes]:
    """By round that the events commit to: a placed position with its salt, else the fresh seed."""
    secrets = {event.round: context.seed for event in events if type(event) is RoundCommitted}
    if isinstance(command, DealAnew) and secrets:
        return {**secrets, min(secrets): command.seed}
    if isinstance(command, PlaceMatch) and secrets:
        placed = secret_of(command.salt, hidden_of(command))
        return {**secrets, command.placement.round: placed}
    return secrets
