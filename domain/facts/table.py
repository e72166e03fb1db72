"""The type of a table of facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.events import Event
from domain.match import Match, Round

Facts = Mapping[type[Event], Callable[[Match, Any], Match]]
"""By type of event: the match after it, its version aside. Each function takes its own type."""
RoundFacts = Mapping[type[Event], Callable[[Match, Any], Round]]
"""By type of event that changes nothing but the running round: the round after it."""
