"""The one consumer that turns ended matches into statistics and ratings, in the log's order.

Each match is folded once, when it has ended; the position moves in one step with what is counted.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from domain.events import MatchEnded, MatchVoided
from domain.ports import EventLog, MatchFacts, Recorded, SeatHolder
from domain.results import MatchResult, result_of
from domain.tallies import Outcome, TallyBatch, TallyStore
from infra.projections.board_consumer import BATCH_EVENTS, BoardsAhead
from infra.projections.projected import PoisonEvent
from infra.projections.ratings import rated
from infra.projections.scan import LogScan

RATED_MATCHES: Final = 500
"""Rated in one step: a tenth of a second of arithmetic, and one statement."""
_ENDED: Final = str(MatchEnded.__struct_config__.tag)
_VOIDED: Final = str(MatchVoided.__struct_config__.tag)

_logger: Final = logging.getLogger(__name__)


class MatchKeeping(Protocol):
    """The part of the registry that outcomes need."""

    async def seat_holders_of(
        self, matches: Sequence[bytes]
    ) -> Mapping[bytes, tuple[SeatHolder, ...]]:
        """All mappings of these matches that still exist."""

    async def match_facts(self, match: bytes) -> MatchFacts | None:
        """What is kept of a match outside the log."""


class TallyConsumer:
    """Reads the log on from the store's position. ``strict``: poison stops it (a rebuild)."""

    def __init__(
        self,
        log: EventLog,
        scan: LogScan,
        registry: MatchKeeping,
        store: TallyStore,
        *,
        strict: bool = False,
    ) -> None:
        self._log = log
        self._scan = scan
        self._registry = registry
        self._store = store
        self._strict = strict
        self.position = 0
        """Up to where the log was last known to be counted."""

    async def step(self, epoch: int) -> bool:
        """Count the next batch, and rate what can be rated; whether there may be more.

        Raises BoardsAhead, LogGap, PoisonEvent, StaleLeader, Unavailable.
        """
        state = await self._store.state()
        page = await self._scan.table_events(state.position, BATCH_EVENTS)
        is_more = not page.is_last
        if page.end == state.position:
            if await self._scan.position() < state.position:
                raise BoardsAhead
            is_more = False
        else:
            voided = {one.stream for one in page.events if one.type == _VOIDED}
            ended = [one for one in page.events if one.type == _ENDED and one.stream not in voided]
            outcomes = await self._outcomes(ended)
            batch = TallyBatch(state.position, page.end, epoch, outcomes, tuple(voided))
            if not await self._store.add(batch):
                return True
        self.position = page.end
        return await self._rate() or is_more

    async def _rate(self) -> bool:
        unrated = await self._store.unrated(RATED_MATCHES)
        if unrated is None:
            return False
        await self._store.rate(unrated, rated(unrated))
        return True

    async def _outcomes(self, ended: Sequence[Recorded]) -> tuple[Outcome, ...]:
        results = [found for one in ended if (found := await self._result(one)) is not None]
        holders = await self._registry.seat_holders_of([result.match for result in results])
        outcomes = []
        for result in results:
            facts = await self._registry.match_facts(result.match)
            persons = {held.digest: held.player for held in holders.get(result.match, ())}
            players = tuple(persons.get(seat.player) for seat in result.seats)
            outcomes.append(Outcome(result, facts.app if facts else None, players))
        return tuple(outcomes)

    async def _result(self, ended: Recorded) -> MatchResult | None:
        try:
            return result_of(ended.stream, (await self._log.read(ended.stream)).events)
        except Exception as error:  # Whatever it is, it must not stop the other matches.
            if self._strict:
                raise PoisonEvent(f"{ended.stream.hex()}: {error}") from error
            _logger.exception("a match is counted in no statistics: %s", ended.stream.hex())
            return None
