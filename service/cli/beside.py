"""The servers for a command beside the service: those named, those of a running service, or the
embedded ones, started for as long as the command takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from infra.embedded.folder import DataFolder, Running
from infra.embedded.servers import EmbeddedServers
from service.settings import Settings, load


@contextmanager
def database(settings: Settings | None = None) -> Iterator[str]:
    """The URL of the Postgres; raises EmbeddedError."""
    settings = settings or load()
    if settings.database_url is not None:
        yield settings.database_url
        return
    with _pair(settings, valkey=False) as (database_url, _):
        yield database_url


@contextmanager
def both(settings: Settings | None = None) -> Iterator[tuple[str, str]]:
    """The URLs of the Postgres and of the Redis or Valkey; raises EmbeddedError."""
    settings = settings or load()
    if settings.database_url is not None and settings.redis_url is not None:
        yield settings.database_url, settings.redis_url
        return
    with _pair(settings, valkey=settings.redis_url is None) as (database_url, redis_url):
        yield database_url, redis_url


@contextmanager
def _pair(settings: Settings, valkey: bool) -> Iterator[tuple[str, str]]:
    folder = DataFolder(Path(settings.data))
    running = folder.running()
    if running is not None:
        yield _known(settings, running)
        return
    folder.lock()
    servers = EmbeddedServers(folder.path, postgres=settings.database_url is None, valkey=valkey)
    try:
        with servers:
            yield _known(settings, Running("", servers.database_url, servers.redis_url))
    finally:
        folder.unlock()


def _known(settings: Settings, running: Running) -> tuple[str, str]:
    database_url = settings.database_url or running.database_url
    redis_url = settings.redis_url or running.redis_url
    return str(database_url), str(redis_url)
