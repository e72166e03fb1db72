"""Pages of lists: opaque cursors, and the link to the next page."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from service.call import Call
from service.problems import invalid
from service.reply import Headers

T = TypeVar("T")

MatchId = Annotated[bytes, Meta(min_length=16, max_length=16)]
Position = Annotated[int, Meta(ge=0, le=2**63 - 1)]

_encoder: Final = msgspec.msgpack.Encoder()


def cursor_of(place: object) -> str:
    """The place where a page ends, as clients hand it back."""
    return base64.urlsafe_b64encode(_encoder.encode(place)).rstrip(b"=").decode()


def place_in(cursor: str, kind: type[T]) -> T:
    """The place in a cursor; raises ProblemError (422) for one that is not ours.

    ``kind`` says how large a place can be, or the store would be asked for what it cannot hold.
    """
    try:
        raw = base64.urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4))
        return msgspec.msgpack.decode(raw, type=kind)
    except (binascii.Error, ValueError, msgspec.DecodeError):
        raise invalid("?cursor", "Use the `next` of the page before.") from None


def next_link(call: Call, following: str | None, **given: Any) -> Headers:
    """The ``Link`` to the next page of the same list, if there is one."""
    if following is None:
        return ()
    kept = {name: str(value) for name, value in given.items() if value is not None}
    query = urlencode({**kept, "cursor": following})
    return (("Link", f'<{call.scope["path"]}?{query}>; rel="next"'),)
