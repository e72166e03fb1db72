"""What an operation answers: a small ASGI app that sends a body that is ready."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Final

import msgspec
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import HTTPResponseStartEvent, HTTPScope, Receive, Scope, Send

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
SSE: Final = "text/event-stream"

_encoder: Final = msgspec.json.Encoder()

Headers = Iterable[tuple[str, str]]
Header = tuple[bytes, bytes]
"""A header as it is sent."""


class Reply:
    """A status, headers and the bytes of a body."""

    __slots__ = ("body", "headers", "media", "status")

    def __init__(
        self, body: bytes, status: int = 200, headers: Headers = (), media: str = JSON
    ) -> None:
        self.body = body
        self.status = status
        self.headers = headers
        self.media = media

    def head(self) -> list[tuple[bytes, bytes]]:
        """The headers as they are sent, those that describe the body among them."""
        headers = [(name.lower().encode(), value.encode()) for name, value in self.headers]
        if self.status not in (204, 304):
            headers.append((b"content-type", self.media.encode()))
            headers.append((b"content-length", b"%d" % len(self.body)))
        return headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer; to HEAD without the body."""
        start: HTTPResponseStartEvent = {
            "type": "http.response.start",
            "status": self.status,
            "headers": self.head(),
        }
        await send(start)
        body = b"" if scope["method"] == "HEAD" else self.body  # type: ignore[typeddict-item]
        await send({"type": "http.response.body", "body": body, "more_body": False})


def as_json(value: object, status: int = 200, headers: Headers = ()) -> Reply:
    """A value of any encodable type as JSON."""
    return Reply(_encoder.encode(value), status, headers)


def no_content() -> Reply:
    """Done, and there is nothing to say."""
    return Reply(b"", 204)


def streamed(
    scope: HTTPScope, chunks: AsyncIterator[bytes], media: str, headers: Headers
) -> ASGIStreamingResponse:
    """An answer that goes on; to HEAD its headers only. It ends when the client goes away."""
    return ASGIStreamingResponse(
        iterator=chunks,
        headers={"Content-Type": media, "X-Accel-Buffering": "no", **dict(headers)},
        status_code=200,
        is_head_response=scope["method"] == "HEAD",
    )
