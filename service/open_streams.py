"""How many streams somebody may follow at once, on this process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Final

from litestar.types import ASGIApp, Receive, Scope, Send

from service.limits import STRANGERS_FACTOR
from service.problems import Code, fail

RETRY_SECONDS: Final = 5


class Followed(StrEnum):
    """What is followed."""

    STREAM = "stream"
    SOCKET = "socket"


class OpenStreams:
    """The streams that this process serves, by who follows them; ``most`` of 0 is no limit."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()
        self.open: Counter[Followed] = Counter()
        """How many there are of each kind: for a metric."""
        self.refused = 0
        """How many were one too many, since this was made."""

    def require_room(self, who: str, *, is_person: bool) -> None:
        """Raise ProblemError (429) if somebody follows as many streams as they may.

        ``most`` are a person's; an application or an address has room for many people.
        """
        most = self._most if is_person else self._most * STRANGERS_FACTOR
        if self._most and self._open[who] >= most:
            self.refused += 1
            raise fail(
                Code.TOO_MANY_STREAMS,
                f"{most} streams are open; end one before you begin another.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            )

    @contextmanager
    def one_more(self, who: str, kind: Followed = Followed.STREAM) -> Iterator[None]:
        """Count a stream while it is open."""
        self._open[who] += 1
        self.open[kind] += 1
        try:
            yield
        finally:
            self.open[kind] -= 1
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]

    def counted(self, who: str, stream: ASGIApp) -> ASGIApp:
        """The stream, counted while it is sent."""

        async def send_counted(scope: Scope, receive: Receive, send: Send) -> None:
            with self.one_more(who):
                await stream(scope, receive, send)

        return send_counted
