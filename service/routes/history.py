"""The history of a match: pages, lines, and a live stream, each as one viewer may see it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Final, Literal

import msgspec
from litestar.types import ASGIApp
from msgspec import Meta

from domain.limits import PAGE_ITEMS
from domain.match import OVER
from service import access, versions
from service.call import Call
from service.live import EVENTS, LINES, Live
from service.operation import Operation, Shape, operation
from service.paging import cursor_of, next_link, place_in
from service.play.contract import Item
from service.problems import Code, fail
from service.reply import NDJSON, SSE, as_json, no_content, streamed
from service.routes.views import UNCHANGED, unless_known
from service.tickets import Purpose, Ticket, admitted
from service.watching import Watch
from service.wire import Cursor, Limit, NotOlder, Page, Request, Version

_encoder: Final = msgspec.json.Encoder()


After = Annotated[Version, Meta(description="The last version that is known already.")]


class EventsQuery(NotOlder, frozen=True):
    """Which part of the history to read, and how."""

    after: After = 0
    limit: Limit = PAGE_ITEMS
    cursor: Cursor | None = None
    format: Annotated[
        Literal["plain", "stored"],
        Meta(description="`stored` adds the exact stored bytes of each event, as `data`."),
    ] = "plain"


class StreamQuery(Request, frozen=True):
    """``Last-Event-ID`` goes before ``after``."""

    after: After = 0
    ticket: Ticket | None = None


@operation(
    "GET",
    "/v1/matches/{match_id}/events",
    tag="History",
    answers=(
        Shape(200, Page[Item], headers=("Link", "ETag"), says="A page, or all lines after."),
        Shape(200, Item, media=NDJSON, headers=("ETag",), says="One item on each line."),
        UNCHANGED,
    ),
    problems=(404, 412),
    takes=("Accept", "If-None-Match", "Talon-Invite"),
)
async def list_match_events(call: Call, query: EventsQuery) -> ASGIApp:
    """Read the history as the caller may see it.

    As pages of JSON, or, with `Accept: application/x-ndjson`, everything there is as lines.
    What only the caller's seat saw stands in `mine`.
    """
    match = call.id("match_id")
    looked = await access.seen(call, match, query.min_version)
    if (unchanged := unless_known(call, looked.view.version, looked.viewer)) is not None:
        return unchanged
    after = query.after if query.cursor is None else place_in(query.cursor, Version)
    stored = query.format == "stored"
    headers = versions.headers(looked.view.version, looked.viewer)
    if wants_lines(call):
        lines = _lines(call, match, looked, after, stored)
        return streamed(call.scope, lines, NDJSON, headers)
    items = await _items(call, match, looked, after, query.limit + 1, stored)
    page = items[: query.limit]
    following = cursor_of(page[-1].version) if len(items) > query.limit else None
    link = next_link(call, following, limit=query.limit, format=query.format)
    return as_json(Page(page, following), 200, (*headers, *link))


@operation(
    "GET",
    "/v1/matches/{match_id}/events/stream",
    tag="History",
    answers=(
        Shape(200, str, media=SSE, says="Events: `id` is a version, `data` an item of a history."),
        Shape(200, Item, media=NDJSON, says="One item on each line; an empty line means nothing."),
        Shape(204, says="The match is over and the caller has it all: do not reconnect."),
    ),
    problems=(404, 412),
    takes=("Accept", "Last-Event-ID", "Talon-Invite"),
)
async def stream_match_events(call: Call, query: StreamQuery) -> ASGIApp:
    """Follow the history live, without gap or double.

    Server-sent events from `Last-Event-ID` or `after` on, or with `Accept:
    application/x-ndjson` lines; silence is broken by comments, or by empty lines. The last thing
    sent tells why the stream ends: `match_over`, at which a client that reconnects gets 204;
    `service_stopping`, `too_slow` and `try_again`, after which it comes back with the last
    version it has; `token_invalid` and `not_yours`. What is to come after a version that is not
    there yet is refused (412).
    """
    match = call.id("match_id")
    after = last_event_id(call, query.after)
    who = await admitted(call, query.ticket, Purpose.STREAM)
    looked = await access.seen(call, match, after)
    if looked.view.status in OVER and after >= looked.view.version:
        return no_content()
    watch = Watch(call, match, looked, after, who)
    form = LINES if wants_lines(call) else EVENTS
    live = Live(watch.news(), form, (("Cache-Control", "private, no-store"),))
    streams = call.services.streams
    streams.require_room(call.who, is_person=call.caller.player is not None)
    return streams.counted(call.who, live)


async def _lines(
    call: Call, match: bytes, looked: access.Seen, after: int, stored: bool
) -> AsyncIterator[bytes]:
    while items := await _items(call, match, looked, after, PAGE_ITEMS, stored):
        yield b"".join(_encoder.encode(item) + b"\n" for item in items)
        after = items[-1].version
        if len(items) < PAGE_ITEMS:
            return


async def _items(
    call: Call, match: bytes, looked: access.Seen, after: int, limit: int, stored: bool
) -> tuple[Item, ...]:
    """Items after a version as this viewer may see them by now."""
    if looked.delay:
        limit = min(limit, looked.view.version - after)
    if limit <= 0:
        return ()
    history = call.services.play.history
    return await history(match, None, after, limit, stored, player=looked.digest)


def wants_lines(call: Call) -> bool:
    """Whether the caller asks for lines instead of a page, or of server-sent events."""
    return NDJSON in (call.header(b"accept") or "")


def last_event_id(call: Call, after: int) -> int:
    """From which version on a stream resumes; raises ProblemError (400)."""
    given = call.header(b"last-event-id")
    if not given:
        return after
    if not given.isdecimal() or len(given) > 9:
        raise fail(Code.INVALID_HEADER, "Last-Event-ID is the version of the last event.")
    return int(given)


OPERATIONS: Final[tuple[Operation, ...]] = (list_match_events, stream_match_events)
