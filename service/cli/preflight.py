"""Whether the log can be opened, asked before the workers are: so a person reads one sentence."""

from __future__ import annotations

import asyncio

from service.cli.failure import Failure
from service.settings import Settings


def check(settings: Settings) -> None:
    """Open the log as a worker will, and close it; raises Failure."""
    from domain.ports import Unavailable
    from infra.postgres.pool import NotMigrated
    from infra.sealing import SealKeyError

    try:
        asyncio.run(_open_and_close(settings))
    except (NotMigrated, SealKeyError, Unavailable) as error:
        raise Failure(f"the database cannot be used: {error}") from error


async def _open_and_close(settings: Settings) -> None:
    from infra.postgres.log import PostgresLog
    from infra.postgres.restores import PostgresRestores
    from infra.sealing import Sealer, key_from

    sealer = Sealer(key_from(str(settings.seal_key)))
    log = await PostgresLog.open(str(settings.database_url), sealer, pool_size=1)
    try:
        restore = await PostgresRestores(log.pool).newest()
    finally:
        await log.close()
    if restore is not None and restore.done_at is None:
        raise Failure(
            "what a restore asks for was broken off: run `talon fsck --after-restore` again"
        )
