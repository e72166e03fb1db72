"""The composition root: settings, stores, play, routes. Nothing else constructs any of them.

Once with servers (``build``), once in memory (``build_in_memory``); the routes cannot tell.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Final

from litestar import Litestar
from msgspec import Struct

from domain.audit.proofs import Trees
from domain.audit.statements import Keys
from domain.buckets import Buckets
from domain.persons import Persons
from domain.ports import Boards, EventLog, Registry, Unavailable
from domain.rankings import Rankings
from domain.search import LogSearch
from domain.tallies import Tallies
from domain.waiting import Queue
from infra.memory import MemoryLog, MemoryRegistry
from infra.memory_boards import MemoryBoards
from infra.memory_buckets import MemoryBuckets
from infra.memory_keys import MemoryKeys
from infra.memory_persons import MemoryPersons
from infra.memory_queue import MemoryQueue
from infra.memory_rankings import MemoryRankings
from infra.memory_search import MemorySearch
from infra.memory_tallies import MemoryTallies
from infra.memory_tournaments import MemoryTournamentLines
from infra.memory_views import MemoryHints, MemoryViews
from infra.postgres.keys import PostgresKeys
from infra.postgres.persons import PostgresPersons
from infra.postgres.queue import PostgresQueue
from infra.postgres.rankings import PostgresRankings
from infra.postgres.schema import at_head
from infra.postgres.search import PostgresSearch
from infra.postgres.tallies import PostgresTallies
from infra.postgres.tournaments import PostgresTournamentLines
from infra.postgres.trees import PostgresTrees
from infra.projections.board_consumer import BoardConsumer
from infra.projections.fallback import FallbackBoards
from infra.projections.leader import MemoryLeader
from infra.projections.ranking_reads import RankingReads
from infra.projections.scan import FollowScan
from infra.projections.tally_consumer import TallyConsumer
from infra.proofs.checkpointer import Checkpointer
from infra.proofs.memory import MemoryLastSigned, MemoryTrees
from infra.redis.boards import RedisBoards
from infra.redis.buckets import RedisBuckets
from infra.redis.hints import RedisHints
from infra.redis.rankings import RedisRankings
from infra.redis.views import RedisViews
from infra.signing import SigningKey, new_key
from infra.signing import key_from as signing_key_from
from infra.webhooks.office import Office, office_in_memory
from service.app.keeping import beside, kept_up, named, open_office
from service.app.stores import Stores, given, open_stores, seal_key
from service.identity import Identity
from service.limits import Limits
from service.open_streams import OpenStreams
from service.play.matches import Matches
from service.play.times import now_us
from service.roster import Rosters
from service.routes import OPERATIONS
from service.services import Health, Readiness, Services
from service.settings import Settings
from service.tournaments.hall import Chance, open_hall
from service.tournaments.handle import Tournaments
from service.tournaments.runner import NewMatchId, new_match_id
from service.web import application

if TYPE_CHECKING:
    from service.app.measuring import Measured

MEMORY_BOARDS_SECONDS: Final = 0.02
"""How far the boards in memory may lag behind the log in memory."""
_FINGERPRINTS: Final = b"talon-fingerprint/1"


class Parts(Struct, frozen=True):
    """What an application is put together from, in memory or on servers."""

    play: Matches
    tournaments: Tournaments
    log: EventLog
    search: LogSearch
    persons: Persons
    keys: Keys
    trees: Trees
    registry: Registry
    queue: Queue
    boards: Boards
    tallies: Tallies
    rankings: Rankings
    buckets: Buckets
    office: Office


def build(
    settings: Settings,
    *,
    keeps: bool = True,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
) -> Litestar:
    """The service on Postgres and Redis; raises SettingsError if a setting is missing.

    Without ``keeps`` another process keeps up what follows the log: ``service.app.keeping``.
    """

    @asynccontextmanager
    async def opened(stopping: asyncio.Event) -> AsyncIterator[Services]:
        async with AsyncExitStack() as closing:
            stores = await closing.enter_async_context(open_stores(settings))
            views = RedisViews(stores.server, stores.generations)
            hints = RedisHints(stores.server)
            play = Matches(stores.log, views, hints, settings, entropy=entropy)
            await closing.enter_async_context(_running(play, stopping))
            lines, chance = PostgresTournamentLines(stores.log.pool), Chance(entropy=entropy)
            hall = open_hall(play, stores.log, stores.registry, lines, settings, stopping, chance)
            tournaments = await closing.enter_async_context(hall)
            office = await closing.enter_async_context(open_office(settings, stores))
            work = office.run(stopping) if keeps else office.sender.run(stopping)
            await closing.enter_async_context(beside(work, stopping))
            parts = _on_servers(stores, play, tournaments, office)
            services = await _services(
                settings,
                parts,
                stopping,
                ready=_Ready(given(settings.database_url, "database_url"), stores, stopping),
                fingerprint_key=hmac.digest(seal_key(settings), _FINGERPRINTS, "sha256"),
                signing_key=signing_key_from(given(settings.signing_key, "signing_key")),
            )
            if keeps:
                await closing.enter_async_context(kept_up(settings, stores, office, stopping))
            if measured is not None:
                sender = None if keeps else office.sender  # else it is among what is kept up
                sampler = measured.sampler(services, play, stores, sender)
                await closing.enter_async_context(beside(sampler.run(stopping), stopping))
            yield services

    for name in ("database_url", "redis_url", "seal_key", "signing_key"):
        given(getattr(settings, name), name)
    measured = _measured(settings)
    return application(settings, opened, None if measured is None else measured.requests.answered)


def build_in_memory(
    settings: Settings | None = None,
    *,
    now: Callable[[], int] = now_us,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
    names: NewMatchId = new_match_id,
) -> Litestar:
    """The service without servers, for tests and for a look: what it knows ends with it."""
    chosen = settings or Settings()

    @asynccontextmanager
    async def opened(stopping: asyncio.Event) -> AsyncIterator[Services]:
        log, registry, boards, hints = MemoryLog(), MemoryRegistry(), MemoryBoards(), MemoryHints()
        queue = MemoryQueue(registry)
        play = Matches(log, MemoryViews(hints), hints, chosen, now=now, entropy=entropy)
        consumer = BoardConsumer(FollowScan(log), boards)
        tallies = MemoryTallies()
        counting = TallyConsumer(log, FollowScan(log), registry, tallies)
        office = office_in_memory(log, registry, anywhere=chosen.webhooks_anywhere, now=now)
        lines, chance = MemoryTournamentLines(), Chance(now, entropy, names)
        async with (
            _running(play, stopping),
            open_hall(play, log, registry, lines, chosen, stopping, chance) as tournaments,
            beside(_follow(consumer, stopping), stopping),
            beside(_follow(counting, stopping), stopping),
            beside(office.run(stopping), stopping),
        ):
            parts = Parts(
                play=play,
                tournaments=tournaments,
                log=log,
                search=MemorySearch(log),
                persons=MemoryPersons(registry, queue),
                keys=MemoryKeys(),
                trees=MemoryTrees(log),
                registry=registry,
                queue=queue,
                boards=boards,
                tallies=tallies,
                rankings=MemoryRankings(tallies),
                buckets=MemoryBuckets(now),
                office=office,
            )
            services = await _services(chosen, parts, stopping, _always_ready, now=now)
            last, signer = MemoryLastSigned(), services.signer
            signing = Checkpointer(MemoryLeader(), parts.trees, last, signer, services.origin)
            async with beside(signing.run(stopping), stopping):
                yield services

    return application(chosen, opened)


def _on_servers(stores: Stores, play: Matches, tournaments: Tournaments, office: Office) -> Parts:
    boards = RedisBoards(stores.server, stores.generations)
    rankings = RankingReads(RedisRankings(stores.server), PostgresRankings(stores.log.pool))
    return Parts(
        play=play,
        tournaments=tournaments,
        log=stores.log,
        search=PostgresSearch(stores.log.pool),
        persons=PostgresPersons(stores.log.pool),
        keys=PostgresKeys(stores.log.pool),
        trees=PostgresTrees(stores.log.pool),
        registry=stores.registry,
        queue=PostgresQueue(stores.log.pool),
        boards=FallbackBoards(boards, stores.scan),
        tallies=PostgresTallies(stores.log.pool),
        rankings=rankings,
        buckets=RedisBuckets(stores.server),
        office=office,
    )


def _measured(settings: Settings) -> Measured | None:
    """What is measured of this process, if that is asked for."""
    if settings.metrics_port is None:
        return None
    from service.app.measuring import Measured

    return Measured()


class _Ready:
    """Whether this process can serve: it needs the log; without Redis it is degraded."""

    def __init__(self, database_url: str, stores: Stores, stopping: asyncio.Event) -> None:
        self._database_url = database_url
        self._stores = stores
        self._stopping = stopping
        self._is_at_head = False

    async def __call__(self) -> Readiness:
        log = await _health(self._stores.log.position())
        redis = await _health(self._stores.server.command("PING"))
        migrations = Health.DOWN
        if log is Health.UP:
            if not self._is_at_head:  # migrations only go forward: asked until it is so
                self._is_at_head = await asyncio.to_thread(at_head, self._database_url)
            migrations = Health.UP if self._is_at_head else Health.BEHIND
        if migrations is not Health.UP or self._stopping.is_set():
            return Readiness("unavailable", log, migrations, redis)
        status = "ready" if redis is Health.UP else "degraded"
        return Readiness(status, log, migrations, redis)


async def _always_ready() -> Readiness:
    return Readiness("ready", Health.UP, Health.UP, Health.UP)


async def _health(answer: Awaitable[object]) -> Health:
    try:
        await answer
    except Unavailable:
        return Health.DOWN
    return Health.UP


@asynccontextmanager
async def _running(play: Matches, stopping: asyncio.Event) -> AsyncIterator[None]:
    """Play, whose streams end as soon as the service is to stop: the server waits for them."""

    async def end_streams() -> None:
        await stopping.wait()
        await play.end_streams()

    await play.start()
    ending = asyncio.create_task(end_streams())
    try:
        yield
    finally:
        stopping.set()
        await ending
        await play.stop()


async def _follow(consumer: BoardConsumer | TallyConsumer, stopping: asyncio.Event) -> None:
    """Keep the boards in memory up with the log in memory."""
    while not stopping.is_set():
        if not await consumer.step(0):
            await asyncio.sleep(MEMORY_BOARDS_SECONDS)


async def _services(
    settings: Settings,
    parts: Parts,
    stopping: asyncio.Event,
    ready: Callable[[], Awaitable[Readiness]],
    *,
    now: Callable[[], int] = now_us,
    fingerprint_key: bytes | None = None,
    signing_key: bytes | None = None,
) -> Services:
    signer = SigningKey(signing_key or new_key())
    return Services(
        settings=settings,
        play=parts.play,
        tournaments=parts.tournaments,
        log=parts.log,
        search=parts.search,
        persons=parts.persons,
        keys=parts.keys,
        signer=signer,
        trees=parts.trees,
        origin=await named(settings, signer, parts.keys, now),
        registry=parts.registry,
        queue=parts.queue,
        boards=parts.boards,
        tallies=parts.tallies,
        rankings=parts.rankings,
        webhooks=parts.office.webhooks,
        wake_sender=parts.office.sender.wake,
        identity=Identity(parts.registry),
        rosters=Rosters(parts.registry),
        limits=Limits(settings, parts.buckets),
        streams=OpenStreams(settings.streams_max),
        now=now,
        ready=ready,
        stopping=stopping,
        costs={one.id: one.cost for one in OPERATIONS if one.cost > 1},
        fingerprint_key=fingerprint_key or secrets.token_bytes(32),
    )
