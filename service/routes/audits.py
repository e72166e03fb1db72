"""What auditors search for and take away in bulk: matches, tables of two, events, records."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Final

from litestar.types import ASGIApp
from msgspec import Meta, Struct

from domain.match import OVER
from domain.ports import MatchLine
from domain.search import Anomaly, StoredLine, lines_of
from service.call import Call
from service.operation import Needs, Operation, Shape, operation
from service.reply import NDJSON, as_json, streamed
from service.routes.matches import listing_of
from service.routes.records import record_lines
from service.searching import SearchQuery, page_link, search
from service.wire import MatchListing, Page, Request

EVENTS_AT_ONCE: Final = 1_000
"""Events of an export in one statement and one chunk: about 500 KiB."""
COST: Final = 20
"""Of a search, and of what is taken away in bulk: as much as twenty other requests."""


class MatchFound(Struct, frozen=True, gc=False):
    """A match that fits, and what went amiss in it."""

    match: MatchListing
    anomalies: tuple[Anomaly, ...]


class ExportQuery(Request, frozen=True):
    """Where in the log to begin, and how much to take."""

    after: Annotated[
        int, Meta(ge=0, le=2**53 - 1, description="The `next` of the export before.")
    ] = 0
    limit: (
        Annotated[int, Meta(ge=1, le=2**53 - 1, description="Events at most; without it all.")]
        | None
    ) = None


@operation(
    "GET",
    "/v1/audit/matches",
    tag="Audit",
    needs=Needs.AUDITOR,
    answers=(Shape(200, Page[MatchFound], headers=("Link",)),),
    cost=COST,
)
async def search_matches(call: Call, query: SearchQuery) -> ASGIApp:
    """Search all matches, private ones too, newest first.

    An `anomaly` is `missed_clock`, if a player's time ran out; `left`, if one left while it ran;
    `forfeit`, if it ended by that; `abandoned`; `voided`. A page may hold fewer items than asked
    for, even none, and still have a `next`.
    """
    found = await search(call, query)
    items = [
        MatchFound(await listing_of(call, line), tuple(sorted(anomalies)))
        for line, anomalies in found.matches
    ]
    link = page_link(call, query, found.following)
    return as_json(Page(tuple(items), found.following), 200, link)


@operation(
    "GET",
    "/v1/audit/records",
    tag="Audit",
    needs=Needs.AUDITOR,
    answers=(
        Shape(200, str, media=NDJSON, headers=("Link",), says="Records, one after the other."),
    ),
    cost=COST,
)
async def export_records(call: Call, query: SearchQuery) -> ASGIApp:
    """Take away the records of matches that are over, as a search finds them.

    `talon verify` checks such a file. The `Link` leads to the next ones, also where a page has
    none.
    """
    found = await search(call, query)
    over = [line for line, _ in found.matches if line.status in OVER]
    link = page_link(call, query, found.following)
    return streamed(call.scope, _records(call, over), NDJSON, link)


@operation(
    "GET",
    "/v1/audit/export",
    tag="Audit",
    needs=Needs.AUDITOR,
    answers=(
        Shape(
            200, StoredLine, media=NDJSON, says="Events, and then a line that says where to go on."
        ),
    ),
    cost=COST,
)
async def export_events(call: Call, query: ExportQuery) -> ASGIApp:
    """Take away all events of the log, as stored and in its order.

    Each line has the members of an event's line in a record, and the `stream` (the match) before
    them. The last line, `{"next": N}`, says after which position to go on; an export that ends
    without it was broken off and goes on after its last event.
    """
    head = await call.services.log.position()
    end = head if query.limit is None else min(head, query.after + query.limit)
    return streamed(call.scope, _events(call, query.after, end), NDJSON, ())


async def _records(call: Call, over: list[MatchLine]) -> AsyncIterator[bytes]:
    services = call.services
    for line in over:
        events = (await services.log.read(line.match)).events
        seats = await services.registry.seat_holders(line.match)
        async for part in record_lines(services, line.match, events, seats):
            yield part


async def _events(call: Call, after: int, end: int) -> AsyncIterator[bytes]:
    while after < end:
        stored = await call.services.search.stored(after, min(EVENTS_AT_ONCE, end - after))
        if not stored:
            break
        yield lines_of(stored)
        after = stored[-1].position
    yield b'{"next":%d}\n' % after


OPERATIONS: Final[tuple[Operation, ...]] = (search_matches, export_records, export_events)
