"""A decision of several events, each made in view of those before it.

Not here: what the events are. A move that makes one event needs no draft.
"""

from __future__ import annotations

from domain.events import Event
from domain.evolve import evolve
from domain.facts.turns import running
from domain.match import Match, Round


class Draft:
    """The events decided so far, and the match as they leave it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._events: list[Event] = []

    def add(self, event: Event) -> None:
        """Let something happen."""
        self._events.append(event)
        self.match = evolve(self.match, event)

    @property
    def round(self) -> Round:
        """The running round as it stands by now."""
        return running(self.match)

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happens, in order."""
        return tuple(self._events)
