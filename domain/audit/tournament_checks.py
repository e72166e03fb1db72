"""Checking a tournament's record: its chain, its lot, every decision, its end, and its tables.

A table is held against the record of its match by ``domain.audit.tables``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from domain import codec
from domain.audit.checks import Fault, IsSigned, KnownKeys, Report, chain, head, signature
from domain.audit.commands import NoCommand, actor_in
from domain.audit.record import EventLine, Malformed
from domain.audit.replay import NOT_TO_BE
from domain.audit.statements import of_tournament
from domain.audit.tournament_commands import NUMBERED, command_in
from domain.audit.tournament_record import TournamentRecord, read_tournament
from domain.commands import Context
from domain.deal import player_digest
from domain.event import Event
from domain.refusals import RuleViolation
from domain.tournaments.decide import decide
from domain.tournaments.events import DrawCommitted, DrawRevealed
from domain.tournaments.evolve import LOT, evolve
from domain.tournaments.tournament import Tournament, new_tournament


class _Wrong(Exception):  # noqa: N818
    """What does not follow: a fault."""

    def __init__(self, words: str, line: EventLine, rule: str | None = None) -> None:
        super().__init__(words)
        self.fault = Fault("play", words, line.version, line.type, rule)


def check_tournament(
    content: bytes, is_signed: IsSigned, keys: KnownKeys | None = None
) -> tuple[Report, TournamentRecord | None]:
    """Check the record in these bytes; its ``match`` in the report is the tournament."""
    try:
        record = read_tournament(content)
    except Malformed as error:
        fault = Fault("form", error.words, line=error.line)
        return Report(None, None, 0, None, keys is not None, None, (fault,)), None
    faults = [*chain(record.tournament, record.events)]
    tournament: Tournament | None = None
    try:
        tournament = _replayed(record, events_in(record))
    except _Wrong as wrong:
        faults.append(wrong.fault)
    else:
        faults += _entrants(record, tournament)
    line = len(record.entrants) + len(record.events) + 2
    faults += head(record.closing, record.events[-1], record.digest, line)
    faults += signature(record.closing, of_tournament, record.tournament, line, is_signed, keys)
    report = Report(
        match=record.opening.tournament,
        status=None if tournament is None else tournament.status.value,
        events=len(record.events),
        key_id=record.closing.key_id,
        key_is_given=keys is not None,
        sealed_from=None,
        faults=tuple(faults),
    )
    return report, record


def events_in(record: TournamentRecord) -> tuple[Event, ...]:
    """The events in the lines; raises a fault for what is none, or not written plainly."""
    events: list[Event] = []
    for line in record.events:
        stored = line.data.encode()
        try:
            event = codec.decode_tournament(line.type, line.schema, stored)
            plain = msgspec.json.encode(msgspec.json.decode(stored)) == stored
        except (codec.UnknownEvent, msgspec.DecodeError) as error:
            raise _Wrong(f"no such event is known: {error}", line) from None
        if not plain:
            raise _Wrong("the stored bytes are not in the canonical form", line)
        events.append(event)
    return tuple(events)


def _replayed(record: TournamentRecord, events: Sequence[Event]) -> Tournament:
    """Each command decided again; the tournament as it stands."""
    lot = next((e.seed for e in events if isinstance(e, DrawRevealed)), None)
    tournament, lines, start = new_tournament(record.tournament), record.events, 0
    while start < len(events):
        end = start + 1
        while end < len(events) and lines[end].command_id is None:
            end += 1
        group = tuple(events[start:end])
        tournament = _decided(tournament, lines[start:end], group, lot)
        start = end
    return tournament


def _decided(
    tournament: Tournament, lines: Sequence[EventLine], group: tuple[Event, ...], lot: str | None
) -> Tournament:
    """The command behind some events, decided again, and the tournament after it."""
    first = lines[0]
    if first.command_id is None:
        raise _Wrong("the first event of a tournament names its command", first)
    for line in lines:
        if (line.actor, line.occurred_at) != (first.actor, first.occurred_at):
            raise _Wrong("it has another author or time than the command that led to it", line)
    try:
        seed = bytes.fromhex(lot or "")
        known = replace(tournament, secrets={LOT: seed} if seed else {})
        context = Context(first.occurred_at, seed or bytes(32))
        expected = decide(known, actor_in(first.actor, NUMBERED), command_in(group), context)
    except RuleViolation as refused:
        raise _Wrong(refused.refusal.detail, first, refused.refusal.rule) from None
    except (NoCommand, *NOT_TO_BE) as error:
        raise _Wrong(f"this cannot be: {error}", first) from None
    if not seed:
        expected = _believed(expected, group)
    for line, event, wanted in zip(lines, group, expected, strict=False):
        if event != wanted:
            raise _Wrong(f"the rules lead to {_told(wanted)} here", line)
    if len(group) != len(expected):
        raise _Wrong(f"the rules lead to {len(expected)} events of this command", lines[-1])
    try:
        for event in group:
            tournament = evolve(tournament, event)
    except NOT_TO_BE as error:
        raise _Wrong(f"this cannot be: {error}", first) from None
    return tournament


def _believed(expected: tuple[Event, ...], group: tuple[Event, ...]) -> tuple[Event, ...]:
    """What is expected, with a commitment as it is stored whose seed is still sealed."""
    stored = [event for event in group if isinstance(event, DrawCommitted)]
    return tuple(
        stored.pop(0) if isinstance(event, DrawCommitted) and stored else event
        for event in expected
    )


def _told(event: Event) -> str:
    return codec.encode(event).decode()


def _entrants(record: TournamentRecord, tournament: Tournament) -> Iterator[Fault]:
    """Who is named under a number is who the log's digest stands for (docs/deal.md)."""
    opening = record.opening
    rules = (tournament.ruleset, tournament.ruleset_version)
    if (opening.ruleset, opening.ruleset_version) != rules:
        yield Fault("entrants", "the first line names other rules than the tournament's")
    before = -1
    for number, line in enumerate(record.entrants, 2):
        player = bytes.fromhex(line.player_id.replace("-", ""))
        digest = player_digest(bytes.fromhex(line.salt), player)
        known = line.entrant < len(tournament.entries)
        taken = tournament.entries[line.entrant].player if known else None
        if line.entrant <= before or taken != digest:
            words = f"number {line.entrant} is not that of this player"
            yield Fault("entrants", words, line=number)
        before = line.entrant


TOURNAMENT_CHECKS: Final = ("form", "chain", "play", "entrants", "head", "signature", "tables")
"""The names of all checks of a tournament."""
