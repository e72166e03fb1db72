"""Puts together what one process needs of Redis and of the projections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from domain.ports import EventLog, Player, SeatHolder
from infra.projections.board_consumer import BoardConsumer
from infra.projections.fallback import FallbackBoards
from infra.projections.folded_views import folded_views
from infra.projections.leader import Leader
from infra.projections.rebuild import Rebuilder
from infra.projections.runner import Projections
from infra.projections.scan import FollowScan, LogScan
from infra.projections.view_repair import BuildViews, ViewRepair
from infra.redis.boards import RedisBoards
from infra.redis.checkpoint import RedisCheckpoint
from infra.redis.generations import SETTLE_SECONDS, Generations
from infra.redis.hints import RedisHints
from infra.redis.server import Server
from infra.redis.views import RedisViews


class People(Protocol):
    """The part of the registry that projections need."""

    async def players(self, ids: Sequence[bytes]) -> Mapping[bytes, Player]:
        """The persons with these ids."""

    async def seat_holders(self, match: bytes) -> tuple[SeatHolder, ...]:
        """All mappings of a match that still exist."""


class Assembled(NamedTuple):
    """The stores as the service uses them, and what keeps them up; ``server`` is to be closed."""

    server: Server
    views: RedisViews
    hints: RedisHints
    boards: FallbackBoards
    projections: Projections
    rebuilder: Rebuilder


def assemble(
    redis_url: str,
    prefix: str,
    log: EventLog,
    people: People,
    leader: Leader,
    *,
    scan: LogScan | None = None,
    build_views: BuildViews = folded_views,
    settle_seconds: float = SETTLE_SECONDS,
) -> Assembled:
    """Open the stores under a prefix; nothing is sent before they are used.

    ``scan`` reads the live log (a PostgresScan is faster); a rebuild reads every event itself.
    """
    server = Server(redis_url, prefix)
    generations = Generations(server)
    views, store = RedisViews(server, generations), RedisBoards(server, generations)
    every_event = FollowScan(log)
    scan = scan or every_event
    rebuilder = Rebuilder(
        log, every_event, people, server, generations, build_views, settle_seconds
    )
    filler = Rebuilder(log, scan, people, server, generations, build_views, settle_seconds)

    async def refill(epoch: int, *, views: bool) -> None:
        await filler.run(views=views, strict=False, epoch=epoch)

    projections = Projections(
        leader,
        log,
        scan,
        store,
        people,
        BoardConsumer(scan, people, store),
        ViewRepair(log, scan, views, RedisCheckpoint(server, generations), build_views),
        refill,
    )
    boards = FallbackBoards(store, scan, people)
    return Assembled(server, views, RedisHints(server), boards, projections, rebuilder)
