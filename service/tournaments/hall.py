"""Where tournaments are held: what takes them on, put together over play and stores."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from msgspec import Struct

from domain.ports import EventLog, Registry
from domain.tournaments.lines import TournamentLines
from service.play.matches import Matches
from service.play.times import now_us
from service.settings import Settings
from service.tournaments.handle import Tournaments
from service.tournaments.runner import NewMatchId, Runner, new_match_id
from service.tournaments.tables import Tables


class Chance(Struct, frozen=True):
    """What nobody decides: the time, random bytes, and the ids of new matches."""

    now: Callable[[], int] = now_us
    entropy: Callable[[int], bytes] = secrets.token_bytes
    names: NewMatchId = new_match_id


@asynccontextmanager
async def open_hall(
    play: Matches,
    log: EventLog,
    registry: Registry,
    lines: TournamentLines,
    settings: Settings,
    stopping: asyncio.Event,
    chance: Chance,
) -> AsyncIterator[Tournaments]:
    """Tournaments that go on while this is open; it is closed before play is."""
    tournaments = Tournaments(
        log,
        lines,
        heartbeat_seconds=settings.heartbeat_seconds,
        stopping=stopping,
        clock=chance.now,
        entropy=chance.entropy,
    )
    runner = Runner(tournaments, Tables(play, registry), log, chance.names)
    play.told.append(runner.match_moved)
    runner.start()
    try:
        yield tournaments
    finally:
        await runner.stop()
        await tournaments.stop()
