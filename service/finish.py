"""What every answer gets on its way out, errors included: headers, and one line in the log."""

from __future__ import annotations

import logging
import random
import re
import time
from collections.abc import Callable
from typing import Any, Final

import structlog
from litestar.enums import ScopeType
from litestar.types import Message, Scope

from service.call import header_values
from service.cors import Cors
from service.reply import Header
from service.retirement import ANNOUNCED

REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_logger: Final = logging.getLogger("talon.http")
_SECURITY: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
)
LIMITS: Final = "talon_limits"
"""Where the headers are kept that tell of limits."""
_NOT_KEPT: Final = (b"cache-control", b"no-store")
"""For whatever does not say how long it may be kept: tokens are among it."""
_QUIET: Final = frozenset(("/health/live", "/health/ready"))
"""Asked every few seconds: not logged."""


Measure = Callable[[Any, int], None]
"""Told of each answer as it begins: the request's scope and the status."""


class Finish:
    """A hook on every message that is sent."""

    def __init__(self, cors: Cors, measure: Measure | None = None) -> None:
        self._cors = cors
        self._measure = measure
        self._log = structlog.get_logger(_logger.name).bind()  # once, not for every line

    async def __call__(self, message: Message, scope: Scope) -> None:
        """What ``pass_on`` does, for messages of whatever type of connection."""
        if scope["type"] == ScopeType.HTTP:
            self.pass_on(message, scope)

    def pass_on(self, message: Message, scope: Any) -> None:
        """Add headers to the start of an answer; log at its end."""
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            message["headers"] = self.begun(scope, message["status"], headers)
        elif message["type"] == "http.response.body" and not message.get("more_body", False):
            self.ended(scope)

    def begun(self, scope: Any, status: int, headers: list[Header]) -> list[Header]:
        """All headers of an answer that has these."""
        given = header_values(scope)
        headers.append((b"x-request-id", request_id(scope, given)))
        if all(name.lower() != b"cache-control" for name, _ in headers):
            headers.append(_NOT_KEPT)
        headers += _SECURITY
        headers += scope["state"].get(LIMITS, ())
        headers += scope["state"].get(ANNOUNCED, ())
        origin = given.get(b"origin")
        preflight = scope["method"] == "OPTIONS" and b"access-control-request-method" in given
        headers += self._cors.headers(origin, preflight=preflight)
        scope["state"]["status"] = status
        if self._measure is not None:
            self._measure(scope, status)
        return headers

    def ended(self, scope: Any) -> None:
        """One line: no header, no query, no body, no token, no name."""
        if scope["path"] in _QUIET or not _logger.isEnabledFor(logging.INFO):
            return
        state = scope["state"]
        began = state.get("began")
        self._log.info(
            "request",
            request_id=state["request_id"].decode(),
            method=scope["method"],
            route=scope.get("path_template"),
            match_id=(scope.get("path_params") or {}).get("match_id"),
            status=state.get("status"),
            ms=None if began is None else round((time.perf_counter_ns() - began) / 1e6, 2),
        )


def request_id(scope: Any, headers: dict[bytes, bytes]) -> bytes:
    """The caller's ``X-Request-Id`` if it is a plain word, else a random one; settled once."""
    state = scope["state"]
    if "request_id" not in state:
        given = headers.get(b"x-request-id", b"")
        state["request_id"] = (
            given if REQUEST_ID.fullmatch(given) else b"%016x" % random.getrandbits(64)
        )
    found: bytes = state["request_id"]
    return found
