"""Checking a record: its chain, its seats, its seeds, every decision of its match, its end.

Each check stands for itself and finds the first fault of its kind. Not here: the form of a record
(``domain.audit.record``), nor whether a signature is good, which the caller asks and says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from domain.audit.commands import NoCommand
from domain.audit.record import FORMAT, Closing, EventLine, Malformed, Record, Said, read
from domain.audit.replay import Sealed, Wrong, decoded, replay, seed_in
from domain.audit.statements import key_id_of, of_record
from domain.chain import event_hash, genesis
from domain.deal import commitment, player_digest
from domain.events import (
    AnyEvent,
    MatchAbandoned,
    MatchEnded,
    MatchVoided,
    RoundCommitted,
    SeedRevealed,
)
from domain.match import Match

IsSigned = Callable[[bytes, bytes, bytes], bool]
"""Whether the holder of a public key signed a message: key, message, signature."""


KnownKeys = Mapping[str, bytes]
"""Public keys that are trusted, by their ids."""


class Fault(Struct, frozen=True, gc=False, omit_defaults=True):
    """What does not hold: by which check, at which line or version, under which rule."""

    check: str
    words: str
    version: int | None = None
    type: str | None = None
    rule: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        """In words: where, by which rule, what."""
        where = "" if self.version is None else f"version {self.version}"
        where += f" ({self.type})" if self.type else ""
        where = where or ("" if self.line is None else f"line {self.line}")
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{self.check}{rule}: {where + ': ' if where else ''}{self.words}"


class Report(Struct, frozen=True, gc=False):
    """What checking a record came to.

    ``sealed_from`` is the version from which on hands cannot be recomputed yet, since the match
    goes on; ``key_is_given`` tells whether the public key came from the caller or from the record.
    """

    match: str | None
    status: str | None
    events: int
    key_id: str | None
    key_is_given: bool
    sealed_from: int | None
    faults: tuple[Fault, ...]

    @property
    def holds(self) -> bool:
        """Whether no fault was found."""
        return not self.faults


def check(content: bytes, is_signed: IsSigned, keys: KnownKeys | None = None) -> Report:
    """Check the record in these bytes; its signature by one of ``keys``, or by its own key."""
    try:
        record = read(content)
    except Malformed as error:
        fault = Fault("form", error.words, line=error.line)
        return Report(None, None, 0, None, keys is not None, None, (fault,))
    return checked(record, is_signed, keys)


def checked(record: Record, is_signed: IsSigned, keys: KnownKeys | None = None) -> Report:
    """The same for a record that was read."""
    faults: list[Fault] = []
    faults += chain(record.match, record.events)
    events, unreadable = _events(record)
    faults += unreadable
    faults += _seeds(record, events)
    match, sealed_from, wrong = (None, None, []) if unreadable else _play(record, events)
    faults += wrong
    if match is not None:
        faults += _seats(record, match)
    faults += _end(record, is_signed, keys)
    return Report(
        match=record.opening.match,
        status=None if match is None else match.status.value,
        events=len(record.events),
        key_id=record.closing.key_id,
        key_is_given=keys is not None,
        sealed_from=sealed_from,
        faults=tuple(faults),
    )


def chain(stream: bytes, lines: Sequence[EventLine]) -> Iterator[Fault]:
    """Every hash follows from the bytes and the hash before (docs/log-format.md)."""
    previous, position = genesis(stream), 0
    for version, line in enumerate(lines, 1):
        if line.version != version:
            yield Fault("chain", f"version {version} is missing here", line.version, line.type)
            return
        if line.position <= position:
            yield Fault("chain", "its position is not after the one before", version, line.type)
        previous = event_hash(
            stream_id=stream,
            version=version,
            type=line.type,
            schema=line.schema,
            occurred_at=line.occurred_at,
            actor=line.actor,
            command_id=None if line.command_id is None else bytes.fromhex(line.command_id),
            previous=previous,
            data=line.data.encode(),
        )
        if previous.hex() != line.hash:
            yield Fault("chain", "the hash is not that of its fields", version, line.type)
            return
        position = line.position


def _events(record: Record) -> tuple[tuple[AnyEvent, ...], list[Fault]]:
    """Every event that can be read, up to the first that cannot."""
    events: list[AnyEvent] = []
    for line in record.events:
        try:
            events.append(decoded(line))
        except (Wrong, msgspec.DecodeError) as error:
            fault = Fault("events", str(error), line.version, line.type)
            return tuple(events), [fault]
    return tuple(events), []


def _seeds(record: Record, events: tuple[AnyEvent, ...]) -> Iterator[Fault]:
    """Every revealed seed is the one that was committed to before (docs/deal.md)."""
    bound: dict[int, str] = {}
    for version, event in enumerate(events, 1):
        if type(event) is RoundCommitted:
            bound.setdefault(event.round, event.commitment)
        elif type(event) is SeedRevealed and bound.get(event.round) != _opened(record.match, event):
            words = f"round {event.round}: the seed is not the one committed to"
            yield Fault("seeds", words, version, "seed_revealed", "SETUP-5")


def _opened(match: bytes, event: SeedRevealed) -> str | None:
    """What a revealed seed would have been committed by; nothing if there is no such round."""
    is_a_round = 0 < event.round < 2**32
    return commitment(match, event.round, seed_in(event)) if is_a_round else None


def _play(
    record: Record, events: tuple[AnyEvent, ...]
) -> tuple[Match | None, int | None, list[Fault]]:
    """Every command decided again; the match as it stands, and from where on it is sealed."""
    match: Match | None = None
    try:
        for step in replay(record, events):
            match = step.after
    except Sealed as sealed:
        if any(isinstance(event, _ENDS) for event in events):
            words = "the match is over, and the seed of this round is not revealed"
            kind = record.events[sealed.version - 1].type
            return None, None, [Fault("seeds", words, sealed.version, kind, "SETUP-5")]
        return sealed.match, sealed.version, []
    except Wrong as wrong:
        fault = Fault("play", wrong.words, wrong.version, wrong.type, wrong.rule)
        return None, None, [fault]
    except NoCommand as error:
        version = 1 if match is None else match.version + 1
        kind = record.events[version - 1].type
        return None, None, [Fault("play", str(error), version, kind)]
    return match, None, []


def _seats(record: Record, match: Match) -> Iterator[Fault]:
    """Who is named on a seat is who the log's digest stands for (docs/deal.md)."""
    opening = record.opening
    if (opening.ruleset, opening.ruleset_version) != (match.ruleset, match.ruleset_version):
        yield Fault("seats", "the first line names other rules than the match was created with")
    before = -1
    for number, line in enumerate(record.seats, 2):
        player = bytes.fromhex(line.player_id.replace("-", ""))
        digest = player_digest(bytes.fromhex(line.salt), player)
        taken = match.seats[line.seat].player if line.seat < len(match.seats) else None
        if line.seat <= before or taken != digest:
            yield Fault("seats", f"seat {line.seat} was not taken by this player", line=number)
        before = line.seat


