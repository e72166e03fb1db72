"""Checking a stream as it is stored: chain, columns, head, sealed secrets, and the fold of it all.

Each stream stands for itself: the first event that is broken is named, and what hangs on it is
not named again. Not here: where rows are read, nor the tree over all streams (``infra.fsck``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from domain import codec
from domain.audit.record import id_text
from domain.audit.replay import NOT_TO_BE, seed_in
from domain.audit.stored_tournaments import binds, is_tournaments, misfit, shows
from domain.chain import event_hash, genesis
from domain.events import AnyEvent, Event, RoundCommitted, SeedRevealed
from domain.evolve import CorruptLog, evolve
from domain.match import Match, at, new_match
from domain.placement import kind_of


class StoredEvent(NamedTuple):
    """The columns of an event that its hash and its place are made of."""

    version: int
    position: int
    type: str
    schema: int
    occurred_at: int
    actor: str
    command_id: bytes | None
    data: bytes
    hash: bytes


class StoredHead(NamedTuple):
    """What is kept of a stream's end."""

    version: int
    hash: bytes
    is_open: bool


class StoredSecret(NamedTuple):
    """A sealed seed or position of a round, opened; ``plain`` is None where the seal is broken."""

    round: int
    kind: str
    plain: bytes | None


class Broken(Struct, frozen=True, gc=False, omit_defaults=True):
    """What does not hold: by which check, and of which event if it is about one."""

    check: str
    words: str
    stream: str | None = None
    version: int | None = None
    position: int | None = None

    def __str__(self) -> str:
        """In words: where, what."""
        named = (("match", self.stream), ("version", self.version), ("position", self.position))
        where = ", ".join(f"{name} {value}" for name, value in named if value is not None)
        return f"{self.check}: {where + ': ' if where else ''}{self.words}"


class StoredStream(Struct, frozen=True, gc=False):
    """A stream with all that is kept of it."""

    id: bytes
    events: Sequence[StoredEvent]
    head: StoredHead | None
    secrets: Sequence[StoredSecret]

    @property
    def name(self) -> str:
        """The stream's id as people write it."""
        return id_text(self.id)


class Looked(Struct, frozen=True, gc=False):
    """What looking at a stream came to; ``match`` is what it folds to, if it does."""

    broken: tuple[Broken, ...]
    match: Match | None = None


def look(stream: StoredStream) -> Looked:
    """Check a stream: what is broken of it, and the match it makes if nothing is."""
    broken = [*_chain(stream), *_head(stream)]
    events, unreadable = _decoded(stream)
    broken += unreadable
    if not unreadable:
        broken += _secrets(stream, events)
    if broken:
        return Looked(tuple(broken))
    if is_tournaments(events):
        return Looked(tuple(_tournament(stream, events)))
    try:
        match = folded(stream, events)
    except Misfit as misfit:
        return Looked((misfit.broken,))
    if stream.head is not None and stream.head.is_open is match.is_over:
        state = "over" if match.is_over else "not over"
        words = f"the match is {state}, and its head says otherwise"
        return Looked((_at(stream, "heads", words, stream.events[-1]),))
    return Looked((), match)


class Misfit(Exception):  # noqa: N818
    """An event does not follow from those before it and the secrets."""

    def __init__(self, broken: Broken) -> None:
        super().__init__(str(broken))
        self.broken = broken


def folded(stream: StoredStream, events: Sequence[AnyEvent]) -> Match:
    """The match that the first events make, with every digest of an order checked.

    Raises Misfit.
    """
    secrets = {one.round: one.plain for one in stream.secrets if one.plain is not None}
    secrets |= {e.round: seed_in(e) for e in events if type(e) is SeedRevealed}
    match = new_match(stream.id, secrets)
    for event, row in zip(events, stream.events, strict=False):
        try:
            match = evolve(at(match, row.occurred_at), event)
        except NOT_TO_BE as error:
            words = str(error) if isinstance(error, CorruptLog) else f"this cannot be: {error!r}"
            raise Misfit(_at(stream, "fold", words, row)) from error
    return match


def decoded(stream: StoredStream) -> tuple[AnyEvent, ...]:
    """The events of a stream in which nothing is broken."""
    return tuple(codec.decode(row.type, row.schema, row.data) for row in stream.events)


