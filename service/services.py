"""What the routes work with, put together by the composition root."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from domain.audit.proofs import Trees
from domain.audit.statements import Keys, Signer
from domain.persons import Persons
from domain.ports import Boards, EventLog, Registry
from domain.rankings import Rankings
from domain.search import LogSearch
from domain.tallies import Tallies
from domain.waiting import Queue
from domain.webhooks import Webhooks
from service.identity import Identity
from service.limits import Limits
from service.open_streams import OpenStreams
from service.play.contract import Play
from service.roster import Rosters
from service.settings import Settings
from service.tournaments.handle import Tournaments


class Health(StrEnum):
    """How a part of the service is."""

    UP = "up"
    DOWN = "down"
    BEHIND = "behind"


class Readiness(Struct, frozen=True, gc=False):
    """Whether the service can serve: without its log it cannot, without Redis it is slower."""

    status: Annotated[str, Meta(pattern="^(ready|degraded|unavailable)$")]
    log: Health
    migrations: Health
    redis: Health


class Services(Struct, frozen=True):
    """The collaborators of every route. ``now`` gives microseconds since the epoch, UTC."""

    settings: Settings
    play: Play
    tournaments: Tournaments
    registry: Registry
    queue: Queue
    webhooks: Webhooks
    boards: Boards
    tallies: Tallies
    rankings: Rankings
    search: LogSearch
    persons: Persons
    log: EventLog
    """Read by what hands out stored events as they are; never appended to from a route."""
    keys: Keys
    signer: Signer
    trees: Trees
    origin: str
    """The log's name in its checkpoints."""
    identity: Identity
    rosters: Rosters
    limits: Limits
    streams: OpenStreams
    now: Callable[[], int]
    ready: Callable[[], Awaitable[Readiness]]
    stopping: asyncio.Event
    costs: Mapping[str, int]
    """Of the operations that take more or less than one of a limit, by their id."""
    wake_sender: Callable[[], None]
    """Has this process look at once for deliveries that are due."""
    fingerprint_key: bytes
    """Keys the fingerprints of request bodies: they are never told from a guess."""
