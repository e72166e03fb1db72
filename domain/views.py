"""Who sees what: the shape of a view for each audience, made for it and never by filtering.

A view is what a client, a bot and the view store get; ``domain.sight`` builds them. Names are not
here: ``player_id`` and ``name`` are joined when a view is read, since persons can be erased.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.cards import Card, Color
from domain.commands import PlayerCommand
from domain.events import BotLevel, Pending, Seat, Visibility
from domain.match import Result, Status
from domain.options import Form, Options


class SeatEntry(Struct, frozen=True, gc=False):
    """A seat as everybody sees it. ``uno``: its announcement stands. ``cards`` is a count."""

    seat: Seat
    bot: BotLevel | None
    cards: int
    score: int
    uno: bool
    state: str
    player: str | UnsetType | None = None
    """Digest of the person; unset, with ``player_id`` and ``name`` in its place, when read."""
    player_id: str | None = None
    name: str | None = None


class PendingEntry(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the match waits for; ``amount`` is a penalty's cards; times are RFC 3339."""

    kind: Pending
    seat: Seat | None = None
    amount: int | None = None
    deadline: str | None = None
    not_before: str | None = None


class Fairness(Struct, frozen=True, gc=False):
    """The coming round's commitment and the seeds (hex, by seat) that players added to it."""

    round: int
    commitment: str
    seeds: tuple[str, ...]


class Ruleset(Struct, frozen=True, gc=False):
    """The rules a match is pinned to."""

    name: str
    version: int


class You(Struct, frozen=True, gc=False, omit_defaults=True):
    """What only the seat itself sees. ``drawn`` is the card drawn this turn."""

    seat: Seat
    hand: tuple[Card, ...]
    drawn: Card | None = None


class TableView(Struct, frozen=True, gc=False, kw_only=True):
    """The public view: what a spectator sees."""

    match_id: str
    version: int
    status: Status
    visibility: Visibility
    practice: bool
    ruleset: Ruleset
    options: Options
    form: Form
    seats_total: int
    host: Seat | None
    round: int
    turn: Seat | None
    direction: int | None
    color: Color | None
    top: Card | None
    draw_pile: int
    discard_pile: int
    dealer: Seat | None
    order: tuple[Seat, ...]
    seats: tuple[SeatEntry, ...]
    pending: PendingEntry
    scores: tuple[int, ...]
    fairness: Fairness | None
    result: Result | None
    you: You | UnsetType = UNSET
    legal: tuple[PlayerCommand, ...] | UnsetType = UNSET


SeatView = TableView
"""The public view with ``you`` and ``legal`` set."""


class Private(Struct, frozen=True, gc=False):
    """What a seat sees beyond the public view. ``legal`` names a wild once, without its color."""

    you: You
    legal: tuple[PlayerCommand, ...]


class ViewSet(Struct, frozen=True, gc=False):
    """All views of a match at one version: the public part once, the private part by seat."""

    version: int
    table: TableView
    private: tuple[Private, ...]

    def of(self, seat: Seat | None) -> TableView:
        """The view of a seat, or a spectator's for None."""
        if seat is None:
            return self.table
        mine = self.private[seat]
        return msgspec.structs.replace(self.table, you=mine.you, legal=mine.legal)


class Mine(Struct, frozen=True, gc=False):
    """What one seat alone saw of an event: cards drawn, the hand dealt, or the hand shown.

    One of the three is set, and may be empty: no card was left to draw, or the hand was.
    """

    drawn: tuple[Card, ...] | UnsetType = UNSET
    hand: tuple[Card, ...] | UnsetType = UNSET
    shown: tuple[Card, ...] | UnsetType = UNSET
