"""Tickets for browsers, which send no token with a stream or a socket."""

from __future__ import annotations

from typing import Final

from litestar.types import ASGIApp
from msgspec import Struct

from service import access
from service.call import Call, not_found
from service.idempotency import planned, replayed
from service.identity import Kind, token_hash, token_in
from service.ids import id_in
from service.operation import Needs, Operation, Shape, operation
from service.play.times import rfc3339
from service.reply import as_json
from service.tickets import Pass, Purpose, runs_out, signed
from service.wire import Id, Moment, Request


class NewTicket(Request, frozen=True):
    """What the ticket opens: the `stream` or the `socket` of one match."""

    match_id: Id
    purpose: Purpose = Purpose.STREAM


class TicketMade(Struct, frozen=True):
    """A ticket for `?ticket=`. What it has opened goes on after it has run out."""

    ticket: str
    match_id: Id
    purpose: Purpose
    expires_at: Moment


class TicketPlan(Struct, frozen=True):
    """When the ticket runs out: the same again for a retry."""

    until: int


@operation(
    "POST",
    "/v1/tickets",
    tag="History",
    needs=Needs.TOKEN,
    answers=(Shape(201, TicketMade, says="The ticket.", headers=("Idempotent-Replayed",)),),
    problems=(404,),
    takes=("Talon-Invite",),
)
async def create_ticket(call: Call, body: NewTicket) -> ASGIApp:
    """Get a ticket with which a page of a browser opens a stream or a socket.

    It is good for a minute, for one match, and for nothing else; whatever it opens is seen as
    the caller sees it, and ends when the caller's token does. A private match's invite, sent
    along, goes with it.
    """
    match = id_in(body.match_id)
    if match is None:
        raise not_found()
    looked = await access.seen(call, match)
    plan, is_again = await planned(call, TicketPlan, lambda: TicketPlan(runs_out(call.now)))
    given = Pass(
        purpose=body.purpose,
        match=match,
        token=token_hash(token_in(call.header(b"authorization") or "")),
        player=call.caller.player if call.caller.kind is Kind.APP else None,
        is_guest=looked.seat is None and call.header(b"talon-invite") is not None,
        until=plan.until,
    )
    made = TicketMade(signed(call, given), looked.view.match_id, body.purpose, rfc3339(plan.until))
    return as_json(made, 201, replayed(is_again))


OPERATIONS: Final[tuple[Operation, ...]] = (create_ticket,)
