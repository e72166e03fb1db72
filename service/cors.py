"""Which pages of other origins may call the service (the setting ``cors_origins``).

Tokens travel in a header and never in a cookie, so no answer allows credentials.
"""

from __future__ import annotations

from typing import Final

METHODS: Final = b"GET, HEAD, POST, PATCH, DELETE, OPTIONS"
REQUEST_HEADERS: Final = (
    b"Authorization, Content-Type, Accept-Language, If-Match, If-None-Match, Idempotency-Key, "
    b"Last-Event-ID, Talon-Invite, Talon-Player, X-Request-Id"
)
ANSWER_HEADERS: Final = (
    b"ETag, Link, Location, Retry-After, Idempotent-Replayed, WWW-Authenticate, X-Request-Id, "
    b"RateLimit, RateLimit-Policy, Deprecation, Sunset"
)
MAX_AGE_SECONDS: Final = b"600"


class Cors:
    """The origins that may call, from the setting's list; ``*`` lets all."""

    def __init__(self, setting: str) -> None:
        origins = [origin.strip().encode() for origin in setting.split(",") if origin.strip()]
        self._everybody = b"*" in origins
        self._origins = frozenset(origins)

    def allows(self, origin: bytes) -> bool:
        """Whether pages of this origin may call."""
        return self._everybody or origin in self._origins

    def headers(self, origin: bytes | None, *, preflight: bool) -> tuple[tuple[bytes, bytes], ...]:
        """What to add to an answer for a page of this origin."""
        if not self._origins:
            return ()
        added: list[tuple[bytes, bytes]] = [] if self._everybody else [(b"vary", b"Origin")]
        if origin is None or not self.allows(origin):
            return tuple(added)
        added.append((b"access-control-allow-origin", b"*" if self._everybody else origin))
        if preflight:
            added += (
                (b"access-control-allow-methods", METHODS),
                (b"access-control-allow-headers", REQUEST_HEADERS),
                (b"access-control-max-age", MAX_AGE_SECONDS),
            )
        else:
            added.append((b"access-control-expose-headers", ANSWER_HEADERS))
        return tuple(added)
