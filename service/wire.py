"""What requests say and what answers hold, beyond what the domain's own structs say.

Requests are strict: unknown fields are refused. Answers only ever gain fields.
"""

from __future__ import annotations

from typing import Annotated, Final, Generic, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.cards import Card, Color
from domain.commands import PlayerCommand
from domain.events import BotLevel, Seat, Visibility
from domain.limits import (
    CARDS_MAX,
    NAME_CHARACTERS,
    PAGE_ITEMS,
    SCORE_MAX,
    SEATS_MAX,
    SEATS_MIN,
    SPECTATOR_DELAY_SECONDS,
)
from domain.match import Status
from domain.options import Options
from domain.views import TableView
from service.play.contract import Item, Receipt, Signature

_WORD: Final = r"[^\s\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]+"
Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=NAME_CHARACTERS,
        pattern=rf"^{_WORD}( {_WORD})*$(?!\n)",
        description="Words with single spaces between them, without control characters.",
        examples=["Ann"],
    ),
]
Tag = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9][a-z0-9._-]{0,31}$(?!\n)",
        description="Up to 32 of a-z, 0-9, `.`, `_` and `-`; a letter or digit first.",
        examples=["friday-league"],
    ),
]
Id = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
Moment = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Limit = Annotated[int, Meta(ge=1, le=PAGE_ITEMS, description="How many items a page has at most.")]
Cursor = Annotated[str, Meta(max_length=128, description="The `next` of the page before.")]
Version = Annotated[int, Meta(ge=0, le=1_000_000_000)]
MinVersion = Annotated[
    int,
    Meta(
        ge=0,
        le=1_000_000_000,
        description="Nothing older than this version is answered: 412 if it is not there yet.",
    ),
]

T = TypeVar("T")


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """A body or a query string."""


class NotOlder(Request, frozen=True):
    """How new the match must be that is read."""

    min_version: MinVersion = 0


class Page(Struct, Generic[T], frozen=True):
    """A page of a list; ``next`` is the cursor of the one after it, null at the end."""

    items: tuple[T, ...]
    next: str | None


# Players.


class NewPlayer(Request, frozen=True):
    """A person to create."""

    name: Name


class Rename(Request, frozen=True):
    """What to change about oneself."""

    name: Name


class PlayerMade(Struct, frozen=True):
    """A new person and the only copy of their token."""

    player_id: Id
    token: str


class Me(Struct, frozen=True):
    """Oneself. ``by_app`` tells that an application created this player."""

    player_id: Id
    name: str
    created_at: Moment
    by_app: bool


class Statistics(Struct, frozen=True):
    """A person's record over matches among people that have ended and are no practice."""

    points: int
    matches_won: int


class Profile(Struct, frozen=True):
    """A person as everybody sees them. ``statistics`` is null while they cannot be read."""

    player_id: Id
    name: str
    created_at: Moment
    statistics: Statistics | None


# Matches.


class NewMatch(Request, frozen=True):
    """A table to set up; ``bots`` are seated after the creator, who takes seat 0."""

    seats: Annotated[int, Meta(ge=SEATS_MIN, le=SEATS_MAX, examples=[2])]
    rules: Options = Options()
    visibility: Visibility = Visibility.PUBLIC
    bots: Annotated[tuple[BotLevel, ...], Meta(max_length=SEATS_MAX - 1)] = ()
    tags: Annotated[tuple[Tag, ...], Meta(max_length=10)] = ()
    spectator_delay: Annotated[
        int,
        Meta(
            ge=0,
            le=SPECTATOR_DELAY_SECONDS,
            description="Whoever has no seat sees all that happens so many seconds later, from "
            "the start on.",
        ),
    ] = 0


class PlacedSeat(Request, frozen=True):
    """A person to create for a seat of a placed match, and what they hold."""

    name: Name
    hand: Annotated[tuple[Card, ...], Meta(max_length=CARDS_MAX)]
    score: Annotated[int, Meta(ge=0, le=SCORE_MAX)] = 0
    said_uno: bool = False


_Seat = Annotated[Seat, Meta(ge=0, lt=SEATS_MAX)]
_Cards = Annotated[tuple[Card, ...], Meta(max_length=CARDS_MAX)]


class NewPosition(Request, frozen=True):
    """A position to put on the table.

    ``color`` is for a wild on top. ``discard`` is what lies under the top card, the newest first;
    ``draw_pile`` begins with the next card to be drawn. The rest of the deck follows in it, in an
    order nobody chose, unless ``exact_pile`` leaves it out of the round.
    """

    seats: Annotated[tuple[PlacedSeat, ...], Meta(min_length=SEATS_MIN, max_length=SEATS_MAX)]
    top: Card
    turn: _Seat
    rules: Options = Options()
    color: Color | None = None
    discard: _Cards = ()
    draw_pile: _Cards = ()
    exact_pile: bool = False
    dealer: _Seat = Seat(0)
    direction: Literal[1, -1] = 1


