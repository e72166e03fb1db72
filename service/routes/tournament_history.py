"""The history of a tournament: pages, lines, and a live stream; it is the same for everybody."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from itertools import islice
from typing import Final, cast

import msgspec
from litestar.types import ASGIApp

from domain.limits import PAGE_ITEMS
from domain.ports import Unavailable
from service import versions
from service.call import Call
from service.identity import Kind
from service.live import EVENTS, LINES, Live
from service.operation import Operation, Shape, operation
from service.paging import cursor_of, next_link, place_in
from service.play.contract import Busy
from service.play.times import SECOND
from service.problems import ProblemError
from service.reply import NDJSON, SSE, as_json, no_content, streamed
from service.routes.history import After, EventsQuery, last_event_id, wants_lines
from service.routes.views import UNCHANGED, unless_known
from service.tournament_access import seen
from service.tournaments.contract import TournamentItem, item
from service.watching import REVIEW_SECONDS, End
from service.wire import Page, Request, Version

_encoder: Final = msgspec.json.Encoder()


class TournamentStreamQuery(Request, frozen=True):
    """``Last-Event-ID`` goes before ``after``."""

    after: After = 0


@operation(
    "GET",
    "/v1/tournaments/{tournament_id}/events",
    tag="Tournaments",
    answers=(
        Shape(
            200, Page[TournamentItem], headers=("Link", "ETag"), says="A page, or all lines after."
        ),
        Shape(200, TournamentItem, media=NDJSON, headers=("ETag",), says="One item on each line."),
        UNCHANGED,
    ),
    problems=(404, 412),
    takes=("Accept", "If-None-Match", "Talon-Invite"),
)
async def list_tournament_events(call: Call, query: EventsQuery) -> ASGIApp:
    """Read the history of a tournament: the same for everybody who may see it.

    As pages of JSON, or, with `Accept: application/x-ndjson`, everything there is as lines.
    `table_opened` names the match of a table, `table_ended` the version and the hash at which
    that match had ended: so the histories of all its matches are tied to this one.
    """
    id = call.id("tournament_id")
    looked = await seen(call, id, query.min_version)
    version = looked.followed.head.version
    if (unchanged := unless_known(call, version, looked.viewer)) is not None:
        return unchanged
    after = query.after if query.cursor is None else place_in(query.cursor, Version)
    stored = query.format == "stored"
    headers = versions.headers(version, looked.viewer)
    recorded = looked.followed.recorded
    if wants_lines(call):
        items = (item(one, stored) for one in recorded[after:])
        return streamed(call.scope, _lines(items), NDJSON, headers)
    page = tuple(item(one, stored) for one in recorded[after : after + query.limit])
    following = cursor_of(page[-1].version) if page and page[-1].version < version else None
    link = next_link(call, following, limit=query.limit, format=query.format)
    return as_json(Page(page, following), 200, (*headers, *link))


@operation(
    "GET",
    "/v1/tournaments/{tournament_id}/events/stream",
    tag="Tournaments",
    answers=(
        Shape(200, str, media=SSE, says="Events: `id` is a version, `data` an item of a history."),
        Shape(
            200,
            TournamentItem,
            media=NDJSON,
            says="One item on each line; an empty line means nothing.",
        ),
        Shape(204, says="The tournament is over and the caller has it all: do not reconnect."),
    ),
    problems=(404, 412),
    takes=("Accept", "Last-Event-ID", "Talon-Invite"),
)
async def stream_tournament_events(call: Call, query: TournamentStreamQuery) -> ASGIApp:
    """Follow a tournament live, without gap or double: as a match's stream.

    The last thing sent tells why it ends: `tournament_over`, at which a client that reconnects
    gets 204; for the others see the streams of matches.
    """
    id = call.id("tournament_id")
    after = last_event_id(call, query.after)
    looked = await seen(call, id, after)
    if looked.followed.tournament.is_over and after >= looked.followed.head.version:
        return no_content()
    form = LINES if wants_lines(call) else EVENTS
    live = Live(_news(call, id, after), form, (("Cache-Control", "private, no-store"),))
    streams = call.services.streams
    streams.require_room(call.who, is_person=call.caller.player is not None)
    return streams.counted(call.who, live)


async def _lines(items: Iterator[TournamentItem]) -> AsyncIterator[bytes]:
    while page := tuple(islice(items, PAGE_ITEMS)):
        yield b"".join(_encoder.encode(one) + b"\n" for one in page)


async def _news(
    call: Call, id: bytes, after: int
) -> AsyncGenerator[TournamentItem | End | None, None]:
    """Every item once and in order, None now and then in between, and why it ends."""
    services = call.services
    reviewed = services.now()
    came = cast(
        "AsyncGenerator[TournamentItem | None, None]", services.tournaments.stream(id, after)
    )
    async with aclosing(came):
        async for one in came:
            now = services.now()
            if now - reviewed >= REVIEW_SECONDS * SECOND:
                if (end := await _review(call, id)) is not None:
                    yield end
                    return
                reviewed = now
            yield one
    yield End.SERVICE_STOPPING if services.stopping.is_set() else End.TOURNAMENT_OVER


async def _review(call: Call, id: bytes) -> End | None:
    """Find out again who watches, and whether they may."""
    if call.caller.kind is Kind.ANONYMOUS:
        return None
    try:
        call.now = call.services.now()
        call.caller = await call.again(call.now)
        await seen(call, id)
    except ProblemError as error:
        return End.NOT_YOURS if error.problem.status == 404 else End.TOKEN_INVALID
    except (Busy, Unavailable):  # asked again with the next item
        return None
    return None


OPERATIONS: Final[tuple[Operation, ...]] = (list_tournament_events, stream_tournament_events)
