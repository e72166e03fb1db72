"""Deliveries on their way: retried for days, never by two at once, none in the way of others."""

from __future__ import annotations

import asyncio
import json
import threading
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator

import pytest
from msgspec.structs import replace
from standardwebhooks.webhooks import Webhook as Published
from standardwebhooks.webhooks import WebhookVerificationError

from domain.limits import WEBHOOK_AT_ONCE
from domain.webhooks import PING, Claim, Delivery, DeliveryStatus, Told, Webhook, secret_text
from infra.memory import MemoryRegistry
from infra.memory_webhooks import MemoryWebhooks
from infra.webhooks.letter import body_of, headers_of
from infra.webhooks.post import Answer, Post
from infra.webhooks.schedule import DELAYS, SECOND, failing_limit, next_attempt
from infra.webhooks.sender import Sender, outcome_of
from tests.contract.pen import Time, fresh_id
from tests.webhooks.receiver import Receiver, receiver

pytestmark = pytest.mark.anyio

DAY = 86_400 * SECOND


@pytest.fixture
def inbox() -> Iterator[Receiver]:
    with receiver() as held:
        yield held


class Office:
    """A sender in memory, whose clock a test sets."""

    def __init__(self, seconds: float = 20) -> None:
        self.outbox = MemoryWebhooks()
        self.now = 1_700_000_000 * SECOND
        self.post = Post(anywhere=True, seconds=seconds)
        self.sender = Sender(self.outbox, MemoryRegistry(Time()), self.post, lambda: self.now)

    async def webhook(self, url: str) -> Webhook:
        made = Webhook(fresh_id(), b"a" * 16, url, (), b"s" * 32, self.now, 0)
        assert await self.outbox.add(made, 99)
        return made

    async def pings(self, to: Webhook, count: int = 1) -> list[Delivery]:
        pings = [
            Delivery(fresh_id(), to.id, PING, None, Told(self.now), self.now, self.now)
            for _ in range(count)
        ]
        for ping in pings:
            await self.outbox.deliver(ping)
        return pings

    async def found(self, delivery: Delivery) -> Delivery:
        found = await self.outbox.delivery(delivery.webhook, delivery.id)
        assert found is not None
        return found


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    opened = Office()
    yield opened
    await opened.post.close()


def claim(attempts: int = 1) -> Claim:
    webhook = Webhook(b"w" * 16, b"a" * 16, "https://x.example/", (), b"s" * 32, 0, 0)
    told = Told(1_700_000_000 * SECOND, 3, 9, b'{"type":"match_started"}', ((0, "ab"), (1, "cd")))
    delivery = Delivery(b"d" * 16, webhook.id, "match_started", b"m" * 16, told, 0, 0)
    return Claim(replace(delivery, attempts=attempts), webhook)


