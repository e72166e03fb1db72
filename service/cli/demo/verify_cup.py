"""Verifying a tournament from its stored bytes and the records of its matches, with no server.

Each check is one function that returns what it counted, in words, or raises Mismatch.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from domain import codec
from domain.audit.checks import check
from domain.audit.record import Record as MatchRecord
from domain.audit.record import id_text, read
from domain.event import Event
from domain.tournaments.events import DrawRevealed, TableEnded, TableOpened, TableVoided
from domain.tournaments.evolve import LOT, evolve
from domain.tournaments.standings import standings
from domain.tournaments.tournament import Tournament, TournamentStatus, new_tournament
from infra.signing import is_signed
from service.cli.demo.cup import ScheduleSeen, StandingsSeen
from service.cli.demo.evidence import Mismatch, Record
from service.cli.demo.verify import Check, Report, Runner, check_chain

Events = tuple[Event, ...]


def verify_cup(
    record: Record, matches: Mapping[str, bytes], schedule: ScheduleSeen, told: StandingsSeen
) -> Report:
    """Check everything that can be checked; ``matches`` are records by the match's id in hex."""
    checks: list[Check] = []
    run = Runner(checks)
    run("hash chain", lambda: check_chain(record))
    events = run("stored bytes", lambda: decode(record))
    if events is None:
        return Report(tuple(checks))
    tournament = run("fold", lambda: refold(record.match_id, events))
    if tournament is None:
        return Report(tuple(checks))
    run("tables", lambda: check_tables(events))
    run("matches", lambda: check_matches(events, matches))
    run("schedule", lambda: check_schedule(tournament, schedule))
    run("standings", lambda: check_standings(tournament, told))
    return Report(tuple(checks))


def decode(record: Record) -> tuple[str, Events]:
    """Every stored event is one of the published forms."""
    events: list[Event] = []
    for stored in record.events:
        try:
            events.append(codec.decode_tournament(stored.type, stored.schema, stored.data))
        except (codec.UnknownEvent, msgspec.DecodeError) as error:
            raise Mismatch(f"version {stored.version}: {error}") from error
    return f"{len(events)} events decoded", tuple(events)


def refold(id: bytes, events: Events) -> tuple[str, Tournament]:
    """The tournament that the events make; it has come to its end."""
    secrets = {LOT: bytes.fromhex(e.seed) for e in events if isinstance(e, DrawRevealed)}  # noqa: B035
    tournament = new_tournament(id, secrets)
    for version, event in enumerate(events, 1):
        try:
            tournament = evolve(tournament, event)
        except Exception as error:  # evolve crashes on facts that cannot be
            raise Mismatch(f"version {version}: {error!r}") from error
    if tournament.status is not TournamentStatus.FINISHED:
        raise Mismatch(f"the tournament is {tournament.status}")
    return f"{len(tournament.rounds)} rounds of {len(tournament.seeding)} entrants", tournament


def check_tables(events: Events) -> tuple[str, int]:
    """Every match is named once, and counted once, or declared void."""
    opened = [event.match for event in events if isinstance(event, TableOpened)]
    ended = [event.match for event in events if isinstance(event, TableEnded)]
    voided = {event.match for event in events if isinstance(event, TableVoided)}
    if len(set(opened)) != len(opened) or len(set(ended)) != len(ended):
        raise Mismatch("a match was named, or counted, twice")
    if missing := set(opened) - set(ended) - voided:
        raise Mismatch(f"matches that are not counted: {sorted(missing)}")
    return f"{len(opened)} matches opened, {len(ended)} counted, each once", len(opened)


def check_matches(events: Events, matches: Mapping[str, bytes]) -> tuple[str, int]:
    """Every counted match holds by itself, and ended as the tournament says."""
    opened = {event.match: event for event in events if isinstance(event, TableOpened)}
    total = 0
    for event in events:
        if isinstance(event, TableEnded):
            content = matches.get(event.match)
            if content is None:
                raise Mismatch(f"match {event.match}: there is no record of it")
            report = check(content, is_signed)
            if not report.holds:
                raise Mismatch(f"match {event.match}: {report.faults[0]}")
            total += _hold(event, opened[event.match], read(content))
    return f"{total} events of {len(matches)} matches verified, and tied by their hashes", total


def _hold(event: TableEnded, opened: TableOpened, record: MatchRecord) -> int:
    """Hold a table's end against the record of its match; how many events that has."""
    where = f"match {event.match}"
    last = record.events[event.version - 1] if event.version <= len(record.events) else None
    if record.match.hex() != event.match or last is None or last.hash != event.hash:
        raise Mismatch(f"{where}: at version {event.version} its history has another hash")
    end = msgspec.json.decode(last.data, type=_MatchEnd)
    if end.type == "match_ended" and (end.scores, end.places) != (event.scores, event.places):
        raise Mismatch(f"{where}: ended {end.scores}, counted {event.scores}")
    seated = [line.type for line in record.events if line.type in ("player_joined", "bot_seated")]
    wanted = ["player_joined" if bot is None else "bot_seated" for bot in opened.bots]
    if seated != wanted:
        raise Mismatch(f"{where}: others sat down than the table has")
    return len(record.events)


def check_schedule(tournament: Tournament, told: ScheduleSeen) -> tuple[str, int]:
    """The schedule that was shown is the one that the history makes."""
    shown = [
        [(one.entrants, one.match_id, one.scores, one.places) for one in round.tables]
        for round in told.rounds
    ]
    made = [
        [
            (
                table.entrants,
                None if table.match is None else id_text(bytes.fromhex(table.match)),
                () if table.outcome is None else table.outcome.scores,
                () if table.outcome is None else table.outcome.places,
            )
            for table in round.tables
        ]
        for round in tournament.rounds
    ]
    if shown != made:
        raise Mismatch("the schedule shown is not that of the history")
    return f"{sum(map(len, made))} tables as the schedule shows them", len(made)


def check_standings(tournament: Tournament, told: StandingsSeen) -> tuple[str, int]:
    """The standings that were shown are those that the history makes."""
    made = [(one.entrant, one.place, one.points, one.tie_breaks) for one in standings(tournament)]
    shown = [(one.entrant.entrant, one.place, one.points, one.tie_breaks) for one in told.items]
    if shown != made:
        raise Mismatch("the standings shown are not those of the history")
    return f"{len(made)} places counted anew", len(made)


class _MatchEnd(msgspec.Struct, frozen=True):
    type: str
    scores: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
