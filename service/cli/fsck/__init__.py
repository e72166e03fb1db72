"""Look through a whole database: whether all that is stored is what was written.

Of every match the chain over the stored bytes, the head, the sealed seeds, and every card that
follows from them; of the log its positions, its tree and every checkpoint; what was signed last, by
the note in the data folder; and what is in Redis. It reads one moment, beside a running service,
and changes nothing. The exit code is 0 if all is whole, 3 if something is broken (a line for each
match that is, and the first event that is broken in it), 1 if it could not be looked at, 2 misused.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from service.cli.failure import Failure, Misuse
from service.cli.flags import add_data, settings_of
from service.cli.fsck.report import Reporter
from service.settings import Settings

if TYPE_CHECKING:
    from service.cli.fsck.work import Place


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command; some stand for settings and win over their variables."""
    parser.add_argument("--database-url", help="the database (TALON_DATABASE_URL; the embedded)")
    parser.add_argument("--redis-url", help="the Redis (TALON_REDIS_URL; the embedded)")
    add_data(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes at work (one a core)"
    )
    parser.add_argument(
        "--after-restore",
        action="store_true",
        help="once after a restore, before the service is started: every open match is dealt anew,"
        " and a log that went back behind what was signed takes another name; may be run again",
    )
    parser.add_argument(
        "--again", action="store_true", help="with --after-restore: it is another restore"
    )
    parser.add_argument("--no-projections", action="store_true", help="leave out what is in Redis")


def run(args: argparse.Namespace) -> int:
    """Look through the database of the settings, or the embedded one."""
    from domain.ports import Unavailable
    from infra.postgres.pool import NotMigrated
    from infra.sealing import SealKeyError
    from service.cli.beside import both, database

    if args.jobs < 1:
        raise Misuse("--jobs is 1 or more")
    if args.again and not args.after_restore:
        raise Misuse("--again goes with --after-restore")
    settings = settings_of(args)
    reporter = Reporter(as_json=args.json)
    without = (
        args.no_projections
        or args.after_restore
        or (settings.database_url and not settings.redis_url)
    )
    try:
        if without:
            if not (args.no_projections or args.after_restore):
                reporter.remark("no Redis is named: projections are not compared")
            with database(settings) as url:
                place = asyncio.run(_look(settings, url, None, args.jobs, reporter))
                if args.after_restore:
                    return _after_restore(settings, place, reporter, again=args.again)
        else:
            with both(settings) as (url, redis_url):
                asyncio.run(_look(settings, url, redis_url, args.jobs, reporter))
    except (NotMigrated, SealKeyError, Unavailable) as error:
        raise Failure(f"the database cannot be looked at: {error}") from error
    reporter.close()
    return reporter.code


async def _look(
    settings: Settings, url: str, redis_url: str | None, jobs: int, reporter: Reporter
) -> Place:
    from service.cli.fsck.work import Place, looked_through

    place = Place(
        database_url=url,
        seal_key=_seal_key(settings),
        redis_url=redis_url,
        redis_prefix=settings.redis_prefix,
        told=await _told(settings, url),
    )
    async for done in looked_through(place, jobs):
        reporter.tell(done)
    return place


def _after_restore(settings: Settings, place: Place, reporter: Reporter, *, again: bool) -> int:
    """Deal anew, unless more is broken than that the log went back."""
    from service.cli.fsck.after import after_restore

    if reporter.broken > reporter.went_back:
        reporter.close()
        raise Failure("nothing was changed: what was restored is broken")
    told = after_restore(settings, place, went_back=reporter.went_back, again=again)
    for line in asyncio.run(told):
        print(line)
    return 0


async def _told(settings: Settings, url: str) -> str | None:
    """The note of the checkpoint that was signed last, kept outside the database."""
    from infra.postgres.keys import PostgresKeys
    from infra.postgres.pool import open_pool
    from infra.proofs.last_signed import LastSignedFile
    from service.app.keeping import name_in

    pool = await open_pool(url, size=1)
    try:
        origin = await name_in(settings, PostgresKeys(pool))
    finally:
        await pool.close()
    return None if origin is None else await LastSignedFile(Path(settings.data)).load(origin)


def _seal_key(settings: Settings) -> str:
    """The seal key; raises Failure where it would have to be made, which opens nothing."""
    from infra.embedded.folder import DataFolder
    from service.cli import seal

    folder = DataFolder(Path(settings.data))
    if settings.seal_key is None and not (folder.path / seal.FILE).exists():
        raise Failure(
            f"the seal key is neither in TALON_SEAL_KEY nor in {folder.path / seal.FILE}:"
            " without it no sealed seed can be looked at"
        )
    return seal.seal_key(settings, folder)
