"""The log in memory as auditors search it: by looking through all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from domain.audit.record import event_line, id_text
from domain.ports import EventLog, Recorded
from domain.search import TELLING, TOLD_BY, Anomaly, StoredLine, anomalies_of

_ALL: Final = 2**31 - 1


class MemorySearch:
    """LogSearch over any EventLog that is small."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def matches(
        self, before: bytes | None, limit: int, anomaly: Anomaly | None = None
    ) -> tuple[bytes, ...]:
        """Streams by descending id, before one: see LogSearch."""
        found = {
            one.stream
            for one in await self._log.follow(0, _ALL)
            if anomaly is None or one.type == TOLD_BY[anomaly]
        }
        ids = sorted((id for id in found if before is None or id < before), reverse=True)
        return tuple(ids[:limit])

    async def anomalies(self, matches: Sequence[bytes]) -> Mapping[bytes, frozenset[Anomaly]]:
        """What went amiss in matches: see LogSearch."""
        found: dict[bytes, frozenset[Anomaly]] = {}
        for match in matches:
            events = (await self._log.read(match)).events
            told = anomalies_of(one.event for one in events if one.type in TELLING)
            if told:
                found[match] = told
        return found

    async def stored(self, after: int, limit: int) -> tuple[StoredLine, ...]:
        """Events of all streams after a position, in order."""
        return tuple(_line(one) for one in await self._log.follow(after, limit))


def _line(one: Recorded) -> StoredLine:
    line = event_line(one)
    return StoredLine(
        id_text(one.stream), *(getattr(line, name) for name in line.__struct_fields__)
    )
