"""What time alone brings about: clocks that run out, bots whose process is gone, idle matches.

Every process sweeps; doing a thing twice is refused by the log, so that it does no harm.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from domain.clock import deadline
from domain.commands import SERVICE, AbandonMatch, ActorKind, RunOutClock, ServiceCommand
from domain.events import AbandonReason
from domain.limits import IDLE_DAYS
from domain.match import Match
from domain.ports import EventLog, Unavailable
from domain.refusals import RuleViolation
from service.play.background import Background
from service.play.bots import Bots
from service.play.command_ids import command_id
from service.play.contract import Ask, Busy, Folded, NoMatch, StaleVersion
from service.play.handle import Handler
from service.play.tables import Tables
from service.play.times import DAY, SECOND

_log: Final = logging.getLogger("talon.play")
DUE_SECONDS: Final = 1.0
IDLE_SECONDS: Final = 600.0
"""How often each is looked for; half as much again at random, so that processes take turns."""
SWEEP_MAX: Final = 100
"""Matches per sweep: the rest is there at the next."""
RESUMED_MAX: Final = 10_000
"""Remembered versions of matches that were due: each is resumed once in AGAIN_SECONDS."""
AGAIN_SECONDS: Final = 10
"""How soon a process resumes a match that has not moved since: the log may have been away, or its
bots may have nothing that they can do, which must not cost much."""


class Sweep:
    """Looks for due and for idle matches, and sees to them."""

    def __init__(
        self,
        log: EventLog,
        tables: Tables,
        handler: Handler,
        bots: Bots,
        clock: Callable[[], int],
    ) -> None:
        self._log = log
        self._tables = tables
        self._handler = handler
        self._bots = bots
        self._clock = clock
        self._resumed: OrderedDict[bytes, tuple[int, int]] = OrderedDict()
        self._background = Background()

    def start(self) -> None:
        """Begin to sweep."""
        self._background.keep("sweep of due matches", self._sweep_due)
        self._background.keep("sweep of idle matches", self._sweep_idle)

    async def stop(self) -> None:
        """Stop sweeping."""
        await self._background.stop()

    async def resume_due(self) -> None:
        """Act where a clock has run out, or bots' own process did not move them in time."""
        for match_id in await self._log.due(self._clock(), SWEEP_MAX):
            folded = await self._current(match_id)
            if folded is None:
                continue
            until = deadline(folded.match)
            if until is not None and until <= self._clock():
                await self._run_out(folded.match, until)
            elif self._may_resume(folded.match) and self._bots.resume(folded.match):
                self._remember(folded.match)

    async def abandon_idle(self) -> None:
        """Abandon the matches without an event for IDLE_DAYS (AWAY-9)."""
        before = self._clock() - IDLE_DAYS * DAY
        for match_id in await self._log.idle(before, SWEEP_MAX):
            folded = await self._current(match_id)
            if folded and not folded.match.is_over and folded.occurred_at < before:
                await self._abandon(match_id, folded.match.version)

    async def _current(self, match_id: bytes) -> Folded | None:
        """A match as the log has it; None if it cannot be read, which must not stop the sweep."""
        try:
            return await self._tables.current(match_id)
        except (Unavailable, Busy):
            return None
        except Exception:
            _log.exception("match %s cannot be read", match_id.hex())
            return None

    async def _run_out(self, match: Match, until: int) -> None:
        """Act for who has not, on the very version on which the time was found to have passed."""
        try:
            await self._do(match.id, match.version, "clock", RunOutClock(until))
        except (StaleVersion, RuleViolation):
            _log.info("somebody acted just in time")
        except (Busy, NoMatch) as error:
            _log.warning("a clock could not run out: %r", error)

    async def _abandon(self, match_id: bytes, version: int) -> None:
        try:
            await self._do(match_id, version, "idle", AbandonMatch(AbandonReason.IDLE))
        except StaleVersion:
            _log.info("an idle match has been touched in time")
        except (RuleViolation, Busy, NoMatch) as error:
            _log.warning("an idle match could not be abandoned: %r", error)

    async def _do(self, match_id: bytes, version: int, what: str, command: ServiceCommand) -> None:
        """Send a command once among all processes: its id follows from match and version."""
        ask = Ask(
            actor=SERVICE,
            command=command,
            command_id=command_id(match_id, ActorKind.SERVICE, None, f"{what}:{version}"),
            if_match=version,
        )
        await self._handler.execute(match_id, ask)

    def _may_resume(self, match: Match) -> bool:
        """Whether this process has not resumed the match at this version, or long ago."""
        version, at = self._resumed.get(match.id, (0, 0))
        return version != match.version or self._clock() - at >= AGAIN_SECONDS * SECOND

    def _remember(self, match: Match) -> None:
        self._resumed[match.id] = match.version, self._clock()
        self._resumed.move_to_end(match.id)
        if len(self._resumed) > RESUMED_MAX:
            self._resumed.popitem(last=False)

    async def _sweep_due(self) -> None:
        await asyncio.sleep(DUE_SECONDS * random.uniform(1.0, 1.5))
        await self.resume_due()

    async def _sweep_idle(self) -> None:
        await asyncio.sleep(IDLE_SECONDS * random.uniform(1.0, 1.5))
        await self.abandon_idle()
