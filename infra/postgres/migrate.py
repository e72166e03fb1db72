"""Brings a database to the schema of this program. Not here: the schema (``migrations``).

It starts a loop of its own: call it before the server's, or in a thread.
"""

from __future__ import annotations

import asyncio
from importlib.resources import files
from typing import Final

import asyncpg
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, pool
from sqlalchemy.ext.asyncio import create_async_engine

from infra.postgres.roles import ensure_role

_LOCK: Final = int.from_bytes(b"talon-mg", "big")
"""Key of the session lock: of several processes that start together, one migrates."""


def upgrade(url: str) -> None:
    """Run the steps that are missing, and give the service's role its rights; idempotent."""
    asyncio.run(_upgrade(url))


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


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("migrations")))
    return config
