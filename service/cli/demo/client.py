"""A small HTTP/1.1 client over one kept-alive connection, cheap enough to measure a service with.

Not here: redirects, cookies, compression, proxies; nor what the requests mean.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable
from typing import Final, cast
from urllib.parse import urlsplit

from msgspec import Struct

from service.cli.failure import Failure

ANSWER_SECONDS: Final = 30
"""Longer than any answer takes that is not a long poll; a silent service is reported then."""
_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CHUNKED: Final = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)
_CLOSE: Final = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)
_BODILESS: Final = frozenset((204, 304))


class ConnectionLost(Failure):
    """The connection broke, or could not be made, before the answer was complete."""


class Response(Struct, frozen=True, gc=False):
    """An answer: its status, its head as received, and its body."""

    status: int
    head: bytes
    body: bytes

    def header(self, name: str) -> str | None:
        """The value of a header, None if it is absent."""
        pattern = rb"\r\n" + re.escape(name.encode()) + rb": *([^\r]*)"
        found = re.search(pattern, self.head, re.IGNORECASE)
        return found[1].decode("latin-1") if found else None


Receiver = Callable[[Response | None], None]
"""What takes the answer; None where the connection was lost first."""


class Connection(asyncio.Protocol):
    """One connection, one request at a time."""

    def __init__(self) -> None:
        self._buffer = b""
        self._receive: Receiver | None = None
        self._transport: asyncio.Transport | None = None

    @property
    def is_open(self) -> bool:
        """Whether a request can be sent."""
        return self._transport is not None and not self._transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way to write."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is none by class

    def send(self, request: bytes, receive: Receiver) -> None:
        """Write a whole request; ``receive`` is called once, with its answer."""
        assert self._receive is None, "one request at a time"
        if self._transport is None or self._transport.is_closing():
            receive(None)
            return
        self._receive = receive
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        """Take bytes in, and hand the answer on when it is complete."""
        self._buffer = self._buffer + data if self._buffer else data
        taken = take_response(self._buffer)
        if taken is None:
            return
        response, self._buffer = taken
        receive, self._receive = self._receive, None
        if _CLOSE.search(response.head):
            self.close()
        if receive is not None:
            receive(response)

    def connection_lost(self, error: Exception | None) -> None:
        """Tell whoever still waits."""
        self._transport = None
        receive, self._receive = self._receive, None
        if receive is not None:
            receive(None)

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


def take_response(buffer: bytes) -> tuple[Response, bytes] | None:
    """The first answer in a buffer and what follows it; None if it is not complete yet."""
    end = buffer.find(b"\r\n\r\n")
    if end < 0:
        return None
    head, start = buffer[:end], end + 4
    status = int(buffer[9:12])
    length = _LENGTH.search(head)
    if length:
        stop = start + int(length[1])
        if len(buffer) < stop:
            return None
        return Response(status, head, buffer[start:stop]), buffer[stop:]
    if _CHUNKED.search(head):
        body = _unchunked(buffer, start)
        return None if body is None else (Response(status, head, body[0]), buffer[body[1] :])
    if status in _BODILESS:
        return Response(status, head, b""), buffer[start:]
    raise ConnectionLost(f"an answer without a length (status {status})")


def _unchunked(buffer: bytes, at: int) -> tuple[bytes, int] | None:
    """The body of a chunked answer and where it ends; None if it is not complete yet."""
    parts: list[bytes] = []
    while (line := buffer.find(b"\r\n", at)) >= 0:
        size = int(buffer[at:line].partition(b";")[0], 16)
        at = line + 2 + size + 2
        if len(buffer) < at:
            return None
        if size == 0:
            return b"".join(parts), at
        parts.append(buffer[line + 2 : at - 2])
    return None


class Address(Struct, frozen=True, gc=False):
    """Where a service listens, from its URL."""

    host: str
    port: int
    tls: bool
    base: str
    """Path before ``/v1``, without a slash at its end."""

    @property
    def host_header(self) -> str:
        """The value of ``Host``."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def address_of(url: str) -> Address:
    """Read ``http://host:port/base``; raises Failure."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Failure(f"{url!r} is not an http(s) address")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return Address(parts.hostname, port, parts.scheme == "https", parts.path.rstrip("/"))


async def connect(address: Address) -> Connection:
    """Open a connection; raises ConnectionLost."""
    context = ssl.create_default_context() if address.tls else None
    try:
        _, connection = await asyncio.get_running_loop().create_connection(
            Connection, address.host, address.port, ssl=context
        )
    except OSError as error:
        raise ConnectionLost(f"{address.host_header}: {error.strerror or error}") from error
    return connection


def request_head(
    address: Address, method: str, path: str, token: str | None, headers: dict[str, str]
) -> bytes:
    """The head of a request, up to where the length of its body or its end comes."""
    lines = [f"{method} {address.base}{path} HTTP/1.1", f"Host: {address.host_header}"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode("latin-1")


class Client:
    """Requests one after another, with a new connection where the last one has closed."""

    def __init__(self, url: str) -> None:
        self.address = address_of(url)
        self._connection: Connection | None = None

    async def request(
        self,
        method: str,
        path: str,
        *,
        token: str | None = None,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Response:
        """Send a request and wait for its answer; raises ConnectionLost."""
        head = request_head(self.address, method, path, token, headers or {})
        if body is not None:
            head += b"\r\nContent-Type: application/json\r\nContent-Length: %d" % len(body)
        elif method != "GET":
            head += b"\r\nContent-Length: 0"
        if self._connection is None or not self._connection.is_open:
            self._connection = await connect(self.address)
        answer: asyncio.Future[Response | None] = asyncio.get_running_loop().create_future()

        def receive(response: Response | None) -> None:
            if not answer.done():
                answer.set_result(response)

        self._connection.send(head + b"\r\n\r\n" + (body or b""), receive)
        try:
            response = await asyncio.wait_for(answer, ANSWER_SECONDS)
        except TimeoutError:
            self.close()
            raise ConnectionLost(f"no answer within {ANSWER_SECONDS} s: {method} {path}") from None
        if response is None:
            raise ConnectionLost(f"the connection closed during {method} {path}")
        return response

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
