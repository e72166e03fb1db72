"""Where a run takes place: a service of its own, and databases that are gone afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import msgspec
import redis.asyncio
from msgspec import Struct

from infra.embedded.folder import Running
from infra.postgres.migrate import upgrade
from service.cli.bench import processes
from service.cli.demo.own_service import own_service
from service.cli.failure import Failure

ANNOUNCED_SECONDS: Final = 30
"""Between the first worker that serves and the last one."""


class NoPlace(Failure):
    """The run cannot take place; the message says why."""


class Place(Struct, frozen=True):
    """A running service, its servers, and where their processes are (None: not here)."""

    url: str
    service: int
    database_url: str
    redis_url: str
    redis_prefix: str
    postgres: int | None
    redis: int | None


@asynccontextmanager
async def place(
    database_url: str | None,
    redis_url: str | None,
    workers: int,
    more: Mapping[str, str] = MappingProxyType({}),
) -> AsyncIterator[Place]:
    """A service over embedded servers, or over a new database on the servers named.

    ``more`` are settings besides, by the names of their variables.
    """
    prefix = _name_of_run(database_url)
    settings = {
        "TALON_WORKERS": str(workers),
        "TALON_REDIS_PREFIX": prefix,
        "TALON_OPEN_REGISTRATION": "true",
        "TALON_LOG_LEVEL": "warning",
        **more,
    }
    async with contextlib.AsyncExitStack() as stack:
        if database_url is not None:
            database_url = await stack.enter_async_context(fresh_database(database_url))
            settings["TALON_DATABASE_URL"] = database_url
        if redis_url is not None:
            settings["TALON_REDIS_URL"] = redis_url
            stack.push_async_callback(_forget_keys, redis_url, prefix)
        own = await stack.enter_async_context(own_service(settings))
        if database_url is None or redis_url is None:
            running = await _announced(own.folder)
            database_url = database_url or running.database_url
            redis_url = redis_url or running.redis_url
        assert database_url is not None and redis_url is not None
        yield Place(
            url=own.url,
            service=own.process_id,
            database_url=database_url,
            redis_url=redis_url,
            redis_prefix=prefix,
            postgres=await _postmaster(database_url),
            redis=await _redis_process(redis_url),
        )


async def _announced(folder: Path) -> Running:
    """Where the service says that its servers are, once all of its processes serve."""
    for _ in range(ANNOUNCED_SECONDS * 20):
        try:
            return msgspec.json.decode((folder / "running.json").read_bytes(), type=Running)
        except FileNotFoundError:
            await asyncio.sleep(0.05)
    raise NoPlace("the service has not told where its servers are")


@asynccontextmanager
async def fresh_database(server_url: str, *, migrate: bool = False) -> AsyncIterator[str]:
    """The URL of a new database beside the one named; dropped at the end."""
    name = _name_of_run(server_url)
    await _execute(server_url, f"CREATE DATABASE {name}")
    url = urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))
    try:
        if migrate:
            await asyncio.to_thread(upgrade, url)
        yield url
    finally:
        await _execute(server_url, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _name_of_run(database_url: str | None) -> str:
    """A name that nobody else has, and that tells on whose behalf it was taken."""
    beside = urlsplit(database_url or "/talon").path.strip("/")
    return f"{beside}_bench_{secrets.token_hex(4)}"


async def _execute(url: str, statement: str) -> None:
    try:
        connection = await asyncpg.connect(url)
    except (OSError, asyncpg.PostgresError) as error:
        raise NoPlace(f"Postgres cannot be reached: {error}") from error
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def _postmaster(url: str) -> int | None:
    """The process id of Postgres, if it runs on this machine."""
    connection = await asyncpg.connect(url)
    try:
        backend = await connection.fetchval("SELECT pg_backend_pid()")
        parent = processes.parent_of(backend) if processes.is_server(backend) else None
    finally:
        await connection.close()
    return parent if processes.is_server(parent) else None


async def _redis_process(url: str) -> int | None:
    """The process id of Redis, if it runs on this machine."""
    client: Any = redis.asyncio.Redis.from_url(url)
    try:
        process = int((await client.info("server"))["process_id"])
    finally:
        await client.aclose()
    return process if processes.is_server(process) else None


async def _forget_keys(url: str, prefix: str) -> None:
    """Delete the run's keys from a Redis that is not its own."""
    client: Any = redis.asyncio.Redis.from_url(url)
    try:
        async for key in client.scan_iter(match=f"*{prefix}*", count=1000):
            await client.unlink(key)
    finally:
        await client.aclose()
