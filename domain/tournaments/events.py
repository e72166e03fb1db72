"""What happened in a tournament. Tags and fields are a storage format: add, never rename.

Rounds of a tournament are numbered from 1, the tables of a round from 0, entrants from 0. Lists
are by entrant, or by seat of the table's match where it is said.
"""

from __future__ import annotations

from typing import Final, Union, get_args

from domain.event import Event
from domain.options import Options
from domain.terms import BotLevel, Visibility
from domain.tournaments.terms import (
    CancelReason,
    Entrant,
    ExitReason,
    Format,
    NoShow,
    Seeding,
    TableEnd,
    TableVoid,
)


class TournamentCreated(Event, frozen=True, tag="tournament_created"):
    """A tournament was set up; ``options`` are those of the match at every table."""

    ruleset: str
    ruleset_version: int
    format: Format
    options: Options
    table_seats: int
    entrants_max: int
    rounds: int | None = None
    seeding: Seeding = Seeding.RATING
    arrival_seconds: int | None = None
    no_show: NoShow = NoShow.FORFEIT
    visibility: Visibility = Visibility.PUBLIC


class DrawCommitted(Event, frozen=True, tag="draw_committed"):
    """The service is bound to a seed for the draw by lot: hex SHA-256."""

    commitment: str


class EntrantJoined(Event, frozen=True, tag="entrant_joined"):
    """A person entered, or entered again. ``player`` is hex SHA-256(salt, player id)."""

    entrant: Entrant
    player: str
    rating: int | None = None


class BotEntered(Event, frozen=True, tag="bot_entered"):
    """A bot of the service entered."""

    entrant: Entrant
    level: BotLevel
    rating: int | None = None


class EntrantLeft(Event, frozen=True, tag="entrant_left"):
    """An entrant is gone; before the start, they may enter again.

    With ``bot``, a bot of that level plays for them to the end, unranked (ROT-1).
    """

    entrant: Entrant
    reason: ExitReason = ExitReason.LEFT
    bot: BotLevel | None = None


class EntrantReplaced(Event, frozen=True, tag="entrant_replaced"):
    """Somebody else, or a bot, takes an entrant's place at tables that open from now on."""

    entrant: Entrant
    player: str | None = None
    bot: BotLevel | None = None


class DrawRevealed(Event, frozen=True, tag="draw_revealed"):
    """The lot is drawn: its seed in hex, to be held against the commitment."""

    seed: str


class TournamentStarted(Event, frozen=True, tag="tournament_started"):
    """The entrants are fixed. ``seeding`` lists them, the strongest first.

    ``rounds`` is how many rounds are played, None where that depends on who loses.
    """

    seeding: tuple[Entrant, ...]
    rounds: int | None = None


class RoundPaired(Event, frozen=True, tag="round_paired"):
    """Who meets whom in a round. A table lists its entrants in the order of the seats.

    ``until``: its players are waited for as long, in microseconds since the epoch (UTC).
    """

    round: int
    tables: tuple[tuple[Entrant, ...], ...]
    byes: tuple[Entrant, ...] = ()
    until: int | None = None


class EntrantArrived(Event, frozen=True, tag="entrant_arrived"):
    """An entrant is at the table."""

    round: int
    table: int
    entrant: Entrant


class EntrantMissed(Event, frozen=True, tag="entrant_missed"):
    """An entrant did not come to the table: a bot plays there for them, or they forfeit it."""

    round: int
    table: int
    entrant: Entrant
    bot: BotLevel | None = None


class TableOpened(Event, frozen=True, tag="table_opened"):
    """A table is played as ``match`` (its id in hex). ``seats``: the entrants, by seat.

    ``bots`` by seat: the level of the bot that plays it, None for a person.
    """

    round: int
    table: int
    match: str
    seats: tuple[Entrant, ...]
    bots: tuple[BotLevel | None, ...]


class TableEnded(Event, frozen=True, tag="table_ended"):
    """A table's match is over and counts. ``version`` and ``hash`` are its last event's.

    ``scores`` and ``places`` are those of the match, by its seats; place 0 is unranked.
    """

    round: int
    table: int
    match: str
    version: int
    hash: str
    reason: TableEnd
    scores: tuple[int, ...]
    places: tuple[int, ...]


class TableForfeited(Event, frozen=True, tag="table_forfeited"):
    """Nobody came to play against ``winner``; None: nobody came at all."""

    round: int
    table: int
    winner: Entrant | None = None


class TableVoided(Event, frozen=True, tag="table_voided"):
    """A table's result, or what was played of it, does not count.

    ``match`` is None where none was played. ``again``: it is played again, under a new match,
    and its players are waited for until ``until``.
    """

    round: int
    table: int
    match: str | None
    reason: TableVoid
    again: bool
    until: int | None = None


class TournamentFinished(Event, frozen=True, tag="tournament_finished"):
    """The tournament is over. Lists are by entrant; place 0 is unranked."""

    winners: tuple[Entrant, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]


class TournamentCanceled(Event, frozen=True, tag="tournament_canceled"):
    """The tournament is not played on, and has no places."""

    reason: CancelReason


# fmt: off
AnyTournamentEvent = Union[  # noqa: UP007 - a closed set, read by the codec and by evolve's table
    TournamentCreated, DrawCommitted, EntrantJoined, BotEntered, EntrantLeft, EntrantReplaced,
    DrawRevealed, TournamentStarted, RoundPaired, EntrantArrived, EntrantMissed, TableOpened,
    TableEnded, TableForfeited, TableVoided, TournamentFinished, TournamentCanceled,
]
# fmt: on

TOURNAMENT_EVENT_TYPES: Final[tuple[type[Event], ...]] = get_args(AnyTournamentEvent)
