"""The database itself refuses what must never happen to the log."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from domain.ports import Unavailable
from infra.postgres.log import PostgresLog
from infra.postgres.migrate import upgrade
from infra.postgres.pool import NotMigrated
from infra.postgres.registry import PostgresRegistry
from infra.postgres.roles import GRANTS
from infra.postgres.schema import at_head, head
from infra.sealing import BrokenSeal, Sealer, SealKeyError, new_key
from tests.contract.pen import STARTED, Pen, calls
from tests.servers import database_name, execute, fresh_database, role_name

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

SEALER = Sealer(bytes(range(32)))


@pytest.fixture
async def log(database: str) -> AsyncIterator[PostgresLog]:
    log = await PostgresLog.open(database, SEALER, pool_size=3)
    yield log
    await log.close()


@pytest.fixture
async def owner(database: str) -> AsyncIterator[asyncpg.Connection[Any]]:
    """A connection as the owner of the tables."""
    connection = await asyncpg.connect(database)
    yield connection
    await connection.close()


CHANGES = [
    "UPDATE event SET data = ''",
    "UPDATE event SET position = 7 WHERE false",
    "DELETE FROM event",
    "TRUNCATE event",
]


@pytest.mark.parametrize("change", CHANGES)
async def test_triggers_refuse_every_change_even_to_the_owner(
    log: PostgresLog, owner: asyncpg.Connection[Any], change: str
) -> None:
    written = await Pen(log).write(STARTED)
    with pytest.raises(asyncpg.RestrictViolationError, match="only appended to"):
        await owner.execute(change)
    await owner.execute("SET session_replication_role = replica")
    with pytest.raises(asyncpg.RestrictViolationError, match="only appended to"):
        await owner.execute(change)
    assert await log.follow(0, 10) == written


@pytest.mark.parametrize(
    "change",
    [
        *CHANGES,
        "DELETE FROM stream_head",
        "DELETE FROM log_counter",
        "UPDATE round_secret SET sealed = ''",
        "UPDATE seal_key SET key_id = 'mine'",
        "DELETE FROM signing_key",
        "DROP TABLE event",
        "ALTER TABLE event DISABLE TRIGGER ALL",
        "DELETE FROM player",
        "DELETE FROM alembic_version",
    ],
)
async def test_the_services_role_has_no_right_to_change_the_log(
    log: PostgresLog, change: str
) -> None:
    async with log.pool.acquire() as connection:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(change)


async def test_every_connection_works_under_the_role_of_its_database(
    log: PostgresLog, database: str
) -> None:
    expected = role_name(database_name(database))
    for _ in range(5):  # over and over on pooled connections
        async with log.pool.acquire() as connection:
            assert await connection.fetchval("SELECT current_user::text") == expected
    async with log.pool.acquire() as connection:
        limits = [
            await connection.fetchval(f"SHOW {name}")
            for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
        ]
    assert limits == ["5s", "2s", "5s"]


async def test_every_table_is_named_among_the_grants(owner: asyncpg.Connection[Any]) -> None:
    tables = await owner.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert {row["tablename"] for row in tables} == GRANTS.keys()


async def test_no_seed_and_no_plan_can_be_read_in_the_database(
    log: PostgresLog, owner: asyncpg.Connection[Any]
) -> None:
    seed, plan = b"a seed of thirty-two bytes, plain", b"a plan with a token in it"
    pen = Pen(log)
    await pen.write(STARTED, secrets={1: seed})
    await PostgresRegistry(log.pool, SEALER).reserve("a", "r", "k", b"f", plan, 2**52)
    stored = await owner.fetchval("SELECT sealed FROM round_secret")
    kept = await owner.fetchval("SELECT sealed_plan FROM request_key")
    assert seed not in stored and plan not in kept
    assert SEALER.open(stored, pen.stream + bytes((0, 0, 0, 1))) == seed


async def test_a_sealed_seed_cannot_be_moved_to_another_stream(
    log: PostgresLog, owner: asyncpg.Connection[Any]
) -> None:
    mine, other = Pen(log), Pen(log)
    await mine.write(STARTED, secrets={1: b"mine"})
    await other.write(STARTED, secrets={1: b"others"})
    await owner.execute(
        "UPDATE round_secret SET sealed = (SELECT sealed FROM round_secret WHERE stream_id = $1)"
        " WHERE stream_id = $2",
        mine.stream.hex(),
        other.stream.hex(),
    )
    with pytest.raises(BrokenSeal):
        await log.read(other.stream)
    assert (await log.read(mine.stream)).secrets == {1: b"mine"}


async def test_another_seal_key_is_refused(log: PostgresLog, database: str) -> None:
    with pytest.raises(SealKeyError, match="sealed with key"):
        await PostgresLog.open(database, Sealer(new_key()))
    again = await PostgresLog.open(database, SEALER)
    await again.close()


async def test_a_database_without_the_schema_is_said_to_be_so(
    servers: tuple[str, str], anyio_backend: str
) -> None:
    def empty() -> str:
        with fresh_database(servers[0]) as url:
            with pytest.raises(NotMigrated, match="talon migrate"):
                asyncio.run(PostgresLog.open(url, SEALER))
            assert not at_head(url)
            return url

    url = await asyncio.to_thread(empty)
    with pytest.raises(Unavailable):  # it is gone now
        await PostgresLog.open(url, SEALER)


async def test_migrating_twice_changes_nothing(
    database: str, log: PostgresLog, owner: asyncpg.Connection[Any]
) -> None:
    written = await Pen(log).write(STARTED, *calls(0))
    await asyncio.gather(*(asyncio.to_thread(upgrade, database) for _ in range(3)))
    assert await asyncio.to_thread(at_head, database)
    assert await owner.fetch("SELECT version_num FROM alembic_version") == [(head(),)]
    assert await log.follow(0, 10) == written


async def test_a_login_that_is_no_superuser_migrates_and_serves(servers: tuple[str, str]) -> None:
    login = f"talon_test_login_{secrets.token_hex(6)}"
    parts = urlsplit(servers[0])
    password = secrets.token_hex(16)
    netloc = f"{login}:{password}@{parts.hostname}:{parts.port}"

    def migrated() -> str:
        execute(servers[0], f"CREATE ROLE {login} LOGIN CREATEROLE PASSWORD '{password}'")
        execute(servers[0], f"CREATE DATABASE {login} OWNER {login}")
        url = urlunsplit(parts._replace(netloc=netloc, path=f"/{login}"))
        upgrade(url)
        return url

    def cleared() -> None:
        execute(servers[0], f"DROP DATABASE IF EXISTS {login} WITH (FORCE)")
        execute(servers[0], f"DROP ROLE IF EXISTS {role_name(login)}")
        execute(servers[0], f"DROP ROLE IF EXISTS {login}")

    try:
        log = await PostgresLog.open(await asyncio.to_thread(migrated), SEALER)
        written = await Pen(log).write(STARTED)
        assert await log.follow(0, 10) == written
        async with log.pool.acquire() as connection:
            assert await connection.fetchval("SELECT current_user::text") == role_name(login)
        await log.close()
    finally:
        await asyncio.to_thread(cleared)


def test_the_newest_step_is_known_without_alembic() -> None:
    config = Config()
    config.set_main_option("script_location", str(files("migrations")))
    assert ScriptDirectory.from_config(config).get_heads() == [head()]


async def test_a_role_without_its_rights_is_not_ready(
    owner: asyncpg.Connection[Any], database: str
) -> None:
    role = role_name(database_name(database))
    await owner.execute(f"REVOKE ALL ON request_key FROM {role}")
    assert not await asyncio.to_thread(at_head, database)
    await asyncio.to_thread(upgrade, database)
    assert await asyncio.to_thread(at_head, database)
