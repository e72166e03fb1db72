"""Keeps statistics, ratings and leaderboards up with the log, in the process that leads.

The leaderboards in Redis are a copy: while it is away, all else goes on.
"""

from __future__ import annotations

import asyncio
import logging
import random
from contextlib import suppress
from typing import Final, Protocol

from domain.ports import StaleLeader, Unavailable
from infra.postgres.log import PostgresLog
from infra.postgres.pool import connect
from infra.postgres.rankings import PostgresRankings
from infra.postgres.tallies import PostgresTallies
from infra.projections.board_consumer import BoardsAhead
from infra.projections.leader import Leader
from infra.projections.postgres_leader import TALLIES_LOCK, PostgresLeader
from infra.projections.postgres_scan import PostgresScan
from infra.projections.ranking_copy import RankingCopy
from infra.projections.scan import LogGap
from infra.projections.tally_consumer import MatchKeeping, TallyConsumer
from infra.projections.turns import take_turns
from infra.redis.rankings import RedisRankings

POLL_SECONDS: Final = 0.25
"""How far the tallies may lag behind a quiet log."""
RETRY_SECONDS: Final = 1.0
"""After an outage, and between attempts to take the lead."""

_logger: Final = logging.getLogger(__name__)


class Forgetful(Protocol):
    """The part of the tallies' store that a new leader begins with."""

    async def forget_erased(self) -> int:
        """Forget the persons who were erased while this could not be told; how many."""


class TallyRunner:
    """The loop of one process that counts if it leads, or waits to."""

    def __init__(
        self, leader: Leader, consumer: TallyConsumer, store: Forgetful, copy: RankingCopy
    ) -> None:
        self._leader = leader
        self._consumer = consumer
        self._store = store
        self._copy = copy
        self._begun_epoch: int | None = None
        self.failure: str | None = None
        """Why counting has stopped for good, or is waiting."""
        self.is_leading = False
        """Whether this process led when it last looked."""

    @property
    def position(self) -> int:
        """Up to where the log was last known to be counted."""
        return self._consumer.position

    async def run(self, stopping: asyncio.Event) -> None:
        """Keep up until ``stopping`` is set; ends early, and loudly, only if the log is damaged."""
        try:
            await take_turns(self._turn_or_fail, stopping)
        finally:
            self.is_leading = False
            await self._leader.resign()

    async def _turn_or_fail(self) -> float | None:
        """Do a piece of work; the seconds to wait until the next, None if there can be none."""
        try:
            epoch = await self._leader.epoch()
            self.is_leading = epoch is not None
            if epoch is None:
                return RETRY_SECONDS * random.uniform(1.0, 1.5)
            if self._begun_epoch != epoch:
                await self._store.forget_erased()
                self._begun_epoch = epoch
            is_behind = await self._consumer.step(epoch)
            with suppress(Unavailable):  # of Redis: counting goes on without it
                is_behind = await self._copy.step(epoch) or is_behind
        except (LogGap, BoardsAhead) as error:
            self.failure = repr(error)
            _logger.critical("statistics stop: the log is damaged, or an older one: %r", error)
            return None
        except Unavailable as error:
            self.failure = str(error)
        except StaleLeader:
            await self._leader.resign()
        except Exception as error:  # It must not end the loop; it is tried again.
            _logger.exception("statistics failed")
            self.failure = repr(error)
            await self._leader.resign()
        else:
            self.failure = None
            return 0.0 if is_behind else POLL_SECONDS
        return RETRY_SECONDS


def tallying_on_postgres(
    url: str, log: PostgresLog, registry: MatchKeeping, rankings: RedisRankings
) -> TallyRunner:
    """The loop of one process on Postgres, and the copy of the leaderboards in Redis."""
    store, copy = PostgresTallies(log.pool), RankingCopy(PostgresRankings(log.pool), rankings)
    consumer = TallyConsumer(log, PostgresScan(log.pool), registry, store)
    return TallyRunner(PostgresLeader(lambda: connect(url), TALLIES_LOCK), consumer, store, copy)
