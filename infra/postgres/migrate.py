"""Brings a database to the schema of this program. Not here: the schema (``migrations``).

Both functions start a loop of their own: call them before the server's, or in a thread.
"""

from __future__ import annotations

import asyncio
from importlib.resources import files
from typing import Final

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, pool
from sqlalchemy.ext.asyncio import create_async_engine

from infra.postgres.roles import ROLE, ensure_role

_LOCK: Final = int.from_bytes(b"talon-mg", "big")
"""Key of the session lock: of several processes that start together, one migrates."""


def upgrade(url: str) -> None:
    """Run the steps that are missing, and give the service's role its rights; idempotent."""
    asyncio.run(_upgrade(url))


def at_head(url: str) -> bool:
    """Whether the database has every step and the service's role."""
    return asyncio.run(_at_head(url))


def head() -> str | None:
    """The newest step of this program."""
    return ScriptDirectory.from_config(_config()).get_current_head()


async def _upgrade(url: str) -> None:
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url), poolclass=pool.NullPool
    )
    try:
        async with engine.connect() as connection:
            await connection.exec_driver_sql(f"SELECT pg_advisory_lock({_LOCK})")
            await connection.commit()
            await connection.run_sync(_run_steps)
            await connection.exec_driver_sql(ensure_role())
            await connection.commit()
    finally:
        await engine.dispose()


def _run_steps(connection: Connection) -> None:
    """Alembic reads the version on this connection, and so under the lock."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


async def _at_head(url: str) -> bool:
    connection = await asyncpg.connect(url)
    try:
        found = await connection.fetchval("SELECT version_num FROM alembic_version")
        role = await connection.fetchval(f"SELECT to_regrole({ROLE})::text")
        return found == head() and role is not None
    except asyncpg.UndefinedTableError:
        return False
    finally:
        await connection.close()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("migrations")))
    return config
