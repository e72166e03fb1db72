"""Playing a record again: every command decided anew, its events held against those stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from domain import codec
from domain.audit.commands import actor_in, command_in
from domain.audit.record import EventLine, Record
from domain.audit.rules_of import rule_of
from domain.commands import Actor, Command, Context
from domain.decide import decide
from domain.events import (
    AnyEvent,
    DealerDrawn,
    Event,
    PositionPlaced,
    RoundCommitted,
    RoundStarted,
    SeedRevealed,
)
from domain.evolve import CorruptLog, evolve
from domain.match import Match, at, new_match
from domain.refusals import RuleViolation

NOT_TO_BE: Final = (
    CorruptLog,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What deciding and evolving raise on facts that cannot be."""


class Wrong(Exception):  # noqa: N818
    """An event is not what the rules lead to."""

    def __init__(
        self, words: str, version: int = 0, type: str | None = None, rule: str | None = None
    ) -> None:
        super().__init__(words)
        self.words = words
        self.version = version
        self.type = type
        self.rule = rule


class Sealed(Exception):  # noqa: N818
    """From ``version`` on nothing can be recomputed yet: a seed is not revealed."""

    def __init__(self, version: int, match: Match) -> None:
        super().__init__(version)
        self.version = version
        self.match = match


class Step(Struct, frozen=True, gc=False):
    """A command that was carried out: the match around it, and the events it led to."""

    before: Match
    actor: Actor
    command: Command
    occurred_at: int
    events: tuple[AnyEvent, ...]
    after: Match


def decoded(line: EventLine) -> AnyEvent:
    """The event in a line; raises Wrong or msgspec.DecodeError."""
    stored = line.data.encode()
    try:
        event = codec.decode(line.type, line.schema, stored)
    except codec.UnknownEvent as error:
        raise Wrong(f"no such event is known: {error}") from None
    except RecursionError:
        raise Wrong(_TOO_DEEP) from None
    if codec.encode(event) != stored:
        _require_plain(line.data, stored)
    return event


def _require_plain(text: str, stored: bytes) -> None:
    """Data of another release may have more members, or fewer; it is still written plainly."""
    try:
        again = msgspec.json.encode(msgspec.json.decode(stored))
    except RecursionError:
        raise Wrong(_TOO_DEEP) from None
    if again != stored or "." in _outside(text):
        raise Wrong("the stored bytes are not in the canonical form")


def _outside(text: str) -> str:
    """What stands outside of quoted strings."""
    return "".join(text.replace('\\"', "").split('"')[::2])


def replay(record: Record, events: Sequence[AnyEvent]) -> Iterator[Step]:
    """Each command of a record decided again; raises Wrong, NoCommand or Sealed.

    ``events`` are those of the record, or its first ones.
    """
    seeds = {e.round: seed_in(e) for e in events if type(e) is SeedRevealed}
    match = new_match(record.match, seeds)
    lines, start = record.events, 0
    while start < len(events):
        first = lines[start]
        end = start + 1
        while end < len(events) and lines[end].command_id is None:
            end += 1
        group = tuple(events[start:end])
        if first.command_id is None:
            raise Wrong("the first event of a match names its command", first.version, first.type)
        if len(group) > 1:
            _require_one_cause(lines[start:end])
            _require_open(match, group, seeds)
        step = _decided(match, first, group, seeds)
        match = step.after
        yield step
        start = end


def _believed_so_far(match: Match, events: tuple[AnyEvent, ...]) -> Match:
    """Who sits where and what goes on, by events that cannot be decided again yet."""
    for event in events:
        try:
            match = evolve(match, event)
        except NOT_TO_BE as error:
            kind = codec.type_of(event)
            raise Wrong(f"this cannot be: {error}", match.version + 1, kind) from None
    return match


def seed_in(event: SeedRevealed) -> bytes:
    """The secret that is revealed; empty, which no commitment fits, if it is no hex."""
    try:
        return bytes.fromhex(event.seed)
    except ValueError:
        return b""


def _require_one_cause(lines: Sequence[EventLine]) -> None:
    """The events of one command have one author and one time."""
    first = lines[0]
    for line in lines[1:]:
        if (line.actor, line.occurred_at) != (first.actor, first.occurred_at):
            words = "it has another author or time than the command that led to it"
            raise Wrong(words, line.version, line.type)


def _require_open(match: Match, group: tuple[AnyEvent, ...], seeds: Mapping[int, bytes]) -> None:
    """What is about a round whose seed is not revealed cannot be decided again yet."""
    for offset, event in enumerate(group):
        is_sealed = (type(event) is DealerDrawn and match.rounds + 1 not in seeds) or (
            type(event) is RoundStarted and event.round not in seeds
        )
        if is_sealed or (type(event) is PositionPlaced and event.round not in seeds):
            raise Sealed(match.version + 1, _believed_so_far(match, group[:offset]))


def _decided(
    match: Match, first: EventLine, group: tuple[AnyEvent, ...], seeds: Mapping[int, bytes]
) -> Step:
    """The command behind some events, decided again, and the match after it."""
    committed = _last_commitment(group) if len(group) > 1 else None
    seed = None if committed is None else seeds.get(committed.round)
    try:
        actor = actor_in(first.actor)
        command = command_in(match, actor, group)
        expected = decide(match, actor, command, Context(first.occurred_at, seed or b""))
    except RuleViolation as refused:
        refusal = refused.refusal
        raise Wrong(refusal.detail, first.version, first.type, refusal.rule) from None
    except NOT_TO_BE as error:
        raise Wrong(f"this cannot be: {error}", first.version, first.type) from None
    if committed is not None and seed is None:
        expected = _believed(expected, committed)
    if group != expected:
        raise _difference(match, group, expected)
    after = at(match, first.occurred_at)
    for event in group:
        after = evolve(after, event)
    return Step(match, actor, command, first.occurred_at, group, after)


def _last_commitment(group: tuple[AnyEvent, ...]) -> RoundCommitted | None:
    """What the fresh seed of a command was bound by; a placed position is bound before it."""
    return next((one for one in reversed(group) if type(one) is RoundCommitted), None)


def _believed(expected: tuple[Event, ...], committed: RoundCommitted) -> tuple[Event, ...]:
    """What is expected, with a commitment as it is stored whose seed is still sealed."""
    kind, number = RoundCommitted, committed.round
    return tuple(
        committed if type(one) is kind and one.round == number else one for one in expected
    )


def _difference(match: Match, group: tuple[AnyEvent, ...], expected: tuple[Event, ...]) -> Wrong:
    """The first event that is not as the rules have it, and what of it."""
    for offset, event in enumerate(group):
        version, kind = match.version + offset + 1, codec.type_of(event)
        if offset >= len(expected):
            return Wrong("the rules lead to no such event", version, kind, rule_of(match, event))
        wanted = expected[offset]
        if type(wanted) is not type(event):
            words = f"the rules lead to {codec.type_of(wanted)} here"
            return Wrong(words, version, kind, rule_of(match, wanted))
        if wanted != event:
            name = next(
                one
                for one in event.__struct_fields__
                if getattr(event, one) != getattr(wanted, one)
            )
            stored, due = (msgspec.json.encode(getattr(e, name)).decode() for e in (event, wanted))
            words = f"{name} is {stored}, the rules give {due}"
            return Wrong(words, version, kind, rule_of(match, event))
    wanted = expected[len(group)]
    words = f"{codec.type_of(wanted)} is missing after it"
    return Wrong(
        words, match.version + len(group), codec.type_of(group[-1]), rule_of(match, wanted)
    )


_TOO_DEEP: Final = "the data is nested deeper than any event"
