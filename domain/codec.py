"""Events to stored bytes and back, by type and schema. Stored bytes are never rewritten.

A new field with a default keeps its schema number; any other change is a new number and a pure
upcast from the one before.
"""

from __future__ import annotations

from typing import Final

import msgspec

from domain.events import EVENT_TYPES, AnyEvent, Event

SCHEMA: Final = 1
"""The number under which every event is written today."""

_encoder: Final = msgspec.json.Encoder()
_TAGS: Final = {kind: str(kind.__struct_config__.tag) for kind in EVENT_TYPES}
_decoders: Final = {(tag, SCHEMA): msgspec.json.Decoder(kind) for kind, tag in _TAGS.items()}


class UnknownEvent(Exception):  # noqa: N818
    """No decoder for this type and schema: an aggregate stops here, a projection skips it."""


def type_of(event: Event) -> str:
    """The tag under which an event is stored."""
    return _TAGS[type(event)]


def encode(event: Event) -> bytes:
    """The bytes to store: a JSON object, tagged with ``type``, of integers, strings and lists."""
    return _encoder.encode(event)


def decode(type: str, schema: int, data: bytes) -> AnyEvent:
    """The event in stored bytes; raises UnknownEvent, or msgspec.DecodeError where they misfit."""
    decoder = _decoders.get((type, schema))
    if decoder is None:
        raise UnknownEvent(f"{type}/{schema}")
    return decoder.decode(data)  # type: ignore[return-value]
