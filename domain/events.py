"""What happened. Tags and fields are a storage format (``docs/events.md``): add, never rename.

No event holds a hidden card: draws carry counts, plays carry faces. Events carry their
consequences (whose turn it is, the color in force), so that ``evolve`` decides nothing.
Whatever says ``turn``, ``direction``, ``color`` or ``pending`` says what holds from then on.
"""

from __future__ import annotations

from typing import Final, Union, get_args

from domain.cards import Card, Color
from domain.deal_events import DealerDraw as DealerDraw
from domain.deal_events import DealerDrawn as DealerDrawn
from domain.deal_events import PositionPlaced as PositionPlaced
from domain.deal_events import RoundStarted as RoundStarted
from domain.event import Event as Event
from domain.options import Options
from domain.terms import AbandonReason as AbandonReason
from domain.terms import AdviceReason as AdviceReason
from domain.terms import BotLevel as BotLevel
from domain.terms import DrawReason as DrawReason
from domain.terms import EndReason as EndReason
from domain.terms import LeaveReason as LeaveReason
from domain.terms import Pending as Pending
from domain.terms import Seat as Seat
from domain.terms import Visibility as Visibility
from domain.terms import VoidReason as VoidReason


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
    as ``hand_returned``. With ``bot`` a bot of that level plays on in their place.
    """

    seat: Seat
    reason: LeaveReason = LeaveReason.LEFT
    turn: Seat | None = None
    pending: Pending | None = None
    bot: BotLevel | None = None


class PlayerReturned(Event, frozen=True, tag="player_returned"):
    """A person took back the seat that a bot had played for them (AWAY-2)."""

    seat: Seat


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


class ColorChosen(Event, frozen=True, tag="color_chosen"):
    """The first player named the color of an opening wild (FIRST-4) and now takes a turn."""

    seat: Seat
    color: Color
    turn: Seat
    pending: Pending = Pending.TURN
    by_clock: bool = False


class CardPlayed(Event, frozen=True, tag="card_played"):
    """A card was laid.

    ``uno`` tells that its author said UNO with it. ``judged_color`` is the color that a wild draw
    four will be judged against (WD4-9). ``penalty`` is how many cards the seat to act faces.
    ``last`` tells that it was the author's last card. ``unfit``: it breaks TURN-1 and may be
    called out until the next turn begins (TABLE-2); ``victim`` draws two if it stands. Until
    ``not_before`` (microseconds since the epoch, UTC) no act that begins a turn is taken (UNO-7).
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
    unfit: bool = False
    victim: Seat | None = None
    not_before: int | None = None


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
    by_clock: bool = False


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
    by_clock: bool = False


class ClockRanOut(Event, frozen=True, tag="clock_ran_out"):
    """The time of a seat has passed, for the ``row``-th time in a row (AWAY-1, AWAY-2).

    What the service does in its place follows: cards drawn for the clock, then an event
    ``by_clock``; or the player is away.
    """

    seat: Seat
    row: int


class ChallengeResolved(Event, frozen=True, tag="challenge_resolved"):
    """A wild draw four was challenged (WD4-4..7); the draw of the loser follows.

    The author's hand is shown to the challenger alone, in the challenger's own history.
    """

    seat: Seat
    author: Seat
    guilty: bool
    turn: Seat


class PlayCalledOut(Event, frozen=True, tag="play_called_out"):
    """A card that did not fit went back to its author's hand, its effects with it (TABLE-2).

    ``by`` is None where its author left (TABLE-5). After a call its author's draw follows.
    """

    seat: Seat
    card: Card
    by: Seat | None
    color: Color
    direction: int
    turn: Seat


class AdvicePenalized(Event, frozen=True, tag="advice_penalized"):
    """The host, or who runs the match, ruled that a seat advised another (TABLE-4).

    The draw follows.
    """

    seat: Seat
    reason: AdviceReason


class HandsSwapped(Event, frozen=True, tag="hands_swapped"):
    """Hands changed owners by a card that ``seat`` laid (HOUSE-2, CUST-1).

    The hand of each of ``givers`` went to the seat at the same place of ``takers``.
    """

    seat: Seat
    givers: tuple[Seat, ...]
    takers: tuple[Seat, ...]


class HandsShuffled(Event, frozen=True, tag="hands_shuffled"):
    """All hands were gathered, shuffled and dealt again from the left of ``seat`` (SHUF-1).

    ``number`` is the shuffle's number in the round, ``digest`` the keyed digest of its order.
    """

    seat: Seat
    number: int
    count: int
    digest: str


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """A player went out and the hands were counted (END-5). Lists are by seat."""

    round: int
    winner: Seat
    gains: tuple[int, ...]
    scores: tuple[int, ...]


class PlayerEliminated(Event, frozen=True, tag="player_eliminated"):
    """A player reached the target in the round just counted and is out of the match (ELIM-1).

    ``place`` is the player's for good (ELIM-3).
    """

    seat: Seat
    place: int


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
    """The operator declared the match void, perhaps after its end: its result counts no more."""

    reason: VoidReason


# fmt: off
AnyEvent = Union[  # noqa: UP007 - a closed set, read by the codec and by evolve's table
    MatchCreated, PlayerJoined, BotSeated, PlayerLeft, PlayerReturned, HandReturned,
    HostChanged, RoundCommitted, SeedAdded, MatchStarted, DealerDrawn, RoundStarted,
    PositionPlaced, ColorChosen, CardPlayed, CardsDrawn, TurnPassed, PileReshuffled,
    UnoCalled, UnoCaught, PenaltyAccepted, ClockRanOut, ChallengeResolved, PlayCalledOut,
    AdvicePenalized, HandsSwapped, HandsShuffled, RoundEnded, PlayerEliminated, RoundBlocked,
    RoundVoided, SeedRevealed, MatchEnded, MatchAbandoned, MatchVoided,
]
# fmt: on

EVENT_TYPES: Final[tuple[type[Event], ...]] = get_args(AnyEvent)
CLOSING: Final = (MatchEnded, MatchAbandoned, MatchVoided)
"""After one of these nothing more happens in a match, but that it is declared void."""
