"""Who sees what: views and private parts of events, built for each audience from the state.

Not here: the shapes (``domain.views``). Nothing is made by filtering a full state: what a view
does not name cannot slip into it.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from domain.cards import Card, Color
from domain.clock import deadline
from domain.commands import Actor, ActorKind, Context, PlayCard, PlayerCommand, Return
from domain.deal import SEED_BYTES
from domain.decide import decide
from domain.events import (
    CardsDrawn,
    ChallengeResolved,
    Event,
    HandsShuffled,
    HandsSwapped,
    Pending,
    PositionPlaced,
    RoundStarted,
    Seat,
)
from domain.legal import legal_commands
from domain.match import Match, Round
from domain.moments import rfc3339
from domain.refusals import Refusal, RuleViolation
from domain.views import (
    Fairness,
    Mine,
    PendingEntry,
    Private,
    Ruleset,
    SeatEntry,
    TableView,
    ViewSet,
    You,
)

PLAYING: Final = "playing"
"""The state of a seat whose player takes part."""
LEFT: Final = "left"
"""The state of a seat whose player left the running match (AWAY-2)."""
AWAY: Final = "away"
"""The state of a seat that a bot plays since its player left (AWAY-2)."""
ELIMINATED: Final = "eliminated"
"""The state of a seat that has reached the target and is out (ELIM-1)."""

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(ViewSet)


def views_of(match: Match) -> ViewSet:
    """All views of a match: the public part once, the private part of every taken seat."""
    private = tuple(_private(match, Seat(seat)) for seat in range(len(match.seats)))
    return ViewSet(version=match.version, table=_table(match), private=private)


def view_of(match: Match, seat: Seat | None) -> TableView:
    """The view of a seat, or a spectator's for None."""
    table = _table(match)
    if seat is None:
        return table
    mine = _private(match, seat)
    return replace(table, you=mine.you, legal=mine.legal)


def bot_view(match: Match, seat: Seat) -> TableView:
    """What the bot of a seat gets: the seat's view, with what a bot may do for who is away."""
    view = view_of(match, seat)
    if seat not in match.away:
        return view
    return msgspec.structs.replace(view, legal=_compact(legal_commands(match, seat)))


def pack(views: ViewSet) -> bytes:
    """All views in one string of bytes; the same views, the same bytes."""
    return _encoder.encode(views)


def unpack(packed: bytes) -> ViewSet:
    """The views in packed bytes; raises msgspec.DecodeError where they misfit."""
    return _decoder.decode(packed)


def mine(before: Match, event: Event, after: Match, seat: Seat) -> Mine | None:
    """What a seat alone saw of an event: its hand at the deal, the cards it drew, a hand shown.

    None if it saw no more than everybody. ``before`` and ``after`` are the match around it.
    """
    if isinstance(event, RoundStarted | PositionPlaced) and after.round is not None:
        return Mine(hand=after.round.hands[seat])
    if isinstance(event, CardsDrawn) and event.seat == seat and before.round is not None:
        first = before.round.drawn
        return Mine(drawn=before.round.pile[first : first + event.drawn])
    if isinstance(event, HandsSwapped | HandsShuffled) and after.round is not None:
        return _new_hand(event, after.round, seat)
    if isinstance(event, ChallengeResolved) and event.seat == seat and before.round is not None:
        judged = before.round.penalty
        return None if judged is None else Mine(shown=judged.hand)  # WD4-4
    return None


def _new_hand(event: HandsSwapped | HandsShuffled, round: Round, seat: Seat) -> Mine | None:
    """The hand that came to a seat, if one did."""
    seats = event.takers if isinstance(event, HandsSwapped) else round.order
    return Mine(hand=round.hands[seat]) if seat in seats else None


def explain(match: Match, seat: Seat) -> dict[Card, Refusal]:
    """For each card of a seat's hand that it cannot play now: why. In the order of the hand."""
    hand = () if match.round is None else match.round.hands[seat]
    legal = legal_commands(match, seat)
    playable = {command.card for command in legal if isinstance(command, PlayCard)}
    others = [card for card in dict.fromkeys(hand) if card not in playable]
    refusals = {card: _refusal(match, seat, card) for card in others}
    return {card: refusal for card, refusal in refusals.items() if refusal is not None}


_LATER: Final = Context(now=1 << 62, seed=bytes(SEED_BYTES))
"""After any grace, whose end the view tells apart."""


