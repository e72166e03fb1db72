"""The state of a match and of its running round, and the questions they answer.

Not here: what may happen next (``domain.decide``) nor how a fact changes it (``domain.evolve``).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct

from domain.cards import Card, Color, Hand
from domain.events import BotLevel, Pending, Seat, Visibility
from domain.options import RULESET, RULESET_VERSION, Options


class Status(StrEnum):
    """Where a match stands."""

    NEW = "new"
    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    ABANDONED = "abandoned"
    VOIDED = "voided"


class Occupant(Struct, frozen=True, gc=False):
    """Who sits on a seat: a person (``player``, hex digest) or a bot of the service."""

    player: str | None = None
    bot: BotLevel | None = None


class OpenPenalty(Struct, frozen=True, gc=False):
    """A wild draw four that its target has not answered yet (WD4-3), or a stack (HOUSE-1).

    ``hand`` is the author's hand as it was when the card was played, less the card itself
    (WD4-4); ``judged_color`` the color then in force (WD4-9), None where there is no
    challenge; ``last``: it was the last card.
    """

    author: Seat
    target: Seat
    amount: int
    judged_color: Color | None
    hand: Hand
    last: bool


class UnfitCard(Struct, frozen=True, gc=False):
    """The top card, which does not fit and may be called out (TABLE-2).

    ``color`` and ``direction`` are those before it; ``victim`` draws two if it stands.
    """

    author: Seat
    color: Color
    direction: int
    victim: Seat | None


class Round(Struct, frozen=True, gc=False):
    """A running round. Tuples by seat are as long as the match has seats."""

    number: int
    key: bytes
    """The round's key (docs/deal.md): every shuffle follows from it."""
    dealer: Seat
    order: tuple[Seat, ...]
    """The seats in the round, clockwise, in playing order."""
    hands: tuple[Hand, ...]
    """By seat, in the order in which the cards came."""
    pile: tuple[Card, ...]
    """The draw pile as shuffled, top first; ``pile[drawn:]`` is what is left."""
    drawn: int
    discard: tuple[Card, ...]
    """In play order; the last one is on top."""
    color: Color | None
    """The color in force; None until an opening wild's is named."""
    direction: int
    """1 clockwise, -1 counter-clockwise."""
    turn: Seat
    pending: Pending
    shuffles: int
    """How many shuffles the round has had: the number of the next one."""
    since: int = 0
    """When the match began to wait for this seat, in microseconds since the epoch: only where a
    clock runs (AWAY-1)."""
    has_drawn: bool = False
    """The seat to act has drawn this turn ..."""
    drawn_card: Card | None = None
    """... this card (hidden from the others)."""
    uno_owed: Seat | None = None
    """Who laid the second-to-last card in silence and may be caught (UNO-2)."""
    uno_said: frozenset[Seat] = frozenset()
    """Whose announcement stands."""
    not_before: int | None = None
    """No act that begins a turn is taken before (microseconds since the epoch, UNO-7)."""
    penalty: OpenPenalty | None = None
    laid_by: Seat | None = None
    """Who laid the top card, until the next turn begins (HOUSE-3)."""
    unfit: UnfitCard | None = None
    """The top card, while it can be called out."""
    advice_rulings: int = 0
    """How often somebody was penalized for advice (TABLE-4)."""
    passes: int = 0
    """Seats in a row that passed because nothing can be drawn (PILE-5)."""

    @property
    def top(self) -> Card:
        """The visible discard."""
        return self.discard[-1]

    @property
    def draw_pile_count(self) -> int:
        """How many cards the draw pile holds."""
        return len(self.pile) - self.drawn

    @property
    def drawable(self) -> int:
        """How many cards could be drawn, a reshuffle included (PILE-1, PILE-3).

        The top discard stays, and while it can be called out the one under it too (TABLE-5).
        """
        kept = 1 if self.unfit is None else 2
        return len(self.pile) - self.drawn + len(self.discard) - kept

    def seat_after(self, seat: Seat, steps: int, direction: int) -> Seat:
        """The seat ``steps`` further in ``direction`` among those in the round."""
        order = self.order
        return order[(order.index(seat) + direction * steps) % len(order)]


