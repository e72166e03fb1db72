"""What any store of webhooks must do, in memory and on Postgres alike."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from domain.ports import StaleLeader
from domain.webhooks import Bounds, Delivery, DeliveryStatus, Outcome, Told, Webhook
from infra.memory_webhooks import MemoryWebhooks
from infra.postgres.log import PostgresLog
from infra.postgres.webhooks import PostgresWebhooks
from infra.sealing import Sealer
from tests.contract.pen import fresh_id

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

NOW = 1_700_000_000_000_000
SECOND = 1_000_000
DAY = 86_400 * SECOND
SEALER = Sealer(bytes(range(32)))
APP = b"a" * 16
Store = MemoryWebhooks | PostgresWebhooks


@pytest.fixture
async def stores(database_or_none: str | None) -> AsyncIterator[tuple[Store, Store]]:
    """The same store as two processes see it."""
    if database_or_none is None:
        store = MemoryWebhooks()
        yield store, store
        return
    one = await PostgresLog.open(database_or_none, SEALER, pool_size=4)
    two = await PostgresLog.open(database_or_none, SEALER, pool_size=4)
    yield PostgresWebhooks(one.pool, SEALER), PostgresWebhooks(two.pool, SEALER)
    await one.close()
    await two.close()


@pytest.fixture
def store(stores: tuple[Store, Store]) -> Store:
    return stores[0]


def webhook(**more: object) -> Webhook:
    made = Webhook(fresh_id(), APP, "https://example.com/x", (), b"s" * 32, NOW, since=0)
    return replace(made, **more)  # type: ignore[arg-type]


def delivery(to: Webhook, due_at: int | None = NOW) -> Delivery:
    told = Told(NOW, 7, 40, b'{"type":"match_ended"}', ((0, "ab"), (2, "cd")))
    return Delivery(fresh_id(), to.id, "match_ended", fresh_id(), told, NOW, due_at)


async def added(store: Store, **more: object) -> Webhook:
    made = webhook(**more)
    assert await store.add(made, 10)
    return made


async def claimed(store: Store, now: int = NOW, limit: int = 100, at_once: int = 4) -> list[bytes]:
    claims = await store.claim(now, now + 60 * SECOND, limit, at_once)
    return [claim.delivery.id for claim in claims]


async def test_a_webhook_is_kept_as_it_was_made_and_made_once(store: Store) -> None:
    made = await added(store, types=("match_ended", "your_turn"))
    assert await store.add(replace(made, url="https://example.com/other"), 10)

    assert await store.of_app(APP) == (made,)
    assert await store.of_app(b"b" * 16) == ()
    assert await store.enabled() == (made,)


async def test_an_app_has_no_more_than_the_limit(store: Store) -> None:
    first = webhook()
    assert await store.add(first, 1)
    assert not await store.add(webhook(), 1)
    assert await store.add(first, 1)
    assert await store.add(webhook(app=b"b" * 16), 1)


async def test_a_webhook_is_changed_disabled_enabled_and_removed(store: Store) -> None:
    made = await added(store)
    await store.change(made.id, "https://example.com/y", ("match_ended",))
    await store.disable(made.id, NOW + 1)
    (disabled,) = await store.of_app(APP)
    assert (disabled.url, disabled.types) == ("https://example.com/y", ("match_ended",))
    assert (disabled.disabled_at, disabled.disabled_by) == (NOW + 1, "app")
    assert await store.enabled() == ()

    await store.enable(made.id, 99)
    (enabled,) = await store.enabled()
    assert (enabled.since, enabled.disabled_at, enabled.disabled_by) == (99, None, None)

    await store.deliver(mine := delivery(made))
    await store.remove(made.id)
    assert await store.of_app(APP) == ()
    assert await store.delivery(made.id, mine.id) is None


async def test_the_secret_before_is_kept_at_a_rotation(store: Store) -> None:
    made = await added(store)
    await store.rotate(made.id, b"t" * 32, NOW + DAY)

    (rotated,) = await store.of_app(APP)
    assert (rotated.secret, rotated.old_secret) == (b"t" * 32, b"s" * 32)
    assert rotated.old_until == NOW + DAY


async def test_deliveries_are_written_with_the_position_or_not_at_all(store: Store) -> None:
    made = await added(store)
    first, second = delivery(made), delivery(made)

    assert await store.write(0, 10, 5, [first])
    assert not await store.write(0, 12, 5, [second])
    assert await store.position() == 10
    assert await store.deliveries(made.id, None, None, 10) == (first,)
    with pytest.raises(StaleLeader):
        await store.write(10, 12, 4, [second])
    assert await store.write(10, 12, 6, [])
    assert await store.position() == 12


async def test_of_two_who_write_the_same_one_does(stores: tuple[Store, Store]) -> None:
    made = await added(stores[0])
    both = [
        await asyncio.gather(
            *(one.write(start, start + 1, 1, [delivery(made)]) for one in stores * 2)
        )
        for start in range(10)
    ]

    assert [sum(wrote) for wrote in both] == [1] * 10
    assert len(await stores[0].deliveries(made.id, None, None, 100)) == 10


async def test_what_is_due_is_taken_on_by_one_and_again_after_the_lease(store: Store) -> None:
    made = await added(store)
    await store.deliver(mine := delivery(made))
    await store.deliver(delivery(made, due_at=NOW + DAY))

    (claim,) = await store.claim(NOW, NOW + 60 * SECOND, 9, 9)
    assert (claim.delivery.id, claim.delivery.attempts, claim.webhook) == (mine.id, 1, made)
    assert claim.delivery.told == mine.told
    assert await claimed(store, NOW + 59 * SECOND) == []
    assert await claimed(store, NOW + 60 * SECOND) == [mine.id]


async def test_everything_due_is_taken_on_once_by_many(stores: tuple[Store, Store]) -> None:
    hooks = [await added(stores[0], app=fresh_id()) for _ in range(6)]
    sent = [delivery(hook) for hook in hooks for _ in range(20)]
    assert await stores[0].write(0, 1, 1, sent)
    taken: Counter[bytes] = Counter()

    async def work(number: int) -> None:
        for _ in range(100):
            claims = await stores[number % 2].claim(NOW, NOW + DAY, 7, 4)
            for claim in claims:
                taken[claim.delivery.id] += 1
                await stores[number % 2].settle(claim, Outcome(NOW, DeliveryStatus.DELIVERED))
            if len(taken) == len(sent):
                return
            await asyncio.sleep(0)

    await asyncio.gather(*map(work, range(6)))

    assert taken == Counter(one.id for one in sent)


async def test_a_webhook_has_only_so_many_under_way(store: Store) -> None:
    slow, other = await added(store), await added(store)
    for one in [slow] * 9 + [other]:
        await store.deliver(delivery(one))

    first = await store.claim(NOW, NOW + DAY, 100, 4)
    again = await store.claim(NOW, NOW + DAY, 100, 4)

    assert Counter(claim.webhook.id for claim in first) == {slow.id: 4, other.id: 1}
    assert again == ()
    await store.settle(first[0], Outcome(NOW, DeliveryStatus.DELIVERED))
    freed = await store.claim(NOW, NOW + DAY, 100, 4)
    assert len(freed) == (first[0].webhook.id == slow.id)


async def test_a_success_is_noted_and_not_tried_again(store: Store) -> None:
    made = await added(store)
    await store.deliver(mine := delivery(made))
    (claim,) = await store.claim(NOW, NOW + SECOND, 9, 9)
    await store.settle(claim, Outcome(NOW + 5, DeliveryStatus.DELIVERED, answered=204))

    noted = await store.delivery(made.id, mine.id)
    assert noted is not None
    assert (noted.status, noted.due_at, noted.last_at) == ("delivered", None, NOW + 5)
    assert (noted.answered, noted.failure) == (204, None)
    assert await claimed(store, NOW + DAY) == []


def failed(at: int, due_at: int | None, limit: int = 0, *, is_gone: bool = False) -> Outcome:
    status = DeliveryStatus.FAILED if due_at is None else DeliveryStatus.PENDING
    return Outcome(at, status, due_at, 500, "answer", limit, is_gone)


async def test_a_receiver_that_fails_is_left_alone_for_a_moment(store: Store) -> None:
    made = await added(store)
    await store.deliver(delivery(made))
    await store.deliver(waiting := delivery(made, due_at=NOW + 1))
    (claim,) = await store.claim(NOW, NOW + SECOND, 9, 9)
    await store.settle(claim, failed(NOW, NOW + DAY))

    assert await claimed(store, NOW + SECOND) == []
    assert (await store.of_app(APP))[0].failing_since == NOW
    (claim,) = await store.claim(NOW + 2 * SECOND, NOW + 9 * SECOND, 9, 9)
    assert claim.delivery.id == waiting.id
    await store.settle(claim, Outcome(NOW + 3 * SECOND, DeliveryStatus.DELIVERED))
    assert (await store.of_app(APP))[0].failing_since is None


async def test_a_webhook_that_fails_for_too_long_is_disabled(store: Store) -> None:
    made = await added(store)
    for at in (NOW, NOW + DAY):
        await store.deliver(delivery(made, due_at=at))
        (claim,) = await store.claim(at, at + SECOND, 9, 9)
        await store.settle(claim, failed(at, None, limit=at - DAY))

    (disabled,) = await store.of_app(APP)
    assert (disabled.disabled_at, disabled.disabled_by) == (NOW + DAY, "failures")
    await store.deliver(delivery(made, due_at=NOW))
    assert await claimed(store, NOW + 9 * DAY) == []


async def test_a_webhook_that_is_gone_is_disabled_at_once(store: Store) -> None:
    made = await added(store)
    await store.deliver(delivery(made))
    (claim,) = await store.claim(NOW, NOW + SECOND, 9, 9)
    await store.settle(claim, failed(NOW, None, is_gone=True))

    assert (await store.of_app(APP))[0].disabled_by == "gone"


async def test_who_comes_after_the_lease_has_no_say(store: Store) -> None:
    made = await added(store)
    await store.deliver(mine := delivery(made))
    (late,) = await store.claim(NOW, NOW + SECOND, 9, 9)
    (claim,) = await store.claim(NOW + SECOND, NOW + 9 * SECOND, 9, 9)
    await store.settle(claim, Outcome(NOW + SECOND, DeliveryStatus.DELIVERED, answered=200))
    await store.settle(late, failed(NOW + 2 * SECOND, NOW + DAY))

    noted = await store.delivery(made.id, mine.id)
    assert noted is not None and noted.status == "delivered"


async def test_a_delivery_is_tried_again_when_it_is_asked_for(store: Store) -> None:
    made = await added(store)
    await store.deliver(mine := delivery(made))
    (claim,) = await store.claim(NOW, NOW + SECOND, 9, 9)
    await store.again(mine.id, NOW, NOW)
    assert await claimed(store) == []  # it is under way
    await store.settle(claim, failed(NOW + 1, None))

    await store.again(mine.id, NOW + 2, NOW + 1)  # asked for before it was tried
    assert await claimed(store, NOW + 3) == []
    await store.again(mine.id, NOW + 2, NOW + 2)

    (claim,) = await store.claim(NOW + 3, NOW + SECOND, 9, 9)
    assert (claim.delivery.id, claim.delivery.attempts) == (mine.id, 1)


async def test_what_is_still_to_be_made_is_counted(store: Store) -> None:
    made = await added(store)
    assert await store.waiting() == 0
    await store.deliver(delivery(made))
    await store.deliver(delivery(made))
    assert await store.waiting() == 2
    first, _ = await store.claim(NOW, NOW + 60 * SECOND, 9, 9)
    await store.settle(first, Outcome(NOW, DeliveryStatus.DELIVERED, answered=200))
    assert await store.waiting() == 1


async def test_the_log_goes_back_by_page_and_by_status_and_is_dropped_in_time(store: Store) -> None:
    made = await added(store)
    sent = [delivery(made) for _ in range(3)]
    for one in sent:
        await store.deliver(one)
    newest = sorted(sent, key=lambda one: one.id, reverse=True)

    assert await store.deliveries(made.id, None, None, 2) == tuple(newest[:2])
    assert await store.deliveries(made.id, "pending", newest[1].id, 2) == (newest[2],)
    assert await store.deliveries(made.id, "failed", None, 2) == ()
    await store.sweep(Bounds(NOW, before=NOW, log=0, waiting=9))
    assert len(await store.deliveries(made.id, None, None, 9)) == 3
    await store.sweep(Bounds(NOW, before=NOW + 1, log=0, waiting=9))
    assert await store.deliveries(made.id, None, None, 9) == ()


async def test_the_log_of_each_webhook_keeps_so_many_that_are_over(store: Store) -> None:
    one, other = await added(store), await added(store)
    over = sorted([delivery(one, due_at=None) for _ in range(5)], key=lambda mine: mine.id)
    waiting, theirs = delivery(one), [delivery(other, due_at=None) for _ in range(2)]
    for mine in (*over, waiting, *theirs):
        await store.deliver(mine)
    await store.sweep(Bounds(NOW, before=0, log=2, waiting=9))

    kept = {mine.id for mine in await store.deliveries(one.id, None, None, 9)}
    assert kept == {waiting.id, over[3].id, over[4].id}
    assert len(await store.deliveries(other.id, None, None, 9)) == 2


async def test_a_webhook_for_which_too_much_waits_is_disabled(store: Store) -> None:
    slow, quick = await added(store), await added(store)
    for to in (slow, slow, slow, quick, quick):
        await store.deliver(delivery(to))
    await store.sweep(Bounds(NOW + 1, before=0, log=9, waiting=2))

    found = {webhook.id: webhook for webhook in await store.of_app(APP)}
    assert (found[slow.id].disabled_by, found[slow.id].disabled_at) == ("backlog", NOW + 1)
    assert found[quick.id].disabled_at is None


async def test_no_secret_stands_in_the_database(database: str) -> None:
    log = await PostgresLog.open(database, SEALER, pool_size=2)
    await PostgresWebhooks(log.pool, SEALER).add(webhook(), 10)
    async with log.pool.acquire() as connection:
        row = await connection.fetchrow("SELECT * FROM webhook")
    await log.close()

    assert row is not None and b"s" * 32 not in repr(tuple(row)).encode()
    assert len(row["sealed_secret"]) > 32


async def test_a_webhook_that_was_removed_is_not_made_again_by_a_repetition(store: Store) -> None:
    made = await added(store)
    await store.remove(made.id)

    assert await store.add(made, 20)

    assert await store.of_app(APP) == ()


async def test_a_rotation_that_comes_late_does_not_undo_the_next_one(store: Store) -> None:
    made = await added(store)
    await store.rotate(made.id, b"t" * 32, NOW + DAY)
    await store.rotate(made.id, b"u" * 32, NOW + DAY + SECOND)

    await store.rotate(made.id, b"t" * 32, NOW + DAY)

    (rotated,) = await store.of_app(APP)
    assert (rotated.secret, rotated.old_secret) == (b"u" * 32, b"t" * 32)
    assert rotated.old_until == NOW + DAY + SECOND
