"""The match after an event, and after many: one function an event, looked up in a table.

Not here: whether an event may happen (``domain.decide``). An event that contradicts the log
before it, or the round's seed, raises ``CorruptLog``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from domain.events import EVENT_TYPES, Event, SeedRevealed
from domain.facts import clock, hands, leaving, lobby, penalties, rounds, turns
from domain.facts.clock import heard
from domain.facts.corrupt import CorruptLog
from domain.facts.table import Facts, RoundFacts
from domain.match import Match

__all__ = ["CorruptLog", "evolve", "fold"]


def evolve(match: Match, event: Event) -> Match:
    """The match after ``event``, one version on. Total: events are facts, not requests."""
    kind, version = type(event), match.version + 1
    of_the_round = _OF_THE_ROUND.get(kind)
    if of_the_round is None:
        after = replace(_FACTS[kind](match, event), version=version)
    else:
        after = replace(match, round=of_the_round(match, event), version=version)
    return heard(after, event) if after.silences else after


def fold(events: Iterable[Event], match: Match) -> Match:
    """The match after all ``events``. Seeds that they reveal are known from the start."""
    events = tuple(events)
    revealed = {e.round: bytes.fromhex(e.seed) for e in events if isinstance(e, SeedRevealed)}
    if revealed:
        match = replace(match, secrets={**match.secrets, **revealed})
    for event in events:
        match = evolve(match, event)
    return match


_FACTS: Final[Facts] = {
    **lobby.FACTS,
    **leaving.FACTS,
    **rounds.FACTS,
    **clock.FACTS,
    **hands.FACTS,
    **penalties.FACTS,
}
_OF_THE_ROUND: Final[RoundFacts] = turns.FACTS
assert _FACTS.keys() ^ _OF_THE_ROUND.keys() == set(EVENT_TYPES), "every event has exactly one fact"
