"""The history of a match: pages, lines, and a live stream, each as one viewer may see it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Final, Literal

import msgspec
import structlog
from litestar.types import ASGIApp
from msgspec import Meta

from domain.limits import PAGE_ITEMS
from service import access, versions
from service.call import Call
from service.operation import Operation, Shape, operation
from service.paging import cursor_of, next_link, place_in
from service.play.contract import Item
from service.problems import Code, fail
from service.reply import NDJSON, SSE, as_json, no_content, streamed
from service.routes.views import UNCHANGED, unless_known
from service.wire import Cursor, Limit, NotOlder, Page, Request, Version

RETRY_MS: Final = 1_000
"""How soon a browser reconnects to a stream that broke."""

_encoder: Final = msgspec.json.Encoder()
_log = structlog.get_logger("talon.http")


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
    if _wants_lines(call):
        lines = _lines(call, match, looked.digest, after, stored)
        return streamed(call.scope, lines, NDJSON, headers)
    items = await call.services.play.history(
        match, None, after, query.limit + 1, stored, player=looked.digest
    )
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
        Shape(204, says="The match is over and the caller has it all: do not reconnect."),
    ),
    problems=(404, 412),
    takes=("Last-Event-ID", "Talon-Invite"),
)
async def stream_match_events(call: Call, query: StreamQuery) -> ASGIApp:
    """Follow the history live, without gap or double.

    Server-sent events from `Last-Event-ID` or `after` on; silence is broken by comments. The
    stream ends when the match is over; a client that reconnects then gets 204 and stops. What is
    to come after a version that is not there yet is refused (412).
    """
    match = call.id("match_id")
    after = _last_event_id(call, query.after)
    looked = await access.seen(call, match, after)
    if looked.view.result is not None and after >= looked.view.version:
        return no_content()
    messages = _messages(call, match, looked.digest, after)
    return streamed(call.scope, messages, SSE, (("Cache-Control", "private, no-store"),))


async def _lines(
    call: Call, match: bytes, digest: str | None, after: int, stored: bool
) -> AsyncIterator[bytes]:
    play = call.services.play
    while items := await play.history(match, None, after, PAGE_ITEMS, stored, player=digest):
        yield b"".join(_encoder.encode(item) + b"\n" for item in items)
        after = items[-1].version
        if len(items) < PAGE_ITEMS:
            return


async def _messages(
    call: Call, match: bytes, digest: str | None, after: int
) -> AsyncIterator[bytes]:
    """Framed events; a heartbeat is a comment, and an empty line would be an empty message."""
    yield b"retry: %d\n\n" % RETRY_MS
    try:
        async for item in call.services.play.stream(match, None, after, player=digest):
            if item is None:
                yield b": still here\n\n"
            else:
                yield b"id: %d\ndata: %b\n\n" % (item.version, _encoder.encode(item))
    except Exception as error:
        _log.warning("stream_broke", match_id=call.path["match_id"], exc_info=error)


def _wants_lines(call: Call) -> bool:
    return NDJSON in (call.header(b"accept") or "")


def _last_event_id(call: Call, after: int) -> int:
    given = call.header(b"last-event-id")
    if not given:
        return after
    if not given.isdecimal() or len(given) > 9:
        raise fail(Code.INVALID_HEADER, "Last-Event-ID is the version of the last event.")
    return int(given)


OPERATIONS: Final[tuple[Operation, ...]] = (list_match_events, stream_match_events)
