"""The state of a tournament and the questions it answers.

Not here: what may happen next (``domain.tournaments.decide``) nor how a fact changes it
(``domain.tournaments.evolve``).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.options import RULESET, RULESET_VERSION
from domain.terms import BotLevel, Visibility
from domain.tournaments.settings import Settings
from domain.tournaments.terms import Entrant, Format


class TournamentStatus(StrEnum):
    """Where a tournament stands."""

    NEW = "new"
    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELED = "canceled"


class Entry(Struct, frozen=True, gc=False):
    """Who plays under an entrant's number: a person (``player``, hex digest) or a bot.

    ``has_left``: gone; if a bot is there all the same, it plays for them to the end.
    """

    player: str | None = None
    bot: BotLevel | None = None
    rating: int | None = None
    has_left: bool = False
    times_entered: int = 1
    times_replaced: int = 0

    @property
    def is_playing(self) -> bool:
        """There is somebody to sit down at a table."""
        return not self.has_left or self.bot is not None


class Outcome(Struct, frozen=True, gc=False):
    """How a table ended, by its entrants; place 0: unranked, or did not come."""

    scores: tuple[int, ...]
    places: tuple[int, ...]


class Table(Struct, frozen=True, gc=False):
    """A table of a round."""

    entrants: tuple[Entrant, ...]
    """As paired, in the order of the seats."""
    until: int | None = None
    """How long its players are waited for, in microseconds since the epoch."""
    arrived: tuple[Entrant, ...] = ()
    missed: Mapping[Entrant, BotLevel | None] = {}
    """Who did not come, and the bot that plays for them here."""
    match: str | None = None
    """The match as which it is being, or was, played."""
    seats: tuple[Entrant, ...] = ()
    """Who sits there, by seat of the match."""
    outcome: Outcome | None = None
    voided: tuple[str | None, ...] = ()
    """What was played here and does not count: matches, None for a forfeit."""
    is_dropped: bool = False
    """It was voided and is not played again."""

    @property
    def is_over(self) -> bool:
        """Nothing more is waited for here."""
        return self.outcome is not None or self.is_dropped


class Round(Struct, frozen=True, gc=False):
    """A round of a tournament."""

    tables: tuple[Table, ...]
    byes: tuple[Entrant, ...] = ()

    @property
    def is_over(self) -> bool:
        """All its tables are over."""
        return all(table.is_over for table in self.tables)

    def table_of(self, entrant: Entrant) -> int | None:
        """The number of the table at which an entrant sits in this round."""
        for number, table in enumerate(self.tables):
            if entrant in table.entrants:
                return number
        return None


class Result(Struct, frozen=True, gc=False):
    """How a tournament ended, by entrant."""

    winners: tuple[Entrant, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]


class Tournament(Struct, frozen=True, gc=False):
    """A tournament at a version. ``id`` is the stream's UUID, 16 bytes."""

    id: bytes
    version: int = 0
    status: TournamentStatus = TournamentStatus.NEW
    ruleset: str = RULESET
    ruleset_version: int = RULESET_VERSION
    settings: Settings = Settings(Format.SWISS)
    visibility: Visibility = Visibility.PUBLIC
    entries: tuple[Entry, ...] = ()
    """By entrant."""
    commitment: str | None = None
    """That of the draw by lot."""
    secrets: Mapping[int, bytes] = {}
    """The seed of the draw by lot, under 1, if it is known."""
    is_drawn: bool = False
    """The lot is drawn, its seed public."""
    seeding: tuple[Entrant, ...] = ()
    """The entrants at the start, the strongest first."""
    rounds_planned: int | None = None
    rounds: tuple[Round, ...] = ()
    result: Result | None = None
    reason: str | None = None
    """Why it was canceled."""

    @property
    def is_over(self) -> bool:
        """Nothing more happens in this tournament."""
        return self.status in OVER

    @property
    def present(self) -> tuple[Entrant, ...]:
        """Who has entered and not left, in the order of entering."""
        return tuple(
            Entrant(number) for number, entry in enumerate(self.entries) if not entry.has_left
        )

    @property
    def running_round(self) -> Round | None:
        """The round that is being played, or was played last."""
        return self.rounds[-1] if self.rounds else None

    def entrant_of(self, player: str) -> Entrant | None:
        """The number of the person with this digest, also if they have left."""
        for number, entry in enumerate(self.entries):
            if entry.player == player:
                return Entrant(number)
        return None

    def awaited(self, table: Table) -> tuple[Entrant, ...]:
        """Who is still waited for at a table, because they have not said that they are there."""
        if table.until is None or table.match is not None or table.is_over:
            return ()
        return tuple(
            entrant
            for entrant in table.entrants
            if entrant not in table.arrived
            and entrant not in table.missed
            and self.entries[entrant].bot is None
        )

    def to_seat(self, table: Table) -> tuple[tuple[Entrant, BotLevel | None], ...]:
        """Who sits down at a table when it opens, by seat: the entrant, and the bot that plays."""
        return tuple(
            (entrant, self.entries[entrant].bot or table.missed.get(entrant))
            for entrant in table.entrants
            if entrant not in table.missed or table.missed[entrant] is not None
        )


OVER: Final = frozenset((TournamentStatus.FINISHED, TournamentStatus.CANCELED))


def new_tournament(tournament_id: bytes, secrets: Mapping[int, bytes] | None = None) -> Tournament:
    """A tournament to which nothing has happened yet; ``secrets`` is the sealed seed, under 1."""
    return Tournament(id=tournament_id, secrets=secrets or {})


def with_table(tournament: Tournament, round: int, number: int, table: Table) -> Tournament:
    """The tournament with another state of a table."""
    rounds = list(tournament.rounds)
    tables = list(rounds[round - 1].tables)
    tables[number] = table
    rounds[round - 1] = replace(rounds[round - 1], tables=tuple(tables))
    return replace(tournament, rounds=tuple(rounds))
