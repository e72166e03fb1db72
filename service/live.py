"""Answers that go on while a match does: each item as it comes, in one of two forms.

A reader that is slow holds nobody up: what it has still to get is read again from the log. One
that is far too slow is told so and let go, and comes back with the last version it has.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final

import msgspec
import structlog
from litestar.types import HTTPResponseStartEvent, HTTPScope, Receive, Scope, Send
from msgspec import Struct

from service.call import header_values
from service.errors import language_of
from service.french import detail
from service.languages import FRENCH
from service.play.contract import Item
from service.reply import NDJSON, SSE, Headers
from service.tournaments.contract import TournamentItem
from service.watching import End, News, ended

RETRY_MS: Final = 1_000
"""How soon a browser reconnects to a stream that broke."""
SLOW_SECONDS: Final = 30.0
"""A reader that takes nothing for so long is let go with a reason: a phone that changes from one
network to another is back sooner. Up to 64 KiB wait for it meanwhile."""
GIVE_UP_SECONDS: Final = 120.0
"""One that still takes nothing is dropped without a word: nobody is there to read it."""

_encoder: Final = msgspec.json.Encoder()
_log = structlog.get_logger("talon.http")


class LastWords(Struct, frozen=True, gc=False, tag_field="type", tag="end"):
    """The last line of a stream: why it ends."""

    reason: End
    detail: str


class Form(Struct, frozen=True):
    """How a stream is written: what comes first, an item, silence broken, and the end."""

    media: str
    opening: bytes
    item: Callable[[Item | TournamentItem], bytes]
    heartbeat: bytes
    end: Callable[[LastWords], bytes]


def why(end: End, language: str) -> str:
    """The sentence that says why nothing more comes."""
    return detail(end.detail) if language == FRENCH else end.detail


def _event(item: Item | TournamentItem) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (item.version, _encoder.encode(item))


def _last_event(words: LastWords) -> bytes:
    """Without an id, so that the one to come back with stays; not given to ``onmessage``."""
    return b"event: end\ndata: %b\n\n" % _encoder.encode(words)


def _line(item: Item | TournamentItem) -> bytes:
    return _encoder.encode(item) + b"\n"


def _last_line(words: LastWords) -> bytes:
    return _encoder.encode(words) + b"\n"


EVENTS: Final = Form(SSE, b"retry: %d\n\n" % RETRY_MS, _event, b": still here\n\n", _last_event)
"""A comment breaks the silence; an empty line alone would be an empty message."""
LINES: Final = Form(NDJSON, b"", _line, b"\n", _last_line)


class Live:
    """A stream as an answer. It ends when the reader goes away, or with a reason."""

    __slots__ = ("_form", "_headers", "_news")

    def __init__(
        self, news: AsyncGenerator[News | TournamentItem, None], form: Form, headers: Headers
    ) -> None:
        self._news = news
        self._form = form
        self._headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream; to HEAD its headers only."""
        http: HTTPScope = scope  # type: ignore[assignment]
        headers = [(name.encode(), value.encode()) for name, value in self._headers]
        headers.append((b"content-type", self._form.media.encode()))
        headers.append((b"x-accel-buffering", b"no"))
        start: HTTPResponseStartEvent = {
            "type": "http.response.start",
            "status": 200,
            "headers": headers,
        }
        await send(start)
        if http["method"] == "HEAD":
            await _write(send, b"", last=True)
            return
        sending = asyncio.create_task(self._send(send, language_of(header_values(http))))
        leaving = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            await ended(sending, leaving)

    async def _send(self, send: Send, language: str) -> None:
        """Write all there is; whatever goes wrong, the reader is told before the end."""
        form, end = self._form, End.TRY_AGAIN
        try:
            if form.opening:
                await _write(send, form.opening)
            async with aclosing(self._news) as all_news:
                async for news in all_news:
                    if isinstance(news, End):
                        end = news
                        break
                    part = form.heartbeat if news is None else form.item(news)
                    if await _write(send, part) > SLOW_SECONDS:
                        end = End.TOO_SLOW
                        break
        except TimeoutError:
            return
        except Exception as error:
            _log.warning("stream_broke", exc_info=error)
        await _write(send, form.end(LastWords(end, why(end, language))), last=True)


async def _write(send: Send, part: bytes, *, last: bool = False) -> float:
    """Send a part and say how many seconds the reader made it wait; raises TimeoutError."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with asyncio.timeout(GIVE_UP_SECONDS):
        await send({"type": "http.response.body", "body": part, "more_body": not last})
    return loop.time() - began


async def _gone(receive: Receive) -> None:
    """Wait until the reader goes away."""
    while (await receive())["type"] != "http.disconnect":
        pass
