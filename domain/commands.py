"""What is asked of a match. The seat is no field: it comes from who asks, never from the body."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Union, get_args

from msgspec import Meta, Struct

from domain.cards import Card, Color
from domain.events import AbandonReason, AdviceReason, BotLevel, Seat, Visibility, VoidReason
from domain.limits import SEATS_MAX, SEATS_MIN
from domain.match import Occupant
from domain.options import Options
from domain.placement import Placement


class ActorKind(StrEnum):
    """Who acts."""

    SEAT = "seat"
    BOT = "bot"
    SERVICE = "service"
    APP = "app"
    OPERATOR = "operator"
    ENTRANT = "entrant"
    ORGANIZER = "organizer"


class Actor(Struct, frozen=True, gc=False):
    """Who acts, and for which seat; written into the log as ``seat:2``, ``bot:1``, ``service``.

    In a tournament, ``seat`` is the number of the entrant: ``entrant:5``.
    """

    kind: ActorKind
    seat: Seat | None = None

    def __str__(self) -> str:
        return self.kind.value if self.seat is None else f"{self.kind}:{self.seat}"


SERVICE: Final = Actor(ActorKind.SERVICE)


class Context(Struct, frozen=True, gc=False):
    """What the world adds to a command: the time, and 32 bytes nobody could foresee.

    ``now`` is in microseconds since the epoch, UTC. ``seed`` becomes the next round's, if the
    command commits one.
    """

    now: int
    seed: bytes


class Command(
    Struct,
    frozen=True,
    gc=False,
    tag_field="type",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """An intent."""


# What a player at the table says, over HTTP in just this form.


class PlayCard(Command, frozen=True, tag="play_card"):
    """Lay a card; a wild names its color; ``uno`` says UNO with it.

    A card that swaps hands names the seat to swap with (HOUSE-2, CUST-1).
    """

    card: Card
    color: Color | None = None
    uno: bool = False
    swap_with: Annotated[Seat, Meta(ge=0, lt=SEATS_MAX)] | None = None


class DrawCard(Command, frozen=True, tag="draw_card"):
    """Draw one card instead of playing (TURN-3, DRAW-1)."""


class PassTurn(Command, frozen=True, tag="pass_turn"):
    """Keep the drawn card and end the turn (DRAW-1), or pass when nothing can be drawn (PILE-4)."""


class ChooseColor(Command, frozen=True, tag="choose_color"):
    """Name the color of an opening wild (FIRST-4)."""

    color: Color


class AcceptPenalty(Command, frozen=True, tag="accept_penalty"):
    """Draw what is due and lose the turn (WD4-3)."""


class Challenge(Command, frozen=True, tag="challenge"):
    """Doubt a wild draw four before drawing (WD4-3)."""


class CallUno(Command, frozen=True, tag="call_uno"):
    """Say UNO (UNO-1)."""


class CatchUno(Command, frozen=True, tag="catch_uno"):
    """Point out that a seat has not said UNO (UNO-2)."""

    seat: Annotated[Seat, Meta(ge=0, lt=SEATS_MAX)]


class CallOut(Command, frozen=True, tag="call_out"):
    """Point out that a seat has laid a card that does not fit (TABLE-2)."""

    seat: Annotated[Seat, Meta(ge=0, lt=SEATS_MAX)]


class PenalizeAdvice(Command, frozen=True, tag="penalize_advice"):
    """Rule that a seat has advised another: it draws two (host or app, TABLE-4)."""

    seat: Annotated[Seat, Meta(ge=0, lt=SEATS_MAX)]
    reason: AdviceReason


class Leave(Command, frozen=True, tag="leave"):
    """Leave the match for good: out of it while it runs (AWAY-2), off the seat before."""


class Return(Command, frozen=True, tag="return"):
    """Take back the seat that a bot plays since one left (AWAY-2)."""


class AddSeed(Command, frozen=True, tag="add_seed"):
    """Mix own bytes (unpadded base64url, up to 32 bytes) into the coming deal of ``round``."""

    round: Annotated[int, Meta(ge=1)]
    client_seed: Annotated[str, Meta(max_length=43, pattern="^[A-Za-z0-9_-]*$")]


PlayerCommand = Union[  # noqa: UP007 - a closed set, decoded by its tag
    PlayCard,
    DrawCard,
    PassTurn,
    ChooseColor,
    AcceptPenalty,
    Challenge,
    CallUno,
    CatchUno,
    CallOut,
    PenalizeAdvice,
    Leave,
    Return,
    AddSeed,
]

# What the service says, from its own routes and timers.


class CreateMatch(Command, frozen=True, tag="create_match"):
    """Set up a table; ``player`` is the creator's digest, None for a table of nobody yet.

    ``bots`` take the seats after the creator's at once, before anybody else can. ``seated`` is
    instead of both: who sits on each seat of a table that a tournament sets.
    """

    options: Options
    seats: Annotated[int, Meta(ge=SEATS_MIN, le=SEATS_MAX)]
    visibility: Visibility
    player: str | None
    practice: bool = False
    bots: tuple[BotLevel, ...] = ()
    seated: tuple[Occupant, ...] = ()


class PlaceMatch(Command, frozen=True, tag="place_match"):
    """Set up a match for practice that begins in a position; ``players`` are digests by seat.

    ``bot`` plays where there is none. ``salt`` is 32 bytes nobody could foresee: the position is
    committed to with them.
    """

    options: Options
    players: tuple[str | None, ...]
    placement: Placement
    salt: bytes
    visibility: Visibility = Visibility.PUBLIC
    bot: BotLevel = BotLevel.STEADY


class JoinMatch(Command, frozen=True, tag="join_match"):
    """Take the lowest free seat."""

    player: str


class SeatBot(Command, frozen=True, tag="seat_bot"):
    """Put a bot on the lowest free seat (host)."""

    level: BotLevel


class LeaveSeat(Command, frozen=True, tag="leave_seat"):
    """Give a seat up before the start."""


class StartMatch(Command, frozen=True, tag="start_match"):
    """Begin play (host, all seats taken)."""


class AbandonMatch(Command, frozen=True, tag="abandon_match"):
    """End a match that nobody goes on with (AWAY-9)."""

    reason: AbandonReason


class RunOutClock(Command, frozen=True, tag="run_out_clock"):
    """Act for a seat whose time has passed: the one that had until ``deadline`` (AWAY-8)."""

    deadline: int


class VoidMatch(Command, frozen=True, tag="void_match"):
    """Declare a match void (operator)."""

    reason: VoidReason


class DealAnew(Command, frozen=True, tag="deal_anew"):
    """Void what is dealt or to be dealt, whose seeds may be known, and go on under others.

    ``seed`` is 32 bytes nobody could foresee, for the round that is dealt or committed to now.
    """

    seed: bytes


ServiceCommand = Union[  # noqa: UP007
    CreateMatch,
    PlaceMatch,
    JoinMatch,
    SeatBot,
    LeaveSeat,
    StartMatch,
    AbandonMatch,
    RunOutClock,
    VoidMatch,
    DealAnew,
]
AnyCommand = Union[PlayerCommand, ServiceCommand]  # noqa: UP007
PLAYER_COMMANDS: Final[tuple[type[Command], ...]] = get_args(PlayerCommand)
