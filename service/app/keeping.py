"""What follows the log beside the requests: what is projected, counted, delivered and signed.

``talon serve`` gives it a process of its own (``service.cli.keeper``), so that no request waits
for it; ``build`` runs it within the application where there is no such process.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    nullcontext,
    suppress,
)
from pathlib import Path
from typing import Final

from msgspec import Struct

from domain.audit.statements import Keys, PublicKey, origin_of
from infra.postgres.keys import PostgresKeys
from infra.postgres.pool import connect
from infra.postgres.trees import PostgresTrees
from infra.projections.board_consumer import BoardConsumer
from infra.projections.postgres_leader import CHECKPOINT_LOCK, PostgresLeader
from infra.projections.runner import Projections
from infra.projections.tally_runner import TallyRunner, tallying_on_postgres
from infra.projections.view_repair import ViewRepair
from infra.proofs.checkpointer import Checkpointer
from infra.proofs.last_signed import LastSignedFile
from infra.redis.boards import RedisBoards
from infra.redis.checkpoint import RedisCheckpoint
from infra.redis.rankings import RedisRankings
from infra.redis.views import RedisViews
from infra.sealing import Sealer
from infra.signing import SigningKey
from infra.signing import key_from as signing_key_from
from infra.webhooks.office import Office, office_on_postgres
from service.app.stores import Stores, given, open_stores, packed_views, seal_key
from service.play.times import now_us
from service.settings import Settings

LAST_SECONDS: Final = 3.0
"""How long work beside the requests may take to end."""


class Kept(Struct, frozen=True):
    """The work of one process that follows the log."""

    projections: Projections
    tallying: TallyRunner
    signing: Checkpointer
    office: Office


@asynccontextmanager
async def keeping(settings: Settings, stopping: asyncio.Event) -> AsyncIterator[None]:
    """All of it, on servers, until the end of the block; raises as ``open_stores``."""
    async with AsyncExitStack() as closing:
        stores = await closing.enter_async_context(open_stores(settings))
        office = await closing.enter_async_context(open_office(settings, stores))
        await closing.enter_async_context(beside(office.run(stopping), stopping))
        await closing.enter_async_context(kept_up(settings, stores, office, stopping))
        yield


@asynccontextmanager
async def kept_up(
    settings: Settings, stores: Stores, office: Office, stopping: asyncio.Event
) -> AsyncIterator[None]:
    """Projections, statistics and the signed tree, kept up with the log if this process leads."""
    keys, trees = PostgresKeys(stores.log.pool), PostgresTrees(stores.log.pool)
    signer = SigningKey(signing_key_from(given(settings.signing_key, "signing_key")))
    origin = await named(settings, signer, keys, now_us)
    url = given(settings.database_url, "database_url")
    leader = PostgresLeader(lambda: connect(url), CHECKPOINT_LOCK)
    signing = Checkpointer(leader, trees, LastSignedFile(Path(settings.data)), signer, origin)
    tallying = tallying_on_postgres(url, stores.log, stores.registry, RedisRankings(stores.server))
    projections = _projections(settings, stores)
    async with (
        _measured(settings, stores, Kept(projections, tallying, signing, office), stopping),
        beside(projections.run(stopping), stopping),
        beside(tallying.run(stopping), stopping),
        beside(signing.run(stopping), stopping),
    ):
        yield


async def named(settings: Settings, signer: SigningKey, keys: Keys, now: Callable[[], int]) -> str:
    """The name of the log in its checkpoints, once the key that signs them is made known."""
    await keys.keep(PublicKey(signer.key_id, signer.public_key, now()))
    found = await name_in(settings, keys)
    assert found is not None, "a key is kept"
    return found


async def name_in(settings: Settings, keys: Keys) -> str | None:
    """The name of the log: as it is set, as it took it after a restore, or by its first key.

    None where it has no key yet.
    """
    name = settings.log_origin or await keys.renamed()
    if name is None and (kept := await keys.kept()):
        name = origin_of(kept[0])
    return name


def open_office(settings: Settings, stores: Stores) -> AbstractAsyncContextManager[Office]:
    """What tells apps."""
    return office_on_postgres(
        given(settings.database_url, "database_url"),
        stores.log,
        Sealer(seal_key(settings)),
        anywhere=settings.webhooks_anywhere,
    )


@asynccontextmanager
async def beside(work: Awaitable[None], stopping: asyncio.Event) -> AsyncIterator[None]:
    """Work that goes on beside the block, and ends after ``stopping`` is set."""
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        stopping.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(task, LAST_SECONDS)


def _measured(
    settings: Settings, stores: Stores, kept: Kept, stopping: asyncio.Event
) -> AbstractAsyncContextManager[None]:
    """What is kept up here, measured if that is asked for."""
    if settings.metrics_port is None:
        return nullcontext()
    from service.app.measuring import measured_keeping

    return beside(measured_keeping(kept, stores).run(stopping), stopping)


def _projections(settings: Settings, stores: Stores) -> Projections:
    """The boards and the views in Redis."""
    rebuilder = stores.rebuilder()
    boards = RedisBoards(stores.server, stores.generations)
    url = given(settings.database_url, "database_url")

    async def refill(epoch: int, *, views: bool) -> None:
        await rebuilder.run(views=views, strict=False, epoch=epoch)

    return Projections(
        PostgresLeader(lambda: connect(url)),
        stores.log,
        stores.scan,
        BoardConsumer(stores.scan, boards),
        ViewRepair(
            stores.log,
            stores.scan,
            RedisViews(stores.server, stores.generations),
            RedisCheckpoint(stores.server, stores.generations),
            packed_views,
        ),
        refill,
    )
