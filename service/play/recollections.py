"""What bots remember: the public events of their matches, read from the log as any client may.

It follows from the log alone, so that any process that moves a bot remembers the same.
"""

from __future__ import annotations

from typing import Final

from domain.bots.memory import NOTHING, Memory, recall
from domain.match import Match
from domain.ports import EventLog

_MATCHES_MAX: Final = 1_000
"""Matches remembered at once; the others are read again when their bots move."""


class Recollections:
    """Memories by match, brought up to date when they are asked for."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._known: dict[bytes, tuple[int, Memory]] = {}

    async def of(self, match: Match) -> Memory:
        """What is to be remembered of a match at its version; raises Unavailable."""
        version, memory = self._known.pop(match.id, (0, NOTHING))
        if version > match.version:
            version, memory = 0, NOTHING
        if version < match.version:
            stream = await self._log.read(match.id, version)
            news = [one.event for one in stream.events if one.version <= match.version]
            memory = recall(news, memory)
        self._known[match.id] = match.version, memory
        while len(self._known) > _MATCHES_MAX:
            self._known.pop(next(iter(self._known)))
        return memory