def test_a_signature_is_one_that_the_published_library_takes() -> None:
    body = body_of(claim().delivery, {"ab": b"p" * 16})
    headers = {
        name.decode(): value.decode()
        for name, value in headers_of(claim(), body, time.time_ns() // 1_000)
    }

    told = Published(secret_text(b"s" * 32)).verify(body, headers)

    assert told["type"] == "match_started"
    assert told["data"]["event"] == {"type": "match_started"}
    assert [one["seat"] for one in told["data"]["players"]] == [0]
    for wrong in (body + b" ", body.replace(b"3", b"4", 1)):
        with pytest.raises(WebhookVerificationError):
            Published(secret_text(b"s" * 32)).verify(wrong, headers)
    with pytest.raises(WebhookVerificationError):
        Published(secret_text(b"t" * 32)).verify(body, headers)


def test_the_schedule_is_three_days_long_and_longer_than_what_disables() -> None:
    now, attempts = 0, 1
    while (following := next_attempt(attempts, now)) is not None:
        assert 1.0 <= (following - now) / SECOND / DELAYS[attempts - 1] <= 1.2
        now, attempts = following, attempts + 1

    assert attempts == len(DELAYS) + 1 == 10
    assert 3 * DAY < now < 4 * DAY
    assert failing_limit(now) > 0


def test_the_last_attempt_that_fails_ends_a_delivery() -> None:
    last = outcome_of(claim(len(DELAYS) + 1), Answer(500), 5)
    before = outcome_of(claim(len(DELAYS)), Answer(500), 5)

    assert (last.status, last.due_at) == (DeliveryStatus.FAILED, None)
    assert before.status is DeliveryStatus.PENDING and before.due_at is not None


async def test_a_delivery_keeps_its_id_until_it_arrives(office: Office, inbox: Receiver) -> None:
    (ping,) = await office.pings(await office.webhook(inbox.url))
    inbox.status = 500
    for _ in range(3):
        await office.sender.settled()
        found = await office.found(ping)
        assert found.due_at is not None
        office.now = found.due_at
    inbox.status = 200
    await office.sender.settled()

    assert len(inbox.letters) == 4
    assert len({letter.id for letter in inbox.letters}) == 1
    stamps = [int(letter.headers["webhook-timestamp"]) for letter in inbox.letters]
    assert stamps == sorted(set(stamps))
    assert (await office.found(ping)).status == "delivered"
    assert office.sender.attempts == Counter(answer=3, delivered=1)


async def test_a_receiver_that_never_answers_well_is_disabled_after_days(
    office: Office, inbox: Receiver
) -> None:
    webhook = await office.webhook(inbox.url)
    (ping,) = await office.pings(webhook)
    inbox.status, began = 500, office.now
    while (found := await office.found(ping)).due_at is not None:
        office.now = max(found.due_at, office.now)
        await office.sender.settled()

    (disabled,) = await office.outbox.of_app(webhook.app)
    assert (found.status, found.attempts) == ("failed", 10)
    assert disabled.disabled_by == "failures"
    assert disabled.disabled_at is not None and disabled.disabled_at - began >= 3 * DAY


async def test_a_slow_receiver_is_in_nobodys_way(office: Office, inbox: Receiver) -> None:
    inbox.hold.clear()
    with receiver() as quick:
        await office.pings(await office.webhook(inbox.url), 20)
        await office.pings(await office.webhook(quick.url), 20)
        stopping = asyncio.Event()
        running = asyncio.create_task(office.sender.run(stopping))
        async with asyncio.timeout(30):
            while len(quick.letters) < 20:
                await asyncio.sleep(0.02)
        assert len(inbox.letters) <= WEBHOOK_AT_ONCE
        inbox.hold.set()
        async with asyncio.timeout(30):
            while len(inbox.letters) < 20:
                await asyncio.sleep(0.02)
        stopping.set()
        await running

    assert inbox.most_under_way <= WEBHOOK_AT_ONCE
    assert len({letter.id for letter in inbox.letters}) == len(inbox.letters) == 20


async def test_a_sender_that_stops_leaves_what_is_under_way_to_others(
    office: Office, inbox: Receiver
) -> None:
    (ping,) = await office.pings(await office.webhook(inbox.url))
    inbox.hold.clear()
    stopping = asyncio.Event()
    running = asyncio.create_task(office.sender.run(stopping))
    async with asyncio.timeout(30):
        while not inbox.letters:
            await asyncio.sleep(0.02)
    stopping.set()
    await running
    threading.Timer(0, inbox.hold.set).start()

    assert (await office.found(ping)).status == "pending"
    office.now += 61 * SECOND
    post = Post(anywhere=True)
    other = Sender(office.outbox, MemoryRegistry(Time()), post, lambda: office.now)
    await other.settled()
    await post.close()

    assert (await office.found(ping)).status == "delivered"
    assert len({letter.id for letter in inbox.letters}) == 1


def test_a_tournament_is_named_as_one_and_its_persons_by_entrant() -> None:
    told = Told(1_700_000_000 * SECOND, 6, 40, b'{"type":"table_opened"}', ((3, "d"), (4, "e")))
    one = Delivery(bytes(16), bytes(16), "table_opened", b"t" * 16, told, 0, None)

    data = json.loads(body_of(one, {"d": b"p" * 16}))["data"]

    assert data["tournament_id"] == str(uuid.UUID(bytes=b"t" * 16))
    assert "match_id" not in data
    assert data["players"] == [{"entrant": 3, "player_id": str(uuid.UUID(bytes=b"p" * 16))}]
