"""What requests about tournaments say, and what answers about them hold."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.events import BotLevel, Visibility
from domain.limits import ENTRANTS_MAX
from domain.options import Options
from domain.tournaments.commands import Rating
from domain.tournaments.settings import Settings
from domain.tournaments.terms import Entrant, Format, NoShow, Seeding, TableVoid
from domain.tournaments.tournament import TournamentStatus
from service.tournaments.contract import TournamentItem, TournamentReceipt
from service.wire import Id, Moment, Request, Tag


class NewTournament(Settings, frozen=True, forbid_unknown_fields=True):
    """A tournament to set up; ``rules`` are those of the match at every table.

    ``bots`` enter at once. ``rounds`` is for ``swiss``, which has enough of them by itself.
    """

    visibility: Visibility = Visibility.PUBLIC
    bots: Annotated[tuple[BotLevel, ...], Meta(max_length=ENTRANTS_MAX)] = ()
    tags: Annotated[tuple[Tag, ...], Meta(max_length=10)] = ()


class Entering(Request, frozen=True):
    """The invite to a private tournament; ``rating`` counts where its organizer enters one."""

    invite: Annotated[str, Meta(max_length=128)] | None = None
    rating: Rating | None = None


class NewBotEntrant(Request, frozen=True):
    """A bot to enter."""

    level: BotLevel
    rating: Rating | None = None


class Substitute(Request, frozen=True):
    """Who takes an entrant's place: a player of the app that organizes, or a bot."""

    player_id: Id | None = None
    bot: BotLevel | None = None


class Cancellation(Request, frozen=True):
    """Why a tournament is not played on; an operator's reason is always `operator`."""

    reason: Literal["organizer", "too_few"] = "organizer"


class TableVoiding(Request, frozen=True):
    """Why a table's result does not count."""

    reason: TableVoid


class EntrantLine(Struct, frozen=True, gc=False):
    """Who takes part under a number. ``has_left``: before the start, or for good."""

    entrant: Entrant
    player_id: Id | None
    name: str | None
    bot: BotLevel | None
    rating: int | None
    has_left: bool


class OwnEntry(Struct, frozen=True, gc=False):
    """The caller's own number in a tournament."""

    entrant: Entrant


class TournamentResult(Struct, frozen=True, gc=False):
    """How a tournament ended. Lists are by entrant; place 0 is unranked."""

    winners: tuple[Entrant, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]


class TournamentView(Struct, frozen=True, gc=False):
    """A tournament as it stands.

    ``round`` is the one that is played, 0 before the start; ``rounds_planned`` is not known
    beforehand in a knockout. ``commitment`` is that of a draw by lot.
    """

    tournament_id: Id
    version: int
    status: TournamentStatus
    visibility: Visibility
    format: Format
    rules: Options
    table_seats: int | None
    entrants_max: int | None
    seeding: Seeding
    arrival_seconds: int | None
    no_show: NoShow
    round: int
    rounds_planned: int | None
    entrants: tuple[EntrantLine, ...]
    created_at: Moment
    commitment: str | None
    reason: str | None
    result: TournamentResult | None
    you: OwnEntry | UnsetType = UNSET


class TournamentAnswer(Struct, frozen=True, gc=False):
    """An accepted command: the version it made, its events, the tournament as of then.

    ``invite`` is the only copy of a private tournament's invite.
    """

    version: int
    events: tuple[TournamentItem, ...]
    tournament: TournamentView
    receipt: TournamentReceipt
    invite: str | UnsetType = UNSET


class TournamentListing(Struct, frozen=True, gc=False):
    """A tournament in a list; ``entrants`` are how many there are, ``round`` is the last one."""

    tournament_id: Id
    status: TournamentStatus
    visibility: Visibility
    format: Format
    created_at: Moment
    entrants: int
    round: int


class TableLine(Struct, frozen=True, gc=False):
    """A table of a round.

    ``entrants`` are in the order of its seats. ``waits_for`` are those who have not arrived yet,
    ``until`` how long they are waited for. ``match_id`` is there once the table has opened;
    ``seats`` lists who sits where in it, ``scores`` and ``places`` are by ``entrants``. Of
    ``voided`` matches nothing counts.
    """

    table: int
    status: Annotated[str, Meta(pattern="^(waiting|playing|over|dropped)$")]
    entrants: tuple[Entrant, ...]
    waits_for: tuple[Entrant, ...]
    until: Moment | None
    missed: tuple[Entrant, ...]
    match_id: Id | None
    seats: tuple[Entrant, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    voided: tuple[Id, ...]


class RoundLine(Struct, frozen=True, gc=False):
    """A round: its tables, and who has a bye."""

    round: int
    tables: tuple[TableLine, ...]
    byes: tuple[Entrant, ...]


class Schedule(Struct, frozen=True, gc=False):
    """All rounds that are paired, the first one first."""

    tournament_id: Id
    version: int
    status: TournamentStatus
    rounds: tuple[RoundLine, ...]
