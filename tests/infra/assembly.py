"""What one process has of Redis and of the projections, as it is put together."""

from __future__ import annotations

from typing import NamedTuple

from domain.ports import EventLog
from infra.projections.board_consumer import BoardConsumer
from infra.projections.fallback import FallbackBoards
from infra.projections.leader import Leader
from infra.projections.rebuild import Rebuilder
from infra.projections.runner import Projections
from infra.projections.scan import FollowScan
from infra.projections.view_repair import BuildViews, ViewRepair
from infra.redis.boards import RedisBoards
from infra.redis.checkpoint import RedisCheckpoint
from infra.redis.generations import SETTLE_SECONDS, Generations
from infra.redis.hints import RedisHints
from infra.redis.server import Server
from infra.redis.views import RedisViews
from tests.infra.folded_views import folded_views


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
    leader: Leader,
    *,
    build_views: BuildViews = folded_views,
    settle_seconds: float = SETTLE_SECONDS,
) -> Assembled:
    """Open the stores under a prefix; nothing is sent before they are used."""
    server = Server(redis_url, prefix)
    generations = Generations(server)
    views, store = RedisViews(server, generations), RedisBoards(server, generations)
    scan = FollowScan(log)
    rebuilder = Rebuilder(log, scan, server, generations, build_views, settle_seconds)

    async def refill(epoch: int, *, views: bool) -> None:
        await rebuilder.run(views=views, strict=False, epoch=epoch)

    projections = Projections(
        leader,
        log,
        scan,
        BoardConsumer(scan, store),
        ViewRepair(log, scan, views, RedisCheckpoint(server, generations), build_views),
        refill,
    )
    boards = FallbackBoards(store, scan)
    return Assembled(server, views, RedisHints(server), boards, projections, rebuilder)
