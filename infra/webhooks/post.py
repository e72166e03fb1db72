"""Posts a letter: one request with a time limit, no redirects, and little of the answer read."""

from __future__ import annotations

import asyncio
import ssl
from typing import Final
from urllib.parse import urlsplit

import httpcore
from msgspec import Struct

from domain.limits import WEBHOOK_SECONDS
from domain.webhooks import Failure
from infra.webhooks.addresses import AddressNotPublic, PublicAddresses

ANSWER_BYTES: Final = 16 * 1024
"""Of an answer's body: a connection whose answer is longer is closed."""
CONNECTIONS: Final = 64
KEPT_SECONDS: Final = 15.0
"""How long an idle connection is kept for the next delivery."""


class Answer(Struct, frozen=True, gc=False):
    """The HTTP status of a receiver, or why there is none."""

    status: int | None
    failure: Failure | None = None

    @property
    def is_success(self) -> bool:
        """Whether the receiver has taken it."""
        return self.status is not None and 200 <= self.status < 300


class Post:
    """Connections to receivers. ``anywhere``: also over http, and to addresses of any kind."""

    def __init__(
        self,
        *,
        anywhere: bool = False,
        addresses: PublicAddresses | None = None,
        trust: ssl.SSLContext | None = None,
        seconds: float = WEBHOOK_SECONDS,
    ) -> None:
        self._anywhere = anywhere
        self._seconds = seconds
        self._addresses = addresses or PublicAddresses(anywhere=anywhere)
        self._trust = trust
        self._opened: httpcore.AsyncConnectionPool | None = None

    async def send(self, url: str, headers: list[tuple[bytes, bytes]], body: bytes) -> Answer:
        """Post once and read the status; never raises for what a receiver does."""
        if not self._anywhere and urlsplit(url).scheme != "https":
            return Answer(None, Failure.NOT_HTTPS)
        sized = [*headers, (b"host", _host(url)), (b"content-length", b"%d" % len(body))]
        try:
            async with asyncio.timeout(self._seconds):
                async with self._pool().stream("POST", url, headers=sized, content=body) as answer:
                    status = answer.status
                    await _read_some(answer)
        except AddressNotPublic:
            return Answer(None, Failure.ADDRESS_NOT_PUBLIC)
        except (TimeoutError, httpcore.TimeoutException):
            return Answer(None, Failure.TIMEOUT)
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError, ValueError):
            return Answer(None, Failure.CONNECTION)
        return Answer(status, None if 200 <= status < 300 else Failure.ANSWER)

    async def close(self) -> None:
        """Close all connections."""
        if self._opened is not None:
            await self._opened.aclose()

    def _pool(self) -> httpcore.AsyncConnectionPool:
        """Opened when it is needed: to read whom to trust takes a while, and is done once."""
        if self._opened is None:
            self._opened = httpcore.AsyncConnectionPool(
                ssl_context=self._trust or httpcore.default_ssl_context(),
                max_connections=CONNECTIONS,
                max_keepalive_connections=CONNECTIONS // 4,
                keepalive_expiry=KEPT_SECONDS,
                network_backend=self._addresses,
            )
        return self._opened


async def _read_some(answer: httpcore.Response) -> None:
    """Read a short body to its end, so that the connection can be used again."""
    size = 0
    async for chunk in answer.aiter_stream():
        size += len(chunk)
        if size > ANSWER_BYTES:
            return


def _host(url: str) -> bytes:
    return urlsplit(url).netloc.rpartition("@")[2].encode()
