"""What is kept of a tournament: its fold, and the seed of a draw by lot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from domain.audit.replay import NOT_TO_BE
from domain.event import Event
from domain.tournaments.events import DrawCommitted, DrawRevealed, TournamentCreated
from domain.tournaments.evolve import LOT, evolve
from domain.tournaments.tournament import new_tournament


def is_tournaments(events: Sequence[Event]) -> bool:
    """Whether a stream is a tournament's, by its first event."""
    return bool(events) and type(events[0]) is TournamentCreated


def binds(event: Event) -> int | None:
    """The number of the secret that an event of a tournament commits to."""
    return LOT if type(event) is DrawCommitted else None


def shows(event: Event) -> int | None:
    """The number of the secret that an event of a tournament reveals."""
    return LOT if type(event) is DrawRevealed else None


def misfit(
    id: bytes, events: Sequence[Event], secrets: Mapping[int, bytes]
) -> tuple[int, str] | None:
    """The first event that does not follow from those before it: its place, and why; None if all
    do."""
    known = dict(secrets)
    for event in events:
        if isinstance(event, DrawRevealed):
            with suppress(ValueError):  # hex that is none, as folding says
                known[LOT] = bytes.fromhex(event.seed)
    tournament = new_tournament(id, known)
    for place, event in enumerate(events):
        try:
            tournament = evolve(tournament, event)
        except NOT_TO_BE as error:
            return place, f"this cannot be: {error!r}"
    return None
