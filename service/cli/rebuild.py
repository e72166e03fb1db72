"""Compute all that follows from the log again, beside what is there, then switch over.

Works beside a running service, which goes on meanwhile. Nothing is lost if it is broken off.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path

from service.cli.failure import Failure
from service.cli.flags import add_data, settings_of
from service.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """There are none but the data folder: the settings say where the servers are."""
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    """Rebuild on the servers of the settings, or on the embedded ones."""
    import msgspec

    from domain.ports import Unavailable
    from infra.embedded.folder import DataFolder
    from infra.postgres.pool import NotMigrated
    from infra.projections.projected import PoisonEvent
    from infra.redis.generations import BuildLost
    from infra.sealing import SealKeyError
    from service.cli.beside import both
    from service.cli.seal import seal_key

    settings = settings_of(args)
    key = seal_key(settings, DataFolder(Path(settings.data)))
    with both(settings) as (database_url, redis_url):
        complete = msgspec.structs.replace(
            settings, database_url=database_url, redis_url=redis_url, seal_key=key
        )
        try:
            print(asyncio.run(_rebuild(complete)))
        except BuildLost as error:
            raise Failure("another rebuild is at work") from error
        except (NotMigrated, PoisonEvent, SealKeyError, Unavailable) as error:
            raise Failure(str(error)) from error
    return 0


async def _rebuild(settings: Settings) -> str:
    """What was done, in a sentence."""
    from infra.postgres.rankings import PostgresRankings
    from infra.postgres.tallies import PostgresTallies
    from infra.projections.ranking_copy import RankingCopy
    from infra.projections.tally_rebuild import rebuild_tallies
    from infra.redis.rankings import RedisRankings
    from service.app.stores import open_stores

    started = time.monotonic()
    async with open_stores(settings) as stores:
        done = await stores.rebuilder().run()
        tallies = PostgresTallies(stores.log.pool)
        counted = await rebuild_tallies(stores.log, stores.scan, stores.registry, tallies)
        rankings = RedisRankings(stores.server)
        copy = RankingCopy(PostgresRankings(stores.log.pool), rankings)
        while not await copy.fill(await rankings.epoch()):
            pass
    return (
        f"rebuilt the views of {done.matches} matches, the boards up to position {done.position},"
        f" statistics and leaderboards up to position {counted}"
        f" in {time.monotonic() - started:.1f} s; removed {done.removed} old keys"
    )
