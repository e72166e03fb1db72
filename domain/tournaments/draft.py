"""A decision of several events about a tournament, each made in view of those before it."""

from __future__ import annotations

from domain.event import Event
from domain.tournaments.evolve import evolve
from domain.tournaments.tournament import Tournament


class Draft:
    """The events decided so far, and the tournament as they leave it."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self._events: list[Event] = []

    def add(self, event: Event) -> None:
        """Let something happen."""
        self._events.append(event)
        self.tournament = evolve(self.tournament, event)

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happens, in order."""
        return tuple(self._events)
