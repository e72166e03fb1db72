"""Which Postgres and Redis the tests use, and fresh databases on them.

The servers named by TALON_TEST_DATABASE_URL and TALON_TEST_REDIS_URL if both are set, else
containers where an engine answers, else the embedded pair. TALON_TEST_BACKEND=embedded skips the
containers.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest
import redis

from infra.embedded.servers import EmbeddedServers
from infra.postgres.roles import ensure_role, role_name


class Servers(NamedTuple):
    """Where the two servers answer."""

    database_url: str
    redis_url: str


class Backend(Enum):
    """Where the servers come from; the value is printed at the top of a run."""

    URLS = "given by TALON_TEST_DATABASE_URL and TALON_TEST_REDIS_URL"
    CONTAINERS = "containers (an engine answers)"
    EMBEDDED = "embedded (no URLs given, no container engine)"


def chosen() -> Backend:
    """The backend of this run; half a pair of URLs is an error, never a silent fall-back."""
    given = [name for name in _URLS if os.environ.get(name)]
    if len(given) == len(_URLS):
        return Backend.URLS
    if given:
        raise pytest.UsageError(f"set both of {' and '.join(_URLS)}, or none: only {given[0]} is")
    return Backend.CONTAINERS if _container_engine_answers() else Backend.EMBEDDED


@contextmanager
def started(folder: Path) -> Iterator[Servers]:
    """The servers of the chosen backend, stopped at the end if they were started here."""
    match chosen():
        case Backend.URLS:
            yield Servers(*(os.environ[name] for name in _URLS))
        case Backend.CONTAINERS:
            with _containers() as servers:
                yield servers
        case Backend.EMBEDDED:
            with EmbeddedServers(folder, durable=False) as embedded:
                assert embedded.database_url and embedded.redis_url
                yield Servers(embedded.database_url, embedded.redis_url)


@contextmanager
def fresh_database(server_url: str, template: str | None = None) -> Iterator[str]:
    """The URL of a new database, empty or like a migrated one; dropped at the end."""
    name = f"talon_test_{secrets.token_hex(6)}"
    url = urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))
    execute(server_url, f"create database {name}" + (f" template {template}" if template else ""))
    try:
        if template:
            execute(url, ensure_role())  # a role belongs to a database's name: it is not copied
        yield url
    finally:
        execute(server_url, f"drop database if exists {name} with (force)")
        execute(server_url, f"drop role if exists {role_name(name)}")


def database_name(url: str) -> str:
    """The name of the database that a URL points at."""
    return urlsplit(url).path.lstrip("/")


def execute(database_url: str, statement: str) -> None:
    """Run one statement on its own connection."""

    async def run() -> None:
        connection = await asyncpg.connect(database_url)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    asyncio.run(run())


def forget_keys(redis_url: str, prefix: str) -> None:
    """Delete every key that begins with a prefix, and nothing else."""
    with redis.Redis.from_url(redis_url) as client:
        for key in client.scan_iter(match=f"{prefix}*", count=1000):
            client.unlink(key)


@cache
def _container_engine_answers() -> bool:
    """Asked in a process of its own: the client leaks its socket, and here warnings are errors."""
    if os.environ.get("TALON_TEST_BACKEND") == "embedded":
        return False
    question = "import docker; docker.from_env(timeout=2).ping()"
    return subprocess.run([sys.executable, "-c", question], capture_output=True).returncode == 0


@contextmanager
def _containers() -> Iterator[Servers]:
    from testcontainers.community.postgres import PostgresContainer
    from testcontainers.community.redis import RedisContainer

    with (
        PostgresContainer("postgres:15", driver=None) as postgres,
        RedisContainer("redis:7") as keys,
    ):
        host, port = keys.get_container_host_ip(), keys.get_exposed_port(6379)
        yield Servers(postgres.get_connection_url(), f"redis://{host}:{port}/0")


_URLS = ("TALON_TEST_DATABASE_URL", "TALON_TEST_REDIS_URL")
