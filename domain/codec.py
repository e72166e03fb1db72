"""Events to stored bytes and back, by type and schema. Stored bytes are never rewritten.

A new field with a default keeps its schema number; any other change is a new number and a pure
upcast from the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from domain.events import EVENT_TYPES, AnyEvent, Event
from domain.tournaments.events import TOURNAMENT_EVENT_TYPES, AnyTournamentEvent

SCHEMA: Final = 1
"""The number under which every event is written today."""

_encoder: Final = msgspec.json.Encoder()
_Decoders = Mapping[tuple[str, int], msgspec.json.Decoder[Event]]


def _tags(kinds: Iterable[type[Event]]) -> Mapping[type[Event], str]:
    return {kind: str(kind.__struct_config__.tag) for kind in kinds}


def _decoders(kinds: Iterable[type[Event]]) -> _Decoders:
    return {(tag, SCHEMA): msgspec.json.Decoder(kind) for kind, tag in _tags(kinds).items()}


_TAGS: Final = _tags((*EVENT_TYPES, *TOURNAMENT_EVENT_TYPES))
_OF_MATCHES: Final = _decoders(EVENT_TYPES)
_OF_TOURNAMENTS: Final = _decoders(TOURNAMENT_EVENT_TYPES)


class UnknownEvent(Exception):  # noqa: N818
    """No decoder for this type and schema: an aggregate stops here, a projection skips it."""


def type_of(event: Event) -> str:
    """The tag under which an event is stored."""
    return _TAGS[type(event)]


def encode(event: Event) -> bytes:
    """The bytes to store: a JSON object, tagged with ``type``, of integers, strings and lists."""
    return _encoder.encode(event)


def decode(type: str, schema: int, data: bytes) -> AnyEvent:
    """The event of a match in stored bytes.

    Raises UnknownEvent, or msgspec.DecodeError where they misfit.
    """
    return _decoded(_OF_MATCHES, type, schema, data)  # type: ignore[return-value]


def decode_tournament(type: str, schema: int, data: bytes) -> AnyTournamentEvent:
    """The event of a tournament in stored bytes; raises what ``decode`` does."""
    return _decoded(_OF_TOURNAMENTS, type, schema, data)  # type: ignore[return-value]


def decode_any(type: str, schema: int, data: bytes) -> AnyEvent:
    """The event in stored bytes, of whatever stream; raises what ``decode`` does.

    Readers of a match's stream meet its own events only: for them this is what ``decode`` gives.
    """
    decoders = _OF_TOURNAMENTS if is_of_a_tournament(type) else _OF_MATCHES
    return _decoded(decoders, type, schema, data)  # type: ignore[return-value]


def is_of_a_tournament(type: str) -> bool:
    """Whether events of this type stand in the stream of a tournament."""
    return (type, SCHEMA) in _OF_TOURNAMENTS


def _decoded(decoders: _Decoders, type: str, schema: int, data: bytes) -> Event:
    decoder = decoders.get((type, schema))
    if decoder is None:
        raise UnknownEvent(f"{type}/{schema}")
    return decoder.decode(data)
