"""Bring the database to the newest schema.

`talon serve` does so when it starts; this command is for those who deploy in steps. The login
must be able to create tables, and the role that the service works under.
"""

from __future__ import annotations

import argparse
import asyncio
from typing import Final

from service.cli.failure import Failure
from service.cli.flags import add_data, database_of, settings_of

POSTGRES_OLDEST: Final = 150_000
"""Postgres 15, as ``server_version_num`` says it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """There are none but the data folder: the settings say where the database is."""
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    """Migrate the database of the settings, or the embedded one."""
    from infra.postgres.schema import head
    from service.cli.beside import database

    settings = settings_of(args)
    with database(settings) as url:
        bring_up_to_date(url)
        take_steps(url)
    print(f"{database_of(settings)} is at {head()}")
    return 0


def bring_up_to_date(url: str) -> None:
    """Run the steps that are missing, if any; raises Failure.

    A login that may not migrate is enough for a database that somebody else has migrated.
    """
    import asyncpg

    from infra.postgres.schema import at_head

    try:
        found = asyncio.run(_server_version(url))
        if found < POSTGRES_OLDEST:
            raise Failure(f"Postgres 15 or newer is needed, this one is {found // 10_000}")
        if not at_head(url):
            take_steps(url)
    except (OSError, asyncpg.PostgresError) as error:
        raise Failure(f"the database cannot be used: {error}") from error


def take_steps(url: str) -> None:
    """Run the steps that are missing and give the service's role its rights; raises Failure."""
    import asyncpg
    from alembic.util import CommandError
    from sqlalchemy.exc import SQLAlchemyError

    from infra.postgres.migrate import upgrade

    try:
        upgrade(url)
    except (CommandError, OSError, SQLAlchemyError, asyncpg.PostgresError) as error:
        raise Failure(f"the database cannot be migrated: {error}") from error


async def _server_version(url: str) -> int:
    import asyncpg

    connection = await asyncpg.connect(url, timeout=10)
    try:
        return int(await connection.fetchval("show server_version_num"))
    finally:
        await connection.close()
