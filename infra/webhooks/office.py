"""What tells apps, put together: the store, who writes deliveries, and who sends them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from msgspec import Struct

from domain.webhooks import Webhooks
from infra.clock import Clock, now_us
from infra.memory import MemoryLog, MemoryRegistry
from infra.memory_webhooks import MemoryWebhooks
from infra.postgres.log import PostgresLog
from infra.postgres.pool import connect, open_pool
from infra.postgres.registry import PostgresRegistry
from infra.postgres.webhooks import PostgresWebhooks
from infra.projections.leader import MemoryLeader
from infra.projections.postgres_leader import NOTICES_LOCK, PostgresLeader
from infra.sealing import Sealer
from infra.webhooks.consumer import NoticeConsumer
from infra.webhooks.post import Post
from infra.webhooks.runner import Notices
from infra.webhooks.sender import Sender

CONNECTIONS: Final = 2
"""Of a pool of their own, so that deliveries never wait for requests, nor the other way round."""


class Office(Struct, frozen=True):
    """Webhooks as requests see them, and the work beside the requests."""

    webhooks: Webhooks
    notices: Notices
    sender: Sender

    async def run(self, stopping: asyncio.Event) -> None:
        """Write deliveries, if this process leads, and send what is due, until it is to stop."""
        await asyncio.gather(self.notices.run(stopping), self.sender.run(stopping))


@asynccontextmanager
async def office_on_postgres(
    url: str, log: PostgresLog, sealer: Sealer, *, anywhere: bool
) -> AsyncIterator[Office]:
    """The office of one process on Postgres; ``anywhere``: see Post."""
    pool = await open_pool(url, size=CONNECTIONS)
    try:
        outbox, people = PostgresWebhooks(pool, sealer), PostgresRegistry(pool, sealer)
        sender = Sender(outbox, people, Post(anywhere=anywhere))
        leader = PostgresLeader(lambda: connect(url), NOTICES_LOCK)
        consumer = NoticeConsumer(log, people, outbox)
        notices = Notices(leader, consumer, outbox, sender.wake)
        yield Office(PostgresWebhooks(log.pool, sealer), notices, sender)
    finally:
        await pool.close()


def office_in_memory(
    log: MemoryLog, registry: MemoryRegistry, *, anywhere: bool, now: Clock = now_us
) -> Office:
    """The office of the service without servers."""
    webhooks = MemoryWebhooks()
    sender = Sender(webhooks, registry, Post(anywhere=anywhere), now)
    consumer = NoticeConsumer(log, registry, webhooks, now)
    notices = Notices(MemoryLeader(), consumer, webhooks, sender.wake, now)
    return Office(webhooks, notices, sender)
