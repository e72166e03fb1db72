"""What is asked of a tournament. Who asks is the actor: ``entrant:N``, its organizer, the service.

The organizer is whoever set it up, a player or an app; the service says so by the actor.
"""

from __future__ import annotations

from typing import Annotated, Final, Union, get_args

from msgspec import Meta

from domain.commands import Command
from domain.limits import RATING_MAX
from domain.terms import BotLevel, Visibility
from domain.tournaments.settings import Settings
from domain.tournaments.terms import CancelReason, Entrant, TableEnd, TableVoid

Rating = Annotated[int, Meta(ge=0, le=RATING_MAX)]
"""How strong an entrant is, by whatever list the organizer goes by: more is stronger."""


class CreateTournament(Command, frozen=True, tag="create_tournament"):
    """Set up a tournament."""

    settings: Settings
    visibility: Visibility = Visibility.PUBLIC


class Enter(Command, frozen=True, tag="enter"):
    """Take part; ``player`` is the person's digest. Who has entered changes nothing."""

    player: str
    rating: Rating | None = None


class EnterBot(Command, frozen=True, tag="enter_bot"):
    """Let a bot take part (organizer)."""

    level: BotLevel
    rating: Rating | None = None


class Withdraw(Command, frozen=True, tag="withdraw"):
    """Leave the tournament (the entrant)."""


class RemoveEntrant(Command, frozen=True, tag="remove_entrant"):
    """Take an entrant out of the tournament (organizer)."""

    entrant: Entrant


class ReplaceEntrant(Command, frozen=True, tag="replace_entrant"):
    """Let another person (a digest), or a bot, take an entrant's place (organizer)."""

    entrant: Entrant
    player: str | None = None
    bot: BotLevel | None = None


class StartTournament(Command, frozen=True, tag="start_tournament"):
    """Fix the entrants and pair the first round (organizer)."""


class PairRound(Command, frozen=True, tag="pair_round"):
    """Pair a round, now that the one before is over (service, organizer)."""

    round: int


class Arrive(Command, frozen=True, tag="arrive"):
    """Be at the table of the round (the entrant)."""


class CloseArrivals(Command, frozen=True, tag="close_arrivals"):
    """Wait no longer at a table, as its time has passed (service)."""

    round: int
    table: int


class OpenTable(Command, frozen=True, tag="open_table"):
    """Name the match as which a table is played: its id in hex (service)."""

    round: int
    table: int
    match: str


class EndTable(Command, frozen=True, tag="end_table"):
    """Say how a table's match ended, as its own log has it (service)."""

    round: int
    table: int
    match: str
    version: int
    hash: str
    reason: TableEnd
    scores: tuple[int, ...]
    places: tuple[int, ...]


class VoidTable(Command, frozen=True, tag="void_table"):
    """Declare that a table does not count (service, operator).

    With ``match``, only if that is the one it is played as.
    """

    round: int
    table: int
    reason: TableVoid
    match: str | None = None


class FinishTournament(Command, frozen=True, tag="finish_tournament"):
    """Close the tournament: nothing is left to be played (service, organizer)."""


class CancelTournament(Command, frozen=True, tag="cancel_tournament"):
    """Do not play the tournament on (service, organizer)."""

    reason: CancelReason


AnyTournamentCommand = Union[  # noqa: UP007 - a closed set, read by decide's table
    CreateTournament,
    Enter,
    EnterBot,
    Withdraw,
    RemoveEntrant,
    ReplaceEntrant,
    StartTournament,
    PairRound,
    Arrive,
    CloseArrivals,
    OpenTable,
    EndTable,
    VoidTable,
    FinishTournament,
    CancelTournament,
]
TOURNAMENT_COMMANDS: Final[tuple[type[Command], ...]] = get_args(AnyTournamentCommand)