def _chain(stream: StoredStream) -> Iterator[Broken]:
    """Every hash follows from the stored bytes and the hash before, up to the first that does not.

    docs/log-format.md is normative.
    """
    previous, position = genesis(stream.id), 0
    for version, row in enumerate(stream.events, 1):
        if row.version != version:
            yield _at(stream, "chain", f"version {version} is missing before it", row)
            return
        if row.position <= position:
            yield _at(stream, "positions", "its position is not after the one before", row)
            return
        if _hash_of(stream.id, row, previous) != row.hash:
            yield _at(stream, "chain", "the hash is not that of its fields", row)
            return
        previous, position = row.hash, row.position


def _hash_of(stream: bytes, row: StoredEvent, previous: bytes) -> bytes | None:
    """The hash that an event should have; None if its fields have not even their widths."""
    try:
        return event_hash(
            stream_id=stream,
            version=row.version,
            type=row.type,
            schema=row.schema,
            occurred_at=row.occurred_at,
            actor=row.actor,
            command_id=row.command_id,
            previous=previous,
            data=row.data,
        )
    except (OverflowError, ValueError):
        return None


def _head(stream: StoredStream) -> Iterator[Broken]:
    """The head names the last version and its hash."""
    head, last = stream.head, stream.events[-1] if stream.events else None
    if last is None:
        yield Broken("heads", "there is a head, and no event", stream.name)
    elif head is None:
        yield _at(stream, "heads", "there are events, and no head", last)
    elif head.version != last.version:
        words = f"the head is at version {head.version}, the last event at {last.version}"
        yield _at(stream, "heads", words, last)
    elif head.hash != last.hash:
        yield _at(stream, "heads", "the head's hash is not that of the last event", last)


def _decoded(stream: StoredStream) -> tuple[tuple[AnyEvent, ...], list[Broken]]:
    """Every event that can be read, up to the first that cannot."""
    events: list[AnyEvent] = []
    for row in stream.events:
        try:
            event = codec.decode_any(row.type, row.schema, row.data)
        except codec.UnknownEvent as error:
            words = f"this program knows no event {error}"
            return tuple(events), [_at(stream, "events", words, row)]
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            words = f"its data is no {row.type}: {error}"
            return tuple(events), [_at(stream, "events", words, row)]
        if not row.data.startswith(b'{"type":"%s"' % row.type.encode()):
            words = f"its data does not begin with the type {row.type}"
            return tuple(events), [_at(stream, "events", words, row)]
        events.append(event)
    return tuple(events), []


def _secrets(stream: StoredStream, events: Sequence[Event]) -> Iterator[Broken]:
    """Sealed are the rounds that are committed to and not revealed, each as it was bound."""
    bound: dict[int, StoredEvent] = {}
    shown: dict[int, StoredEvent] = {}
    for event, row in zip(events, stream.events, strict=True):
        if type(event) is RoundCommitted:
            bound[event.round] = row
        elif type(event) is SeedRevealed:
            shown[event.round] = row
        elif (number := binds(event)) is not None:
            bound[number] = row
        elif (number := shows(event)) is not None:
            shown[number] = row
    kept: Mapping[int, StoredSecret] = {one.round: one for one in stream.secrets}
    for number, secret in kept.items():
        where = shown.get(number) or bound.get(number)
        if where is None:
            words = f"a secret of round {number} is kept, which nobody committed to"
            yield Broken("secrets", words, stream.name)
        elif number in shown:
            words = f"round {number} is revealed, and its secret is still kept"
            yield _at(stream, "secrets", words, where)
        elif secret.plain is None:
            yield _at(stream, "secrets", f"the secret of round {number} cannot be opened", where)
        elif kind_of(secret.plain) != secret.kind:
            words = f"the secret of round {number} is no {secret.kind}"
            yield _at(stream, "secrets", words, where)
    for number, row in bound.items():
        if number not in shown and number not in kept:
            yield _at(stream, "secrets", f"the secret of round {number} is gone", row)


def _tournament(stream: StoredStream, events: Sequence[Event]) -> Iterator[Broken]:
    """A tournament folds; its head says that it is not open, or sweeps of matches would see it."""
    secrets = {one.round: one.plain for one in stream.secrets if one.plain is not None}
    found = misfit(stream.id, events, secrets)
    if found is not None:
        yield _at(stream, "fold", found[1], stream.events[found[0]])
    elif stream.head is not None and stream.head.is_open:
        words = "the head of a tournament says that it is open, as only a match's does"
        yield _at(stream, "heads", words, stream.events[-1])


def _at(stream: StoredStream, check: str, words: str, row: StoredEvent) -> Broken:
    return Broken(check, words, stream.name, row.version, row.position)