class Result(Struct, frozen=True, gc=False):
    """How a match ended. ``places`` by seat; empty where nobody won.

    ``reason`` is an EndReason, AbandonReason or VoidReason; a union of them could not be decoded.
    """

    reason: str
    winners: tuple[Seat, ...] = ()
    places: tuple[int, ...] = ()


class Match(Struct, frozen=True, gc=False):
    """A match at a version. ``id`` is the stream's UUID, 16 bytes."""

    id: bytes
    version: int = 0
    status: Status = Status.NEW
    ruleset: str = RULESET
    ruleset_version: int = RULESET_VERSION
    options: Options = Options()
    visibility: Visibility = Visibility.PUBLIC
    practice: bool = False
    seats_total: int = 0
    seats: tuple[Occupant, ...] = ()
    """Taken seats, from 0."""
    left: tuple[Seat, ...] = ()
    """Seats whose players left the running match, in that order (AWAY-2)."""
    away: tuple[Seat, ...] = ()
    """Seats that a bot plays since their players left the running match, in that order."""
    eliminated: Mapping[Seat, int] = {}
    """By seat that reached the target and is out: its place (ELIM-1, ELIM-3)."""
    host: Seat | None = None
    scores: tuple[int, ...] = ()
    rounds: int = 0
    """Rounds started so far."""
    passed: int = 0
    """Rounds that are void by a restore: where rounds are counted they are none."""
    dealer: Seat | None = None
    """Who dealt last."""
    round: Round | None = None
    """The running round; None before the start and after the end."""
    commitment: str | None = None
    """That of the coming round, ``rounds + 1``."""
    commitments: Mapping[int, str] = {}
    """By round, the coming one included."""
    client_seeds: tuple[bytes, ...] = ()
    """Added to the coming round, by seat; empty bytes where none was."""
    seeds_added: tuple[int, ...] = ()
    """How often each seat has added to the coming round."""
    got_up: Mapping[str, tuple[int, int]] = {}
    """By digest of who gave a seat up before the start: how often, and how often they had added
    to the coming round by then."""
    round_seeds: tuple[bytes, ...] = ()
    """Those the running round was dealt with."""
    secrets: Mapping[int, bytes] = {}
    """By round: the seeds the service keeps sealed until they are revealed."""
    revealed: frozenset[int] = frozenset()
    """Rounds whose seed is public."""
    result: Result | None = None
    now: int = 0
    """When the next events happen, in microseconds since the epoch: only where a clock runs."""
    silences: Mapping[Seat, int] = {}
    """By seat: how often in a row its clock has run out, if ever (AWAY-2)."""

    @property
    def is_over(self) -> bool:
        """Nothing more happens in this match."""
        return self.status in OVER

    @property
    def rounds_counted(self) -> int:
        """The rounds started so far that count where rounds are counted (ROT-1, SCORE-5)."""
        return self.rounds - self.passed

    @property
    def still_in(self) -> tuple[Seat, ...]:
        """The seats that have neither left nor been eliminated, clockwise."""
        seats = map(Seat, range(len(self.seats)))
        return tuple(
            seat for seat in seats if seat not in self.left and seat not in self.eliminated
        )

    def seat_of(self, player: str) -> Seat | None:
        """The seat of the person with this digest."""
        for seat, occupant in enumerate(self.seats):
            if occupant.player == player:
                return Seat(seat)
        return None


OVER: Final = frozenset((Status.FINISHED, Status.ABANDONED, Status.VOIDED))


def new_match(match_id: bytes, secrets: Mapping[int, bytes] | None = None) -> Match:
    """A match to which nothing has happened yet; ``secrets`` are its sealed seeds by round."""
    return Match(id=match_id, secrets=secrets or {})


def at(match: Match, now: int) -> Match:
    """The match, knowing when the next events happen, if it has a clock that counts from then."""
    return match if match.options.clock is None else msgspec.structs.replace(match, now=now)


def with_secret(match: Match, round_number: int, seed: bytes) -> Match:
    """The match, knowing the seed that ``round_number`` is (or will be) committed to."""
    return msgspec.structs.replace(match, secrets={**match.secrets, round_number: seed})