def _refusal(match: Match, seat: Seat, card: Card) -> Refusal | None:
    """What playing a card comes to; a wild is tried with a color, since any will do."""
    play = PlayCard(card, Color.RED if card.is_wild else None)
    try:
        decide(match, Actor(ActorKind.SEAT, seat), play, _LATER)
    except RuleViolation as violation:
        return violation.refusal
    return None


def _table(match: Match) -> TableView:
    """What everybody sees."""
    round, options = match.round, match.options
    return TableView(
        match_id=_uuid(match.id),
        version=match.version,
        status=match.status,
        visibility=match.visibility,
        practice=match.practice,
        ruleset=Ruleset(match.ruleset, match.ruleset_version),
        options=options,
        form=options.form,
        seats_total=match.seats_total,
        host=match.host,
        round=match.rounds,
        turn=None if round is None else round.turn,
        direction=None if round is None else round.direction,
        color=None if round is None else round.color,
        top=None if round is None else round.discard[-1],
        draw_pile=0 if round is None else len(round.pile) - round.drawn,
        discard_pile=0 if round is None else len(round.discard),
        dealer=match.dealer,
        order=() if round is None else round.order,
        seats=_seats(match),
        pending=_NOTHING if round is None else _pending(match, round),
        scores=match.scores,
        fairness=_fairness(match),
        result=match.result,
    )


def _seats(match: Match) -> tuple[SeatEntry, ...]:
    """The taken seats, with counts where a hand's faces would be."""
    round, scores = match.round, match.scores
    all_play = not (match.left or match.eliminated or match.away)
    return tuple(
        [
            SeatEntry(
                Seat(seat),
                occupant.bot,
                0 if round is None else len(round.hands[seat]),
                scores[seat],
                round is not None and seat in round.uno_said,
                PLAYING if all_play else _state(match, seat),
                occupant.player,
            )
            for seat, occupant in enumerate(match.seats)
        ]
    )


def _state(match: Match, seat: int) -> str:
    """Whether a seat's player takes part, and if not, why."""
    if seat in match.left:
        return LEFT
    if seat in match.eliminated:
        return ELIMINATED
    return AWAY if seat in match.away else PLAYING


_NOTHING: Final = PendingEntry(Pending.NONE)


def _pending(match: Match, round: Round) -> PendingEntry:
    """What the match waits for."""
    amount = None if round.penalty is None else round.penalty.amount
    until, grace = deadline(match), round.not_before
    return PendingEntry(
        round.pending,
        round.turn,
        amount,
        deadline=None if until is None else rfc3339(until),
        not_before=None if grace is None else rfc3339(grace),
    )


def _fairness(match: Match) -> Fairness | None:
    """The coming round's commitment and what players added to it; None once all is revealed."""
    if match.commitment is None or match.is_over:
        return None
    seeds = tuple([seed.hex() for seed in match.client_seeds])
    return Fairness(match.rounds + 1, match.commitment, seeds)


def _private(match: Match, seat: Seat) -> Private:
    """What a seat sees beyond the table."""
    round = match.round
    if round is None:
        return Private(You(seat, ()), ())
    drawn = round.drawn_card if round.turn == seat else None
    if seat in match.away:
        return Private(You(seat, round.hands[seat], drawn), _RETURN)
    return Private(You(seat, round.hands[seat], drawn), _compact(legal_commands(match, seat)))


def _compact(commands: tuple[PlayerCommand, ...]) -> tuple[PlayerCommand, ...]:
    """A wild once, without its color; a play once, without UNO said with it."""
    return tuple(
        [
            _plain(command) if isinstance(command, PlayCard) else command
            for command in commands
            if not isinstance(command, PlayCard) or _stands_for_all(command)
        ]
    )


def _plain(play: PlayCard) -> PlayCard:
    """The play as it is listed: a swap with its partner, all else by its card alone."""
    return _PLAIN[play.card] if play.swap_with is None else replace(play, color=None)


def _stands_for_all(play: PlayCard) -> bool:
    """Whether this is the one of a card's plays that is listed."""
    return not play.uno and (play.color is None or play.color is _RED)


_RED: Final = Color.RED
_RETURN: Final = (Return(),)
_PLAIN: Final = {card: PlayCard(card) for card in Card}


def _uuid(id: bytes) -> str:
    """Bytes in a UUID's usual form."""
    digits = id.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
