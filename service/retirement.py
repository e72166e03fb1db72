"""Operations that will go away: since when one should not rely on them, and until when one can.

Every answer of such an operation says so in headers (RFC 9745, RFC 8594); the document marks it.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from typing import Any, Final

from msgspec import Struct

ANNOUNCED: Final = "retirement"
"""Where a request's state keeps the headers that its answer gets."""
MONTHS_MIN: Final = 6
"""How long an operation goes on at least after its retirement was announced."""


class Retirement(Struct, frozen=True):
    """``since`` it is deprecated, ``until`` it is answered, ``instead`` is a path to use."""

    since: date
    until: date
    instead: str

    def headers(self) -> list[tuple[bytes, bytes]]:
        """What every answer says, refusals included."""
        return [
            (b"deprecation", b"@%d" % _midnight(self.since).timestamp()),
            (b"sunset", format_datetime(_midnight(self.until), usegmt=True).encode()),
            (b"link", f'<{self.instead}>; rel="successor-version"'.encode()),
        ]

    def described(self) -> dict[str, Any]:
        """What the document says of the operation."""
        return {"x-sunset": self.until.isoformat(), "x-successor": self.instead}


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
