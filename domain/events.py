"""What happened. Tags and fields are a storage format (``docs/events.md``): add, never rename.

No event holds a hidden card: draws carry counts, plays carry faces. Events carry their
consequences (whose turn it is, the color in force), so that ``evolve`` decides nothing.
Whatever says ``turn``, ``direction``, ``color`` or ``pending`` says what holds from then on.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NewType, Union, get_args

from msgspec import Struct

from domain.cards import Card, Color
from domain.options import Options

Seat = NewType("Seat", int)
"""A player's place, from 0, numbered clockwise."""


class Pending(StrEnum):
    """What the match waits for, and so what the seat to act may answer."""

    TURN = "turn"
    COLOR = "color"
    PENALTY = "penalty"
    NONE = "none"


class BotLevel(StrEnum):
    """How a bot plays."""

    RANDOM = "random"
    STEADY = "steady"


class DrawReason(StrEnum):
    """Why cards were drawn."""

    TURN = "turn"
    OPENING = "opening"
    DRAW_TWO = "draw_two"
    WILD_DRAW_FOUR = "wild_draw_four"
    CHALLENGE = "challenge"
    UNO = "uno"


class LeaveReason(StrEnum):
    """Why a player is gone."""

    LEFT = "left"


class EndReason(StrEnum):
    """Why a match ended."""

    TARGET = "target"
    FORFEIT = "forfeit"
    EVENT_LIMIT = "event_limit"


class AbandonReason(StrEnum):
    """Why a match was abandoned."""

    IDLE = "idle"
    EMPTY = "empty"
    EVENT_LIMIT = "event_limit"


class VoidReason(StrEnum):
    """Why a round or a match was voided."""

    EVENT_LIMIT = "event_limit"
    OPERATOR = "operator"
    RESTORE = "restore"
    ABANDONED = "abandoned"
    FORFEIT = "forfeit"


class Visibility(StrEnum):
    """Whether strangers may find and watch a match."""

    PUBLIC = "public"
    PRIVATE = "private"


class Event(Struct, frozen=True, gc=False, tag_field="type"):
    """A fact of one match."""


class MatchCreated(Event, frozen=True, tag="match_created"):
    """A table was set up; seats are still to be taken."""

    ruleset: str
    ruleset_version: int
    options: Options
    seats: int
    visibility: Visibility = Visibility.PUBLIC
    practice: bool = False


class PlayerJoined(Event, frozen=True, tag="player_joined"):
    """A person took the lowest free seat. ``player`` is hex SHA-256(salt, player id)."""

    seat: Seat
    player: str


class BotSeated(Event, frozen=True, tag="bot_seated"):
    """A bot of the service took the lowest free seat."""

    seat: Seat
    level: BotLevel


class PlayerLeft(Event, frozen=True, tag="player_left"):
    """A person left. Before the start, the seats above move down by one; ``turn`` is None.

    In a running match the seat stays and is passed over from now on (AWAY-2); its hand follows
    as ``hand_returned``.
    """

    seat: Seat
    reason: LeaveReason = LeaveReason.LEFT
    turn: Seat | None = None
    pending: Pending | None = None


class HandReturned(Event, frozen=True, tag="hand_returned"):
    """The hand of a player who left was shuffled and put under the draw pile (AWAY-2).

    ``number`` is the shuffle's number in the round, ``digest`` the keyed digest of its order.
    """

    seat: Seat
    number: int
    count: int
    digest: str


class HostChanged(Event, frozen=True, tag="host_changed"):
    """The host's role passed to another person (AWAY-7)."""

    seat: Seat


class RoundCommitted(Event, frozen=True, tag="round_committed"):
    """The service is bound to a seed for ``round``: hex SHA-256, see docs/deal.md."""

    round: int
    commitment: str


class SeedAdded(Event, frozen=True, tag="seed_added"):
    """A player mixed bytes (hex) into the coming deal of ``round``."""

    seat: Seat
    round: int
    client_seed: str


class MatchStarted(Event, frozen=True, tag="match_started"):
    """The host started play; the seats are fixed (AWAY-6)."""


class DealerDraw(Struct, frozen=True, gc=False):
    """One card drawn for the deal, shown to all."""

    seat: Seat
    card: Card


class DealerDrawn(Event, frozen=True, tag="dealer_drawn"):
    """Who deals first (SETUP-2): one list of draws, then one for each tie (SETUP-3)."""

    draws: tuple[tuple[DealerDraw, ...], ...]
    dealer: Seat
    shuffles: int


class RoundStarted(Event, frozen=True, tag="round_started"):
    """Cards were dealt and one was turned up (SETUP-5, FIRST-1..5).

    ``turn`` and ``pending`` are what holds after the opening card's effect; a draw it imposes
    follows as ``cards_drawn``. ``put_back`` counts opening wild draw fours (FIRST-5), ``shuffles``
    every shuffle of the round so far, ``digest`` is the keyed digest of the whole order.
    ``color`` is None until an opening wild's color is named.
    """

    round: int
    dealer: Seat
    order: tuple[Seat, ...]
    hand_size: int
    opening: Card
    put_back: int
    draw_pile: int
    color: Color | None
    direction: int
    turn: Seat
    pending: Pending
    shuffles: int
    digest: str