class PositionMade(Struct, frozen=True, gc=False):
    """A match that begins in a position, and the only copies of its seats' tokens, from seat 0."""

    match_id: Id
    version: int
    tokens: tuple[str, ...]


class Join(Request, frozen=True):
    """The invite to a private match; public ones need none."""

    invite: Annotated[str, Meta(max_length=128)] | None = None


class NewBot(Request, frozen=True):
    """A bot to seat."""

    level: BotLevel


WaitSeconds = Annotated[int, Meta(ge=0, le=30)]


class Wished(Request, frozen=True):
    """The quick match one waits for; ``wait``: seconds to wait for the answer with the match."""

    seats: Annotated[int, Meta(ge=SEATS_MIN, le=SEATS_MAX, examples=[2])]
    rules: Options = Options()
    bots: Annotated[tuple[BotLevel, ...], Meta(max_length=SEATS_MAX - 1)] = ()
    wait: WaitSeconds = 0


class QueueTicket(Struct, frozen=True):
    """Where one stands who waits. ``match_id`` once there is a match, ``expires_at`` until then."""

    ticket: Id
    status: Annotated[str, Meta(pattern="^(waiting|matched)$")]
    seats: int
    rules: Options
    bots: tuple[BotLevel, ...]
    since: Moment
    expires_at: Moment | None
    match_id: Id | UnsetType = UNSET


class CommandDone(Struct, frozen=True, gc=False):
    """An accepted command: the version it made, its events and the view as of then."""

    version: int
    events: tuple[Item, ...]
    view: TableView
    receipt: Receipt


class Seated(Struct, frozen=True, gc=False):
    """A seat taken: as an accepted command, and which seat it is."""

    seat: Seat
    version: int
    events: tuple[Item, ...]
    view: TableView
    receipt: Receipt


class MatchMade(Struct, frozen=True, gc=False):
    """A new match. ``seat`` is the creator's, null if an app made it for nobody yet.

    ``invite`` is the only copy of a private match's invite.
    """

    match_id: Id
    version: int
    seat: Seat | None
    events: tuple[Item, ...]
    view: TableView
    receipt: Receipt
    invite: str | UnsetType = UNSET


class Fork(Request, frozen=True):
    """From where to play on, and what differs.

    ``seat`` is the one to play, if it is not one's own; bots of the level ``bots`` have the
    others. ``open`` leaves the draw pile as it was.
    """

    version: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    rules: Options | None = None
    open: bool = False
    seat: Annotated[Seat, Meta(ge=0, lt=SEATS_MAX)] | None = None
    bots: BotLevel = BotLevel.STEADY


class MatchEntered(Struct, frozen=True, gc=False):
    """A match that follows from another, as it stands; ``seat`` is one's own, null for an app."""

    match_id: Id
    version: int
    seat: Seat | None
    view: TableView


class WouldBe(Struct, frozen=True, gc=False):
    """The command would be accepted at this version; nothing more is told."""

    would: Annotated[str, Meta(pattern="^accepted$")]
    version: int


class MatchHead(Struct, frozen=True, gc=False):
    """Where a match's history stands; ``hash`` (hex) is that of its last event, signed."""

    match_id: Id
    version: int
    hash: str
    position: int
    signature: Signature


class KeyLine(Struct, frozen=True, gc=False):
    """A public key (hex); ``valid_until`` is null while no other has taken its place."""

    key_id: str
    algorithm: str
    public_key: str
    valid_from: Moment
    valid_until: Moment | None


class SigningKeys(Struct, frozen=True, gc=False):
    """Every key that this log was ever signed with, and the one in use."""

    in_use: str
    keys: tuple[KeyLine, ...]


class Forbidden(Struct, frozen=True, gc=False, omit_defaults=True):
    """A card in one's hand that cannot be played now, and why."""

    card: str
    code: str
    detail: str
    rule: str | None = None
    source: tuple[str, ...] = ()


class Actions(Struct, frozen=True, gc=False):
    """What one may do now. ``legal`` are ready to send; a wild stands once, without its color."""

    match_id: Id
    version: int
    legal: tuple[PlayerCommand, ...]
    forbidden: tuple[Forbidden, ...]


class SeatLine(Struct, frozen=True, gc=False):
    """A taken seat of a listed match."""

    seat: Seat
    player_id: str | None
    name: str | None
    bot: BotLevel | None


class MatchListing(Struct, frozen=True, gc=False):
    """A match in a list."""

    match_id: Id
    status: Status
    visibility: Visibility
    practice: bool
    created_at: Moment
    options: Options
    seats_total: int
    seats: tuple[SeatLine, ...]
