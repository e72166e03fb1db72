"""Webhooks of apps: where they want to be told what happens, and what they were told."""

from __future__ import annotations

import secrets
from typing import Annotated, Final

from litestar.types import ASGIApp
from msgspec import UNSET, Meta, Struct

from domain.limits import WEBHOOK_OLD_SECRET_HOURS, WEBHOOKS_PER_APP
from domain.webhooks import PING, SECRET_BYTES, Delivery, Told, Webhook, secret_text
from service.call import Call, not_found
from service.idempotency import planned, replayed
from service.ids import new_id, text_of
from service.operation import Needs, Operation, Shape, operation
from service.paging import MatchId, cursor_of, next_link, place_in
from service.play.times import SECOND, rfc3339
from service.problems import Code, fail
from service.reply import as_json, no_content
from service.webhook_forms import (
    DeliveryLine,
    NewWebhook,
    SecretMade,
    Status,
    WebhookChange,
    WebhookLine,
    WebhookMade,
    delivery_line,
    line_of,
    made,
    require_target,
)
from service.wire import Cursor, Limit, Page, Request

SENDING_COST: Final = 20
"""Of an app's limit: the service itself sends a request for it."""
_OLD_SECRET: Final = WEBHOOK_OLD_SECRET_HOURS * 3_600 * SECOND


class WebhookPlan(Struct, frozen=True):
    """What is random about a webhook, and where and when it begins: the same for a retry."""

    id: bytes
    secret: bytes
    since: int
    asked_at: int


class SecretPlan(Struct, frozen=True):
    """A new secret, and until when the one before signs: the same again for a retry."""

    secret: bytes
    old_until: int


class AttemptPlan(Struct, frozen=True):
    """A delivery to make, and when it was asked for: the same again for a retry."""

    id: bytes
    asked_at: int


class DeliveriesQuery(Request, frozen=True):
    """Which deliveries to list."""

    status: Annotated[Status, Meta(description="Only deliveries of which this is so.")] | None = (
        None
    )
    limit: Limit = 50
    cursor: Cursor | None = None


@operation(
    "POST",
    "/v1/webhooks",
    tag="Webhooks",
    needs=Needs.TOKEN,
    answers=(
        Shape(
            201,
            WebhookMade,
            says="The secret is shown this once.",
            headers=("Location", "Idempotent-Replayed"),
        ),
    ),
    problems=(409,),
)
async def create_webhook(call: Call, body: NewWebhook) -> ASGIApp:
    """Be told what happens in the matches of one's app, and of its players, from now on.

    Each delivery is posted as JSON, signed as Standard Webhooks says, until it is answered with a
    2xx. It holds what everybody at the table may see.
    """
    app = _app(call)
    require_target(body.url, anywhere=call.services.settings.webhooks_anywhere)
    since = await call.services.log.position()
    plan, is_again = await planned(
        call,
        WebhookPlan,
        lambda: WebhookPlan(new_id(), secrets.token_bytes(SECRET_BYTES), since, call.now),
    )
    types = tuple(sorted({str(type) for type in body.types}))
    webhook = Webhook(plan.id, app, body.url, types, plan.secret, plan.asked_at, plan.since)
    if not await call.services.webhooks.add(webhook, WEBHOOKS_PER_APP):
        raise fail(Code.TOO_MANY_WEBHOOKS, f"An app has at most {WEBHOOKS_PER_APP} webhooks.")
    location = ("Location", f"/v1/webhooks/{text_of(plan.id)}")
    return as_json(made(webhook), 201, (location, *replayed(is_again)))


@operation(
    "GET",
    "/v1/webhooks",
    tag="Webhooks",
    needs=Needs.TOKEN,
    answers=(Shape(200, Page[WebhookLine]),),
)
async def list_webhooks(call: Call) -> ASGIApp:
    """List the webhooks of one's app, and how they are doing."""
    webhooks = await call.services.webhooks.of_app(_app(call))
    return as_json(Page(tuple(map(line_of, webhooks)), None))


@operation(
    "GET",
    "/v1/webhooks/{webhook_id}",
    tag="Webhooks",
    needs=Needs.TOKEN,
    answers=(Shape(200, WebhookLine),),
    problems=(404,),
)
async def get_webhook(call: Call) -> ASGIApp:
    """See how a webhook is doing: since when it fails, and why it is disabled."""
    return as_json(line_of(await _own(call)))


@operation(
    "PATCH",
    "/v1/webhooks/{webhook_id}",
    tag="Webhooks",
    needs=Needs.TOKEN,
    answers=(Shape(200, WebhookLine),),
    problems=(404,),
)
async def change_webhook(call: Call, body: WebhookChange) -> ASGIApp:
    """Change a webhook's address or types, or end it for a while and resume it.

    A webhook that is enabled again is told what happens from then on; what was waiting for it
    when it was disabled goes out as well.
    """
    webhook, webhooks = await _own(call), call.services.webhooks
    url = webhook.url if body.url is UNSET else body.url
    types = webhook.types
    if body.types is not UNSET:
        types = tuple(sorted({str(type) for type in body.types}))
    require_target(url, anywhere=call.services.settings.webhooks_anywhere)
    await webhooks.change(webhook.id, url, types)
    if body.enabled is True:
        await webhooks.enable(webhook.id, await call.services.log.position())
    elif body.enabled is False:
        await webhooks.disable(webhook.id, call.now)
    return as_json(line_of(await _own(call)))


@operation(
    "DELETE",
    "/v1/webhooks/{webhook_id}",
    tag="Webhooks",
    needs=Needs.TOKEN,
    answers=(Shape(204, says="The webhook is gone, and so is its log."),),
    problems=(404,),
)
async def delete_webhook(call: Call) -> ASGIApp:
    """Be told nothing more. A delivery that is under way may still arrive."""
    await call.services.webhooks.remove((await _own(call)).id)
    return no_content()


