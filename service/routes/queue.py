"""Quick matches: waiting for others who want the same, and being given a match with them."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated, Final

from litestar.types import ASGIApp
from msgspec import UNSET, Meta, Struct

from domain.combinations import require_no_contradiction, require_that_they_go_together
from domain.waiting import Ticket
from service.call import Call, not_found
from service.idempotency import planned, replayed
from service.ids import new_id, text_of
from service.operation import Needs, Operation, Shape, operation
from service.play.times import rfc3339
from service.problems import Code, fail, invalid
from service.quick_match import Wish, looked_at, pair, valid_until, wish_bytes, wish_in
from service.quota import SET_UP_COST, require_room_for_a_match
from service.reply import as_json, no_content
from service.seating import SALT_BYTES, erased
from service.wire import QueueTicket, Request, WaitSeconds, Wished

LOOK_SECONDS: Final = 0.5
"""How often a ticket is looked at while its owner waits."""


class TicketPlan(Struct, frozen=True):
    """What is random about a ticket, and since when it waits: the same again for a retry."""

    ticket: bytes
    salt: bytes
    since: int


class TicketQuery(Request, frozen=True):
    """How long to wait for a match."""

    wait: Annotated[WaitSeconds, Meta(description="Wait up to so many seconds for a match.")] = 0


@operation(
    "POST",
    "/v1/queue",
    tag="Matches",
    needs=Needs.PLAYER,
    answers=(
        Shape(
            201,
            QueueTicket,
            says="The ticket: with its match, or of somebody who waits.",
            headers=("Location", "Idempotent-Replayed"),
        ),
    ),
    problems=(409,),
    cost=SET_UP_COST,
)
async def enter_queue(call: Call, body: Wished) -> ASGIApp:
    """Wait for a quick match.

    Those who wait for the same number of seats, rules and bots are given a public match, which
    starts at once; who has waited longest is its host. There are bots only where they are wished
    for. A person has one ticket at a time: asking for the same again answers the one that waits.
    It runs out a minute after one last asked for it.
    """
    if len(body.bots) >= body.seats:
        raise invalid("#/bots", "There are more bots than seats for them.")
    require_that_they_go_together(body.rules, body.seats)
    require_no_contradiction(call.plain.get("rules", {}))
    plan, is_again = await planned(
        call, TicketPlan, lambda: TicketPlan(new_id(), secrets.token_bytes(SALT_BYTES), call.now)
    )
    if await call.services.queue.ticket(plan.ticket) is None:
        await require_room_for_a_match(call)
    wish = wish_bytes(Wish(body.seats, body.rules, body.bots))
    mine = Ticket(plan.ticket, call.player, plan.salt, wish, plan.since, valid_until(plan.since))
    ticket = await call.services.queue.enter(mine, call.now)
    if ticket is None:
        raise erased()
    if ticket.wish != wish:
        raise fail(Code.ALREADY_WAITING, f"Ticket {text_of(ticket.id)} waits for something else.")
    found = await _awaited(call, ticket.id, body.wait)
    if found is None and not is_again:
        raise not_found()
    location = ("Location", f"/v1/queue/{text_of(ticket.id)}")
    return as_json(_shown(found or ticket), 201, (location, *replayed(is_again)))


@operation(
    "GET",
    "/v1/queue/{ticket}",
    tag="Matches",
    needs=Needs.PLAYER,
    answers=(Shape(200, QueueTicket),),
    problems=(404,),
)
async def get_queue_ticket(call: Call, query: TicketQuery) -> ASGIApp:
    """Ask whether there is a match, and go on waiting if there is none.

    A ticket that has run out or was given back is not there any more (404).
    """
    ticket = await _own(call)
    found = await _awaited(call, ticket.id, query.wait)
    if found is None:
        raise not_found()
    return as_json(_shown(found))


@operation(
    "DELETE",
    "/v1/queue/{ticket}",
    tag="Matches",
    needs=Needs.PLAYER,
    answers=(Shape(204, says="The wait is over."),),
    problems=(404, 409),
)
async def leave_queue(call: Call) -> ASGIApp:
    """Wait no longer. If there is a match already, that is what to leave (409)."""
    ticket = await _own(call)
    if not await call.services.queue.leave(ticket.id):
        raise fail(Code.ALREADY_MATCHED, "There is a match for this ticket: leave that.")
    return no_content()


async def _own(call: Call) -> Ticket:
    """The caller's ticket; raises ProblemError (404)."""
    ticket = await call.services.queue.ticket(call.id("ticket"))
    if ticket is None or ticket.player != call.player:
        raise not_found()
    if ticket.match is None and ticket.until <= call.now:
        raise not_found()
    return ticket


async def _awaited(call: Call, id: bytes, seconds: int) -> Ticket | None:
    """The ticket with its match, or as it is after so many seconds; None if it is gone by then."""
    services, clock = call.services, asyncio.get_running_loop().time
    end = clock() + seconds
    await services.queue.stay(id, valid_until(services.now()))
    ticket = await looked_at(services, id)
    if ticket is not None and ticket.match is None:
        await pair(services, ticket.wish)  # also what a process that was killed has left undone
        ticket = await looked_at(services, id)
    while ticket is not None and ticket.match is None:
        left = end - clock()
        if left <= 0 or services.stopping.is_set():
            return ticket
        await asyncio.sleep(min(LOOK_SECONDS, left))
        ticket = await looked_at(services, id)
    return ticket


def _shown(ticket: Ticket) -> QueueTicket:
    wish, match = wish_in(ticket.wish), ticket.match
    return QueueTicket(
        ticket=text_of(ticket.id),
        status="waiting" if match is None else "matched",
        seats=wish.seats,
        rules=wish.options,
        bots=wish.bots,
        since=rfc3339(ticket.since),
        expires_at=rfc3339(ticket.until) if match is None else None,
        match_id=UNSET if match is None else text_of(match),
    )


OPERATIONS: Final[tuple[Operation, ...]] = (enter_queue, get_queue_ticket, leave_queue)