class ColorChosen(Event, frozen=True, tag="color_chosen"):
    """The first player named the color of an opening wild (FIRST-4) and now takes a turn."""

    seat: Seat
    color: Color
    turn: Seat
    pending: Pending = Pending.TURN


class CardPlayed(Event, frozen=True, tag="card_played"):
    """A card was laid.

    ``uno`` tells that its author said UNO with it. ``judged_color`` is the color that a wild draw
    four will be judged against (WD4-9). ``penalty`` is how many cards the seat to act faces.
    ``last`` tells that it was the author's last card.
    """

    seat: Seat
    card: Card
    color: Color
    direction: int
    turn: Seat
    pending: Pending
    uno: bool = False
    last: bool = False
    judged_color: Color | None = None
    penalty: int = 0


class CardsDrawn(Event, frozen=True, tag="cards_drawn"):
    """``drawn`` of the ``asked`` cards went to a hand; over a reshuffle, one event each side.

    ``asked`` of the second event is what was still missing (PILE-3).
    """

    seat: Seat
    reason: DrawReason
    asked: int
    drawn: int
    turn: Seat
    pending: Pending


class TurnPassed(Event, frozen=True, tag="turn_passed"):
    """A turn ended without a play: after a draw, or because nothing can be drawn (PILE-4)."""

    seat: Seat
    drew: bool
    turn: Seat


class PileReshuffled(Event, frozen=True, tag="pile_reshuffled"):
    """The discards under the top card became the draw pile (PILE-1).

    ``number`` is the shuffle's number in the round, ``digest`` the keyed digest of its order.
    """

    number: int
    count: int
    digest: str


class UnoCalled(Event, frozen=True, tag="uno_called"):
    """A player said UNO apart from a play (UNO-1)."""

    seat: Seat


class UnoCaught(Event, frozen=True, tag="uno_caught"):
    """``by`` pointed out that ``seat`` had not said UNO (UNO-2); the draw follows."""

    seat: Seat
    by: Seat


class PenaltyAccepted(Event, frozen=True, tag="penalty_accepted"):
    """The seat that faced a penalty took it (WD4-3); the draw follows."""

    seat: Seat
    amount: int
    turn: Seat


class ChallengeResolved(Event, frozen=True, tag="challenge_resolved"):
    """A wild draw four was challenged (WD4-4..7); the draw of the loser follows.

    The author's hand is shown to the challenger alone, in the challenger's own history.
    """

    seat: Seat
    author: Seat
    guilty: bool
    turn: Seat


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """A player went out and the hands were counted (END-5). Lists are by seat."""

    round: int
    winner: Seat
    gains: tuple[int, ...]
    scores: tuple[int, ...]


class RoundBlocked(Event, frozen=True, tag="round_blocked"):
    """Nobody could draw or play (PILE-5): no winner, no points."""

    round: int


class RoundVoided(Event, frozen=True, tag="round_voided"):
    """A round counts for nothing."""

    round: int
    reason: VoidReason


class SeedRevealed(Event, frozen=True, tag="seed_revealed"):
    """A round is open to everybody: its seed in hex, to be held against the commitment."""

    round: int
    seed: str


class MatchEnded(Event, frozen=True, tag="match_ended"):
    """The match is over. ``places`` is by seat: 1, 2, 2, 4; ``winners`` are those at place 1."""

    reason: EndReason
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]


class MatchAbandoned(Event, frozen=True, tag="match_abandoned"):
    """Nobody went on with the match: no winner, no points (AWAY-9)."""

    reason: AbandonReason


class MatchVoided(Event, frozen=True, tag="match_voided"):
    """The operator declared the match void."""

    reason: VoidReason


AnyEvent = Union[  # noqa: UP007 - a closed set, read by the codec and by evolve's table
    MatchCreated,
    PlayerJoined,
    BotSeated,
    PlayerLeft,
    HandReturned,
    HostChanged,
    RoundCommitted,
    SeedAdded,
    MatchStarted,
    DealerDrawn,
    RoundStarted,
    ColorChosen,
    CardPlayed,
    CardsDrawn,
    TurnPassed,
    PileReshuffled,
    UnoCalled,
    UnoCaught,
    PenaltyAccepted,
    ChallengeResolved,
    RoundEnded,
    RoundBlocked,
    RoundVoided,
    SeedRevealed,
    MatchEnded,
    MatchAbandoned,
    MatchVoided,
]

EVENT_TYPES: Final[tuple[type[Event], ...]] = get_args(AnyEvent)
CLOSING: Final = (MatchEnded, MatchAbandoned, MatchVoided)
"""After one of these nothing more happens in a match."""
