"""The tournament after an event, and after many: one function an event, looked up in a table.

Not here: whether an event may happen (``domain.tournaments.decide``). An event that contradicts
the log before it raises ``CorruptLog``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from domain.deal import commitment
from domain.event import Event
from domain.facts.corrupt import CorruptLog, check
from domain.tournaments.events import (
    TOURNAMENT_EVENT_TYPES,
    BotEntered,
    DrawCommitted,
    DrawRevealed,
    EntrantArrived,
    EntrantJoined,
    EntrantLeft,
    EntrantMissed,
    EntrantReplaced,
    RoundPaired,
    TableEnded,
    TableForfeited,
    TableOpened,
    TableVoided,
    TournamentCanceled,
    TournamentCreated,
    TournamentFinished,
    TournamentStarted,
)
from domain.tournaments.settings import Settings
from domain.tournaments.terms import Entrant
from domain.tournaments.tournament import (
    Entry,
    Outcome,
    Result,
    Round,
    Table,
    Tournament,
    TournamentStatus,
    with_table,
)

__all__ = ["LOT", "CorruptLog", "evolve", "fold"]

LOT: Final = 1
"""Under which number the log keeps the seed of the draw by lot."""


def evolve(tournament: Tournament, event: Event) -> Tournament:
    """The tournament after ``event``, one version on. Total: events are facts, not requests."""
    after = _FACTS[type(event)](tournament, event)
    return replace(after, version=tournament.version + 1)


def fold(events: Iterable[Event], tournament: Tournament) -> Tournament:
    """The tournament after all ``events``."""
    for event in events:
        tournament = evolve(tournament, event)
    return tournament


def _created(tournament: Tournament, e: TournamentCreated) -> Tournament:
    return replace(
        tournament,
        status=TournamentStatus.OPEN,
        ruleset=e.ruleset,
        ruleset_version=e.ruleset_version,
        settings=settings_in(e),
        visibility=e.visibility,
    )


def settings_in(e: TournamentCreated) -> Settings:
    """The settings that a tournament was set up with."""
    return Settings(
        format=e.format,
        rules=e.options,
        table_seats=e.table_seats,
        entrants_max=e.entrants_max,
        rounds=e.rounds,
        seeding=e.seeding,
        arrival_seconds=e.arrival_seconds,
        no_show=e.no_show,
    )


def _draw_committed(tournament: Tournament, e: DrawCommitted) -> Tournament:
    seed = tournament.secrets.get(LOT)
    check(
        seed is None or commitment(tournament.id, LOT, seed) == e.commitment,
        "the sealed seed of the draw is not the committed one",
    )
    return replace(tournament, commitment=e.commitment)


def _draw_revealed(tournament: Tournament, e: DrawRevealed) -> Tournament:
    seed = bytes.fromhex(e.seed)
    check(
        commitment(tournament.id, LOT, seed) == tournament.commitment,
        "the revealed seed of the draw is not the committed one",
    )
    return replace(tournament, secrets={LOT: seed}, is_drawn=True)


def _joined(tournament: Tournament, e: EntrantJoined) -> Tournament:
    times = (
        tournament.entries[e.entrant].times_entered if e.entrant < len(tournament.entries) else 0
    )
    entry = Entry(player=e.player, rating=e.rating, times_entered=times + 1)
    return _with_entry(tournament, e.entrant, entry)


def _bot_entered(tournament: Tournament, e: BotEntered) -> Tournament:
    return _with_entry(tournament, e.entrant, Entry(bot=e.level, rating=e.rating))


def _left(tournament: Tournament, e: EntrantLeft) -> Tournament:
    entry = tournament.entries[e.entrant]
    return _with_entry(tournament, e.entrant, replace(entry, has_left=True, bot=e.bot))


def _replaced(tournament: Tournament, e: EntrantReplaced) -> Tournament:
    entry = tournament.entries[e.entrant]
    times = entry.times_replaced + 1
    entry = replace(entry, player=e.player, bot=e.bot, has_left=False, times_replaced=times)
    return _with_entry(tournament, e.entrant, entry)


def _with_entry(tournament: Tournament, entrant: Entrant, entry: Entry) -> Tournament:
    entries = tournament.entries
    check(entrant <= len(entries), f"entrant {entrant} comes before those below")
    return replace(tournament, entries=(*entries[:entrant], entry, *entries[entrant + 1 :]))


def _started(tournament: Tournament, e: TournamentStarted) -> Tournament:
    return replace(
        tournament,
        status=TournamentStatus.RUNNING,
        seeding=e.seeding,
        rounds_planned=e.rounds,
    )


def _paired(tournament: Tournament, e: RoundPaired) -> Tournament:
    check(e.round == len(tournament.rounds) + 1, f"round {e.round} is not the next one")
    tables = tuple(Table(entrants=entrants, until=e.until) for entrants in e.tables)
    return replace(tournament, rounds=(*tournament.rounds, Round(tables, e.byes)))


def _table(tournament: Tournament, round: int, number: int) -> Table:
    known = 0 < round <= len(tournament.rounds)
    check(known and number < len(tournament.rounds[round - 1].tables), "there is no such table")
    return tournament.rounds[round - 1].tables[number]


def _arrived(tournament: Tournament, e: EntrantArrived) -> Tournament:
    table = _table(tournament, e.round, e.table)
    table = replace(table, arrived=(*table.arrived, e.entrant))
    return with_table(tournament, e.round, e.table, table)


def _missed(tournament: Tournament, e: EntrantMissed) -> Tournament:
    table = _table(tournament, e.round, e.table)
    table = replace(table, missed={**table.missed, e.entrant: e.bot})
    return with_table(tournament, e.round, e.table, table)


def _opened(tournament: Tournament, e: TableOpened) -> Tournament:
    table = replace(_table(tournament, e.round, e.table), match=e.match, seats=e.seats)
    return with_table(tournament, e.round, e.table, table)


def _ended(tournament: Tournament, e: TableEnded) -> Tournament:
    table = _table(tournament, e.round, e.table)
    check(table.match == e.match, f"match {e.match} is not that of the table")
    scores = dict(zip(table.seats, e.scores, strict=True))
    places = dict(zip(table.seats, e.places, strict=True))
    outcome = Outcome(
        scores=tuple(scores.get(entrant, 0) for entrant in table.entrants),
        places=tuple(places.get(entrant, 0) for entrant in table.entrants),
    )
    return with_table(tournament, e.round, e.table, replace(table, outcome=outcome))


def _forfeited(tournament: Tournament, e: TableForfeited) -> Tournament:
    table = _table(tournament, e.round, e.table)
    outcome = Outcome(
        scores=(0,) * len(table.entrants),
        places=tuple(int(entrant == e.winner) for entrant in table.entrants),
    )
    return with_table(tournament, e.round, e.table, replace(table, outcome=outcome))


def _voided(tournament: Tournament, e: TableVoided) -> Tournament:
    table = _table(tournament, e.round, e.table)
    again = Table(
        entrants=table.entrants,
        until=e.until,
        voided=(*table.voided, e.match),
        is_dropped=not e.again,
    )
    return with_table(tournament, e.round, e.table, again)


def _finished(tournament: Tournament, e: TournamentFinished) -> Tournament:
    result = Result(winners=e.winners, places=e.places, points=e.points)
    return replace(tournament, status=TournamentStatus.FINISHED, result=result)


def _canceled(tournament: Tournament, e: TournamentCanceled) -> Tournament:
    return replace(tournament, status=TournamentStatus.CANCELED, reason=e.reason)


_FACTS: Final[Mapping[type[Event], Callable[[Tournament, Any], Tournament]]] = {
    TournamentCreated: _created,
    DrawCommitted: _draw_committed,
    DrawRevealed: _draw_revealed,
    EntrantJoined: _joined,
    BotEntered: _bot_entered,
    EntrantLeft: _left,
    EntrantReplaced: _replaced,
    TournamentStarted: _started,
    RoundPaired: _paired,
    EntrantArrived: _arrived,
    EntrantMissed: _missed,
    TableOpened: _opened,
    TableEnded: _ended,
    TableForfeited: _forfeited,
    TableVoided: _voided,
    TournamentFinished: _finished,
    TournamentCanceled: _canceled,
}
assert _FACTS.keys() == set(TOURNAMENT_EVENT_TYPES), "every event has exactly one fact"
