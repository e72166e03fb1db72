"""Requests that are sent again: each POST with a key, so that it acts once however often it goes.

A transport of httpx, so that it is under every operation of the core. Not here: streams, which
are resumed rather than asked for again.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable, Iterable

import httpx

LIVE = {"talon_live": True}
"""Extensions of a request whose answer goes on: it is handed over as it comes."""
AGAIN = frozenset((429, 502, 503, 504))
PAUSE_SECONDS_MAX = 10.0


class Retrying(httpx.BaseTransport):
    """Sends a request again for ``patience`` seconds while the service is away or too busy."""

    def __init__(
        self,
        inner: httpx.BaseTransport,
        patience: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._inner = inner
        self._patience = patience
        self._clock = clock
        self._sleep = sleep

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request until it is answered; raises httpx.TransportError when that is in vain."""
        if request.method == "POST":
            request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        until = self._clock() + self._patience
        pause = 0.1
        while True:
            try:
                response = self._answered(request)
            except httpx.TransportError:
                if self._clock() + pause > until:
                    raise
                wait = pause
            else:
                wait = max(pause, _asked_for(response))
                if response.status_code not in AGAIN or self._clock() + wait > until:
                    return response
                response.close()
            self._sleep(wait * random.uniform(1, 1.25))
            pause = min(2 * pause, PAUSE_SECONDS_MAX)

    def close(self) -> None:
        """Close the connections."""
        self._inner.close()

    def _answered(self, request: httpx.Request) -> httpx.Response:
        """The whole answer: one that breaks off is none."""
        response = self._inner.handle_request(request)
        if request.extensions.get("talon_live"):
            return response
        try:
            assert isinstance(response.stream, Iterable)
            whole = b"".join(response.stream)
        finally:
            response.close()
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=httpx.ByteStream(whole),
            extensions=response.extensions,
        )


def _asked_for(response: httpx.Response) -> float:
    """The seconds after which the service wants to be asked again."""
    given = response.headers.get("Retry-After", "")
    return float(given) if given.isdecimal() else 0.0