def _end(record: Record, is_signed: IsSigned, keys: KnownKeys | None) -> Iterator[Fault]:
    """The last line stands for all before it, and is signed."""
    line = len(record.seats) + len(record.events) + 2
    closing = record.closing
    yield from head(closing, record.events[-1], record.digest, line)
    yield from signature(closing, of_record, record.match, line, is_signed, keys)


def head(closing: Closing, last: EventLine, digest: str, line: int) -> Iterator[Fault]:
    """The last line, on which line it stands, names the last event and all lines before it."""
    if (closing.head, closing.position, closing.hash) != (last.version, last.position, last.hash):
        yield Fault("head", "the head is not the last event", line=line)
    if closing.digest != digest:
        yield Fault("head", "the lines before it are not those that were signed", line=line)


def signature(
    closing: Closing,
    said: Said,
    stream: bytes,
    line: int,
    is_signed: IsSigned,
    keys: KnownKeys | None,
) -> Iterator[Fault]:
    """The last line is signed by a key that is trusted, or by its own."""
    key = bytes.fromhex(closing.public_key)
    if keys is not None and keys.get(closing.key_id) != key:
        yield Fault("signature", f"key {closing.key_id} is none of those given", line=line)
    if key_id_of(key) != closing.key_id:
        yield Fault("signature", "the key's id is not that of the key", line=line)
    hash, digest = bytes.fromhex(closing.hash), bytes.fromhex(closing.digest)
    message = said(stream, closing.head, closing.position, hash, digest)
    if not is_signed(key, message, bytes.fromhex(closing.signature)):
        yield Fault("signature", "the signature is not by this key", line=line)


_ENDS: Final = (MatchAbandoned, MatchEnded, MatchVoided)
CHECKS: Final = ("form", "chain", "events", "seeds", "play", "seats", "head", "signature")
"""The names of all checks, in order; ``form`` is that of FORMAT."""
assert FORMAT == "talon-record/1", "the checks are those of this format"