@operation(
    "POST",
    "/v1/webhooks/{webhook_id}/secret",
    tag="Webhooks",
    needs=Needs.TOKEN,
    answers=(
        Shape(
            201,
            SecretMade,
            says="The secret is shown this once.",
            headers=("Idempotent-Replayed",),
        ),
    ),
    problems=(404,),
)
async def rotate_webhook_secret(call: Call) -> ASGIApp:
    """Take a new secret. For a day each delivery is signed with the one before as well."""
    webhook = await _own(call)
    plan, is_again = await planned(
        call,
        SecretPlan,
        lambda: SecretPlan(secrets.token_bytes(SECRET_BYTES), call.now + _OLD_SECRET),
    )
    if plan.secret not in (webhook.secret, webhook.old_secret):
        await call.services.webhooks.rotate(webhook.id, plan.secret, plan.old_until)
    answer = SecretMade(secret_text(plan.secret), rfc3339(plan.old_until))
    return as_json(answer, 201, replayed(is_again))


@operation(
    "POST",
    "/v1/webhooks/{webhook_id}/test",
    tag="Webhooks",
    needs=Needs.TOKEN,
    cost=SENDING_COST,
    answers=(Shape(202, DeliveryLine, says="It is on its way.", headers=("Idempotent-Replayed",)),),
    problems=(404, 409),
)
async def test_webhook(call: Call) -> ASGIApp:
    """Have a `ping` delivered at once, whatever types the webhook is told."""
    webhook = await _enabled(call)
    plan, is_again = await planned(call, AttemptPlan, lambda: AttemptPlan(new_id(), call.now))
    told = Told(plan.asked_at)
    ping = Delivery(plan.id, webhook.id, PING, None, told, plan.asked_at, due_at=plan.asked_at)
    await call.services.webhooks.deliver(ping)
    return await _delivery_answer(call, webhook, plan.id, is_again)


@operation(
    "GET",
    "/v1/webhooks/{webhook_id}/deliveries",
    tag="Webhooks",
    needs=Needs.TOKEN,
    answers=(Shape(200, Page[DeliveryLine], headers=("Link",)),),
    problems=(404,),
)
async def list_deliveries(call: Call, query: DeliveriesQuery) -> ASGIApp:
    """List what was told, newest first, and what has become of it.

    The log of a webhook goes back 14 days, and 10,000 deliveries that are over.
    """
    webhook = await _own(call)
    before = None if query.cursor is None else place_in(query.cursor, MatchId)
    found = await call.services.webhooks.deliveries(
        webhook.id, query.status, before, query.limit + 1
    )
    page = found[: query.limit]
    following = cursor_of(page[-1].id) if len(found) > query.limit else None
    link = next_link(call, following, status=query.status, limit=query.limit)
    return as_json(Page(tuple(map(delivery_line, page)), following), 200, link)


@operation(
    "POST",
    "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry",
    tag="Webhooks",
    needs=Needs.TOKEN,
    cost=SENDING_COST,
    answers=(Shape(202, DeliveryLine, says="It is on its way.", headers=("Idempotent-Replayed",)),),
    problems=(404, 409),
)
async def retry_delivery(call: Call) -> ASGIApp:
    """Deliver something now and, if need be, again by the whole schedule; its id stays the same."""
    webhook = await _enabled(call)
    delivery = await call.services.webhooks.delivery(webhook.id, call.id("delivery_id"))
    if delivery is None:
        raise not_found()
    plan, is_again = await planned(call, AttemptPlan, lambda: AttemptPlan(delivery.id, call.now))
    await call.services.webhooks.again(delivery.id, call.now, plan.asked_at)
    return await _delivery_answer(call, webhook, delivery.id, is_again)


async def _delivery_answer(call: Call, webhook: Webhook, id: bytes, is_again: bool) -> ASGIApp:
    delivery = await call.services.webhooks.delivery(webhook.id, id)
    if delivery is None:
        raise not_found()
    call.services.wake_sender()
    return as_json(delivery_line(delivery), 202, replayed(is_again))


def _app(call: Call) -> bytes:
    """The app that asks for itself; raises ProblemError (403)."""
    if call.caller.app is None:
        raise fail(Code.NOT_ALLOWED, "An app's key does this, without Talon-Player.")
    return call.caller.app


async def _own(call: Call) -> Webhook:
    """The app's webhook that the path names; raises ProblemError (403, 404)."""
    app = _app(call)
    id = call.id("webhook_id")
    for webhook in await call.services.webhooks.of_app(app):
        if webhook.id == id:
            return webhook
    raise not_found()


async def _enabled(call: Call) -> Webhook:
    """The same, if it is told anything; raises ProblemError (409)."""
    webhook = await _own(call)
    if webhook.disabled_at is not None:
        why = webhook.disabled_by or "app"
        raise fail(Code.WEBHOOK_DISABLED, _DISABLED[why])
    return webhook


_DISABLED: Final = {
    "app": "The app has disabled it: PATCH it with enabled.",
    "failures": "It was disabled after days without one success: PATCH it with enabled.",
    "backlog": "Its receiver was too slow, and too much waits for it: PATCH it with enabled.",
    "gone": "Its receiver answered 410 and is left alone: PATCH it with enabled.",
}

OPERATIONS: Final[tuple[Operation, ...]] = (
    create_webhook,
    list_webhooks,
    get_webhook,
    change_webhook,
    delete_webhook,
    rotate_webhook_secret,
    test_webhook,
    list_deliveries,
    retry_delivery,
)
