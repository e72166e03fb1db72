"""The log and the registry on Postgres, and Redis beside them, as the settings name them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import Struct

from domain.match import new_match
from domain.ports import Stream
from domain.sight import pack, views_of
from infra.postgres.log import PostgresLog
from infra.postgres.registry import PostgresRegistry
from infra.projections.postgres_scan import PostgresScan
from infra.projections.rebuild import Rebuilder
from infra.redis.generations import Generations
from infra.redis.server import Server
from infra.sealing import Sealer, key_from
from service.play.folding import replayed
from service.settings import Settings, SettingsError


class Stores(Struct, frozen=True):
    """The log and the registry on Postgres, and Redis beside them."""

    log: PostgresLog
    registry: PostgresRegistry
    scan: PostgresScan
    server: Server
    generations: Generations

    def rebuilder(self) -> Rebuilder:
        """Fills everything in Redis anew from the log."""
        return Rebuilder(self.log, self.scan, self.server, self.generations, packed_views)


@asynccontextmanager
async def open_stores(settings: Settings) -> AsyncIterator[Stores]:
    """Connect to the servers named in the settings; raises as ``PostgresLog.open``."""
    sealer = Sealer(seal_key(settings))
    log = await PostgresLog.open(given(settings.database_url, "database_url"), sealer)
    server = Server(given(settings.redis_url, "redis_url"), settings.redis_prefix)
    try:
        yield Stores(
            log,
            PostgresRegistry(log.pool, sealer),
            PostgresScan(log.pool),
            server,
            Generations(server),
        )
    finally:
        await server.close()
        await log.close()


def packed_views(match_id: bytes, stream: Stream) -> tuple[int, bytes]:
    """The version and packed views of a match, from its whole stream."""
    match = replayed(new_match(match_id), stream)[-1].after
    return match.version, pack(views_of(match))


def seal_key(settings: Settings) -> bytes:
    """The key that seals secrets at rest; raises SettingsError."""
    return key_from(given(settings.seal_key, "seal_key"))


def given(value: str | None, name: str) -> str:
    """A setting that must be there; raises SettingsError."""
    if value is None:
        raise SettingsError(f"the setting {name} is missing")
    return value
