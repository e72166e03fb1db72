"""Fixtures that every test may ask for. Async tests run on asyncio by anyio's plugin."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest

from infra.postgres.migrate import upgrade
from tests.servers import (
    Servers,
    chosen,
    database_name,
    forget_keys,
    fresh_database,
    started,
)


def pytest_report_header() -> str:
    return f"servers: {chosen().value}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever asks for the servers is marked, so that ``-m servers`` runs it on others."""
    for item in items:
        if "servers" in getattr(item, "fixturenames", ()):
            item.add_marker("servers")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """(database_url, redis_url) for this run; each worker of a parallel run may have its own."""
    with started(tmp_path_factory.mktemp("servers")) as pair:
        yield pair


@pytest.fixture(scope="session")
def migrated_template(servers: Servers) -> Iterator[str]:
    """The name of a migrated database to copy: copying takes a tenth of migrating."""
    with fresh_database(servers.database_url) as url:
        upgrade(url)
        yield database_name(url)


@pytest.fixture
def database(servers: Servers, migrated_template: str) -> Iterator[str]:
    """The URL of a fresh migrated database, for one test."""
    with fresh_database(servers.database_url, migrated_template) as url:
        yield url


@pytest.fixture(scope="module")
def module_database(servers: Servers, migrated_template: str) -> Iterator[str]:
    """The URL of a fresh migrated database, shared by the tests of one module."""
    with fresh_database(servers.database_url, migrated_template) as url:
        yield url


@pytest.fixture(scope="session")
def redis_url(servers: Servers) -> str:
    """The URL of the Redis or Valkey of this run; keep to a prefix of your own on it."""
    return servers.redis_url


@pytest.fixture
def redis_prefix(redis_url: str) -> Iterator[str]:
    """A prefix for this test's keys and channels; its keys are deleted at the end."""
    prefix = f"talon-test-{secrets.token_hex(6)}"
    yield prefix
    forget_keys(redis_url, prefix)
