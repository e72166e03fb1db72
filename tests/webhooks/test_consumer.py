"""From the log to deliveries, on Postgres: each once, whoever writes, wherever a page ends."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from domain.events import (
    BotLevel,
    BotSeated,
    EndReason,
    Event,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    PlayerJoined,
    Seat,
)
from domain.options import Options
from domain.ports import MatchFacts, Player, SeatHolder, StaleLeader, Unavailable
from domain.webhooks import Delivery, Webhook
from infra.postgres.log import PostgresLog
from infra.postgres.pool import connect
from infra.postgres.registry import PostgresRegistry
from infra.postgres.webhooks import PostgresWebhooks
from infra.projections.leader import MemoryLeader
from infra.projections.postgres_leader import NOTICES_LOCK, PostgresLeader
from infra.sealing import Sealer
from infra.webhooks import consumer as consuming
from infra.webhooks.consumer import NoticeConsumer
from infra.webhooks.runner import Notices
from tests.contract.pen import Pen, calls, fresh_id

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

SEALER = Sealer(bytes(32))
MINE, THEIRS = b"m" * 16, b"t" * 16
CREATED = MatchCreated("classic", 1, Options(), 2)
ENDED = MatchEnded(EndReason.TARGET, (Seat(0),), (9, 0), (1, 2))


class World:
    """A log, people of two apps, and their webhooks."""

    def __init__(self, log: PostgresLog) -> None:
        self.log = log
        self.registry = PostgresRegistry(log.pool, SEALER)
        self.webhooks = PostgresWebhooks(log.pool, SEALER)

    def consumer(self) -> NoticeConsumer:
        return NoticeConsumer(self.log, self.registry, self.webhooks)

    async def webhook(self, app: bytes = MINE, *types: str) -> Webhook:
        since = await self.log.position()
        made = Webhook(fresh_id(), app, "https://x.example/", types, b"s" * 32, 0, since)
        assert await self.webhooks.add(made, 99)
        return made

    async def match(self, app: bytes | None, *players_of: bytes | None) -> Pen:
        """A match of an app, in which players of these apps sit."""
        pen = Pen(self.log)
        await self.registry.add_match(MatchFacts(pen.stream, None, app, None, ()))
        joined: list[Event] = []
        for seat, theirs in enumerate(players_of):
            player, digest = fresh_id(), fresh_id().hex()
            await self.registry.add_player(Player(player, "Ann", theirs, 1), None)
            await self.registry.hold_seat(SeatHolder(pen.stream, player, b"salt" * 4, digest))
            joined.append(PlayerJoined(Seat(seat), digest))
        bot = BotSeated(Seat(len(joined)), BotLevel.STEADY)
        await pen.write(CREATED, *joined, bot)
        return pen

    async def told(self, webhook: Webhook) -> list[tuple[str, bytes | None, int]]:
        """Type, match and version of what was written for a webhook, by position."""
        return [
            (one.type, one.match, one.told.version)
            for one in sorted(await self.deliveries(webhook), key=lambda one: one.told.position)
        ]

    async def deliveries(self, webhook: Webhook) -> tuple[Delivery, ...]:
        return await self.webhooks.deliveries(webhook.id, None, None, 10_000)


@pytest.fixture
async def world(database: str) -> AsyncIterator[World]:
    log = await PostgresLog.open(database, SEALER, pool_size=6)
    yield World(log)
    await log.close()


async def caught_up(consumer: NoticeConsumer, epoch: int = 1) -> None:
    while await consumer.step(epoch):
        pass


async def test_an_app_is_told_of_matches_that_it_made_and_in_which_its_players_sit(
    world: World,
) -> None:
    mine, theirs = await world.webhook(MINE), await world.webhook(THEIRS)
    made, joined, neither = [
        await world.match(*apps) for apps in ((MINE, None), (None, MINE, THEIRS), (None, None))
    ]
    for pen in (made, joined, neither):
        await pen.write(MatchStarted())
        await pen.write(ENDED)
    await caught_up(world.consumer())

    def both(pen: Pen) -> list[tuple[str, bytes, int]]:
        last = pen.head.version
        return [("match_started", pen.stream, last - 1), ("match_ended", pen.stream, last)]

    assert await world.told(mine) == both(made) + both(joined)
    assert await world.told(theirs) == both(joined)
    for one in await world.deliveries(theirs):
        assert [seat for seat, _ in one.told.persons] == [1]


async def test_a_webhook_is_told_only_what_it_wants_and_what_comes_after_it(world: World) -> None:
    pen = await world.match(MINE, MINE)
    await world.webhook(MINE)
    await pen.write(MatchStarted())
    ends, late = await world.webhook(MINE, "match_ended"), await world.webhook(MINE)
    await pen.write(ENDED)
    await caught_up(world.consumer())

    assert await world.told(ends) == [("match_ended", pen.stream, pen.head.version)]
    assert await world.told(late) == [("match_ended", pen.stream, pen.head.version)]


async def test_without_a_webhook_nothing_is_read_or_written(world: World) -> None:
    await (await world.match(MINE, MINE)).write(MatchStarted())
    consumer = world.consumer()

    assert not await consumer.step(1)
    assert (await world.webhooks.position(), consumer.position) == (0, 0)


async def test_a_command_over_the_end_of_a_page_is_one_command(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consuming, "BATCH_EVENTS", 5)
    mine = await world.webhook(MINE)
    pens = [await world.match(MINE, MINE) for _ in range(4)]
    for pen in pens:
        await pen.write(*calls(0, 1), MatchStarted())
        await pen.write(*calls(0), ENDED)
    await caught_up(world.consumer())

    assert Counter(type for type, _, _ in await world.told(mine)) == {
        "match_started": 4,
        "match_ended": 4,
    }
    assert await world.webhooks.position() == await world.log.position()


async def test_two_who_both_think_that_they_lead_write_each_delivery_once(world: World) -> None:
    mine = await world.webhook(MINE)
    pens = [await world.match(MINE, MINE) for _ in range(10)]

    async def play() -> None:
        for pen in pens:
            await pen.write(MatchStarted())
            await pen.write(ENDED)

    async def follow(consumer: NoticeConsumer) -> None:
        async with asyncio.timeout(60):
            while await world.webhooks.position() < await world.log.position():
                await consumer.step(1)

    await asyncio.gather(play(), follow(world.consumer()), follow(world.consumer()))
    await asyncio.gather(follow(world.consumer()), follow(world.consumer()))

    told = Counter(await world.told(mine))
    assert len(told) == 20 and set(told.values()) == {1}


async def test_who_led_before_writes_nothing_more(world: World) -> None:
    mine, pen = await world.webhook(MINE), await world.match(MINE, MINE)
    old, new = world.consumer(), world.consumer()
    await old.step(3)
    await new.step(4)
    await pen.write(MatchStarted())

    await new.step(4)
    await pen.write(ENDED)
    with pytest.raises(StaleLeader):
        await old.step(3)

    assert [type for type, _, _ in await world.told(mine)] == ["match_started"]


async def test_the_lead_passes_on_and_nothing_is_lost(world: World, database: str) -> None:
    mine, pen = await world.webhook(MINE), await world.match(MINE, MINE)

    async def written(count: int) -> None:
        async with asyncio.timeout(30):
            while len(await world.told(mine)) < count:
                await asyncio.sleep(0.05)

    loops = []
    for _ in range(2):
        leader, stopping = PostgresLeader(lambda: connect(database), NOTICES_LOCK), asyncio.Event()
        notices = Notices(leader, world.consumer(), world.webhooks, lambda: None)
        loops.append((notices, stopping, asyncio.create_task(notices.run(stopping))))
    await pen.write(MatchStarted())
    await written(1)
    assert sum(notices.is_leading for notices, _, _ in loops) == 1
    loops.sort(key=lambda loop: not loop[0].is_leading)
    loops[0][1].set()
    await loops[0][2]
    await pen.write(ENDED)
    await written(2)
    loops[1][1].set()
    await loops[1][2]


class Away(MemoryLeader):
    """A lead that nobody can take while its server is away."""

    is_away = True

    async def epoch(self) -> int | None:
        if self.is_away:
            raise Unavailable("away")
        return await super().epoch()


async def test_what_fails_says_why_until_it_goes_on(world: World) -> None:
    leader, stopping = Away(), asyncio.Event()
    notices = Notices(leader, world.consumer(), world.webhooks, lambda: None)
    running = asyncio.create_task(notices.run(stopping))
    async with asyncio.timeout(30):
        while notices.failure is None:
            await asyncio.sleep(0.01)
        assert notices.failure == "away"
        leader.is_away = False
        while notices.failure is not None:
            await asyncio.sleep(0.01)
    assert notices.is_leading
    stopping.set()
    await running
