"""The record of a match: all that is needed to check it, as lines of JSON in one canonical form.

``docs/record-format.md`` is normative. Not here: the checks (``domain.audit.checks``), nor who
may read a record.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta, Struct

from domain.audit.statements import Signer, of_record
from domain.deal import SCHEME
from domain.ports import Recorded

FORMAT: Final = "talon-record/1"
CHAIN: Final = "talon-event/1"
_SAFE: Final = 2**53 - 1
"""No integer of a record is larger: every language reads it exactly."""

Count = Annotated[int, Meta(ge=1, le=_SAFE)]


Said = Callable[[bytes, int, int, bytes, bytes], bytes]
"""What is signed, of a stream, its version and position, the last hash, and the digest."""


class Opening(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The first line: what kind of record it is, of which match, under which rules."""

    record: str
    match: str
    ruleset: str
    ruleset_version: Count
    events: str = CHAIN
    deal: str = SCHEME


class SeatLine(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Who sits on a seat: what opens the digest in the log, while it is kept."""

    seat: Annotated[int, Meta(ge=0, le=_SAFE)]
    player_id: str
    salt: str


class EventLine(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An event as stored; ``data`` are its bytes as a text."""

    version: Count
    position: Count
    type: Annotated[str, Meta(min_length=1, max_length=255)]
    schema: Annotated[int, Meta(ge=1, le=65_535)]
    occurred_at: Annotated[int, Meta(ge=-_SAFE, le=_SAFE)]
    actor: Annotated[str, Meta(min_length=1, max_length=255)]
    command_id: str | None
    data: str
    hash: str


class Closing(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The last line: the head, the digest of all lines before this one, and the signature."""

    head: Count
    position: Count
    hash: str
    digest: str
    key_id: str
    public_key: str
    signature: str


class Record(Struct, frozen=True):
    """A record that has the right form; nothing in it is checked yet.

    ``match`` is the id as 16 bytes, ``digest`` the SHA-256 of the lines before the last, in hex.
    """

    match: bytes
    opening: Opening
    seats: tuple[SeatLine, ...]
    events: tuple[EventLine, ...]
    closing: Closing
    digest: str


class Malformed(Exception):  # noqa: N818
    """A line is not of the form that a record has; ``line`` counts from 1."""

    def __init__(self, line: int, words: str) -> None:
        super().__init__(f"line {line}: {words}")
        self.line = line
        self.words = words


class Writer:
    """Writes a record line by line, and signs what it has written.

    ``said`` is what the signature is about: of a match, or of a tournament.
    """

    def __init__(self, stream: bytes, said: Said = of_record) -> None:
        self._stream = stream
        self._said = said
        self._digest = hashlib.sha256()

    def opening(self, ruleset: str, version: int) -> bytes:
        """The first line."""
        return self.line(Opening(FORMAT, id_text(self._stream), ruleset, version))

    def seat(self, seat: int, player: bytes, salt: bytes) -> bytes:
        """Who sits on a seat."""
        return self.line(SeatLine(seat, id_text(player), salt.hex()))

    def events(self, recorded: Iterable[Recorded]) -> bytes:
        """Lines of events, in order."""
        return b"".join(self.line(event_line(one)) for one in recorded)

    def closing(self, last: Recorded, signer: Signer) -> bytes:
        """The last line, signed."""
        digest = self._digest.digest()
        said = self._said(self._stream, last.version, last.position, last.hash, digest)
        return self.line(
            Closing(
                head=last.version,
                position=last.position,
                hash=last.hash.hex(),
                digest=digest.hex(),
                key_id=signer.key_id,
                public_key=signer.public_key.hex(),
                signature=signer.sign(said).hex(),
            )
        )

    def line(self, line: Struct) -> bytes:
        """Any line."""
        written = _encoder.encode(line) + b"\n"
        self._digest.update(written)
        return written


def event_line(one: Recorded) -> EventLine:
    """An event as a record has it."""
    return EventLine(
        version=one.version,
        position=one.position,
        type=one.type,
        schema=one.schema,
        occurred_at=one.occurred_at,
        actor=one.actor,
        command_id=None if one.command_id is None else one.command_id.hex(),
        data=one.data.decode(),
        hash=one.hash.hex(),
    )


def split(content: bytes) -> Iterator[bytes]:
    """The records of a file that holds several, one after the other."""
    start = 0
    while (end := content.find(b'\n{"record":', start)) >= 0:
        yield content[start : end + 1]
        start = end + 1
    yield content[start:]


def read(content: bytes) -> Record:
    """The record in these bytes; raises Malformed for what is not written in just this form."""
    if not content.startswith(b'{"record":'):
        raise Malformed(1, 'this is no record: one begins with {"record":')
    if not content.endswith(b"\n"):
        raise Malformed(content.count(b"\n") + 1, "the last line has no end")
    lines = content[:-1].split(b"\n")
    if len(lines) < 3:
        raise Malformed(len(lines), "a record has a first line, events, and a last line")
    opening = canonical(_opening, lines[0], 1)
    for name, said, known in (
        ("record", opening.record, FORMAT),
        ("events", opening.events, CHAIN),
        ("deal", opening.deal, SCHEME),
    ):
        if said != known:
            raise Malformed(1, f"{name} is {said!r}; this reads {known!r}")
    require_form(UUID, opening.match, 1, "match")
    first = 1
    while first < len(lines) - 1 and lines[first].startswith(b'{"seat":'):
        first += 1
    seats = tuple(_seat_of(line, number) for number, line in enumerate(lines[1:first], 2))
    events = tuple(event_of(line, n) for n, line in enumerate(lines[first:-1], first + 1))
    if not events:
        raise Malformed(len(lines), "a record has at least one event")
    return Record(
        match=bytes.fromhex(opening.match.replace("-", "")),
        opening=opening,
        seats=seats,
        events=events,
        closing=closing_of(lines[-1], len(lines)),
        digest=hashlib.sha256(content[: len(content) - len(lines[-1]) - 1]).hexdigest(),
    )


def _seat_of(line: bytes, number: int) -> SeatLine:
    seat = canonical(_seat, line, number)
    require_form(UUID, seat.player_id, number, "player_id")
    require_form(HEX[16], seat.salt, number, "salt")
    return seat


def event_of(line: bytes, number: int) -> EventLine:
    """The event in a line; raises Malformed."""
    event = canonical(_event, line, number)
    if event.command_id is not None:
        require_form(HEX[16], event.command_id, number, "command_id")
    require_form(HEX[32], event.hash, number, "hash")
    return event


def closing_of(line: bytes, number: int) -> Closing:
    """The last line; raises Malformed."""
    closing = canonical(_closing, line, number)
    for name, size in _CLOSING_BYTES.items():
        require_form(HEX[size], getattr(closing, name), number, name)
    return closing


T = TypeVar("T", bound=Struct)


def canonical(decoder: msgspec.json.Decoder[T], line: bytes, number: int) -> T:
    """The line's content, if it is written as a writer of this format writes it."""
    try:
        found = decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(number, str(error)) from None
    if _encoder.encode(found) != line or _has_control_characters(line):
        raise Malformed(number, "the line is not in the canonical form")
    return found


def _has_control_characters(line: bytes) -> bool:
    """Whether a string has any: as escapes, for the line itself is written canonically."""
    return (
        _CONTROL.search(line) is not None
        and _CONTROL.search(line.replace(b"\\\\", b"")) is not None
    )


def require_form(form: re.Pattern[str], text: str, number: int, name: str) -> None:
    """Refuse a text that has another form."""
    if form.fullmatch(text) is None:
        raise Malformed(number, f"{name} is not of its form: lower-case hex of the right length")


def id_text(id: bytes) -> str:
    """The usual form of a UUID, in lower case."""
    digits = id.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


_encoder: Final = msgspec.json.Encoder()
_opening: Final = msgspec.json.Decoder(Opening)
_seat: Final = msgspec.json.Decoder(SeatLine)
_event: Final = msgspec.json.Decoder(EventLine)
_closing: Final = msgspec.json.Decoder(Closing)
_CONTROL: Final = re.compile(rb"\\[^\"\\]")
HEX: Final[dict[int, re.Pattern[str]]] = {
    size: re.compile(f"[0-9a-f]{{{2 * size}}}") for size in (8, 16, 32, 64)
}
UUID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_CLOSING_BYTES: Final[dict[str, Any]] = {
    "hash": 32,
    "digest": 32,
    "key_id": 8,
    "public_key": 32,
    "signature": 64,
}
