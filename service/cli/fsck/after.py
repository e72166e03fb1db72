"""What has to be done once after a restore, before anybody plays on: ``fsck --after-restore``.

Every open match is dealt anew, since players may have seen the seeds of what was lost; and where
the log went back behind a signed checkpoint it takes another name. It may be broken off and run
again.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from domain.audit.statements import origin_of
from infra.memory_views import MemoryHints, MemoryViews
from infra.postgres.keys import PostgresKeys
from infra.postgres.log import PostgresLog
from infra.postgres.pool import connect
from infra.postgres.restores import PostgresRestores, Restore
from infra.postgres.tallies import PostgresTallies
from infra.projections.postgres_leader import CHECKPOINT_LOCK, PostgresLeader
from infra.sealing import Sealer, key_from
from service.cli.failure import Failure
from service.cli.fsck.work import Place
from service.play.contract import Busy
from service.play.matches import Matches
from service.play.times import now_us, rfc3339
from service.restored import Anew, deal_all_anew
from service.settings import Settings


async def after_restore(
    settings: Settings, place: Place, *, went_back: bool, again: bool
) -> tuple[str, ...]:
    """Do it, or go on with it; what was done, in sentences. Raises Failure."""
    log = await PostgresLog.open(place.database_url, Sealer(key_from(place.seal_key)), pool_size=2)
    try:
        async with _alone(place.database_url):
            restores = PostgresRestores(log.pool)
            restore = await _due(settings, place, log, went_back=went_back, again=again)
            if restore.done_at is not None:
                return (
                    f"nothing is to be done: matches were dealt anew at position"
                    f" {restore.position}, {rfc3339(restore.done_at)}; if the database was"
                    " restored since then, say --again",
                )
            play = Matches(log, MemoryViews(MemoryHints()), MemoryHints(), settings)
            try:
                done = await deal_all_anew(
                    restores.matches(restore), play.handler, restore.number, restore.position
                )
            except Busy as error:
                raise Failure("the log went away: run it again, it goes on") from error
            await PostgresTallies(log.pool).distrust_copies()
            await restores.finish(restore, now_us())
            return (*_said(done), *_named(restore))
    finally:
        await log.close()


async def _due(
    settings: Settings, place: Place, log: PostgresLog, *, went_back: bool, again: bool
) -> Restore:
    """The restore to see to: one that was broken off, one that is seen to, or a new one."""
    restores = PostgresRestores(log.pool)
    newest = await restores.newest()
    if newest is not None and (newest.done_at is None or not (went_back or again)):
        return newest
    origin = None
    if went_back:
        if settings.log_origin is not None:
            raise Failure(
                f"the log went back behind what was signed as {settings.log_origin}, and under that"
                " name nothing may be signed again: set another TALON_LOG_ORIGIN, here and for the"
                " service, and run this again. Keep the data folder as it is"
            )
        first = (await PostgresKeys(log.pool).kept())[0]
        origin = f"{origin_of(first)}/{secrets.token_hex(4)}"
    restore = Restore(
        number=1 if newest is None else newest.number + 1,
        position=await log.position(),
        origin=origin,
        lost=place.told if went_back else None,
        begun_at=now_us(),
    )
    await restores.begin(restore)
    return restore


@asynccontextmanager
async def _alone(database_url: str) -> AsyncIterator[None]:
    """While no service is at work on the database; raises Failure if one is."""
    leader = PostgresLeader(lambda: connect(database_url), CHECKPOINT_LOCK)
    try:
        if await leader.epoch() is None:
            raise Failure("a service is at work on this database: stop it first")
        yield
    finally:
        await leader.resign()


def _said(done: Anew) -> tuple[str, ...]:
    return (
        f"{done.dealt} matches go on with another deal, {done.bound} tables that have not started"
        " are bound to another",
    )


def _named(restore: Restore) -> tuple[str, ...]:
    if restore.origin is None:
        return ("the log keeps its name",)
    return (
        f"the log went back behind a checkpoint that was signed; it is called {restore.origin}"
        " from now on. Tell those who rely on it, with the last checkpoint of its old name:",
        str(restore.lost).rstrip("\n"),
    )
