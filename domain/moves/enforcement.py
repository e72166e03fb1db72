"""Cards that do not fit, laid where the table itself sees to the rules (TABLE-2 to TABLE-5)."""

from __future__ import annotations

from typing import Final

from domain.cards import Card
from domain.commands import Actor, CallOut, Context
from domain.effect import Effect
from domain.events import DrawReason, Event, PlayCalledOut, Seat
from domain.match import Match, Round
from domain.matching import fitting
from domain.moves import guards
from domain.moves.draft import Draft
from domain.moves.piles import draw
from domain.options import Enforcement
from domain.refusals import Refusal, require

_EVERY_CARD: Final = frozenset(Card)
CALL_OUT_PENALTY: Final = 2
"""TABLE-2: cards."""
VICTIM_DRAWS: Final = 2
"""D2-1: a Draw Two is the only card that does not fit and makes somebody draw."""


def require_that_it_may_be_unfit(match: Match, last: bool) -> None:
    """A card that does not fit is refused, unless the table calls it out; a last one always is."""
    require(match.options.enforcement is Enforcement.TABLE, Refusal.CARD_MUST_MATCH)
    require(not last, Refusal.LAST_CARD_MUST_MATCH)


def may_be_tried(round: Round, seat: Seat) -> frozenset[Card]:
    """The cards that may be laid at a table that calls out: any, but a last one has to fit."""
    return fitting(round) if len(round.hands[seat]) == 1 else _EVERY_CARD


def victim_of(round: Round, seat: Seat, effect: Effect, direction: int) -> Seat | None:
    """Who draws if an unfit card of ``seat`` stands."""
    return round.seat_after(seat, 1, direction) if effect.draws else None


def stood(match: Match) -> tuple[Match, tuple[Event, ...]]:
    """The match in which the next turn begins: an unfit card stands, and its victim draws first."""
    round = match.round
    if round is None or round.unfit is None or round.unfit.victim is None:
        return match, ()
    draft = Draft(match)
    draw(draft, round.unfit.victim, VICTIM_DRAWS, DrawReason.DRAW_TWO)
    return draft.match, draft.events


def call_out(match: Match, actor: Actor, command: CallOut, context: Context) -> tuple[Event, ...]:
    """Point out a card that does not fit: it goes back, and its author draws two (TABLE-2)."""
    round, seat = guards.playing(match, actor)
    unfit = round.unfit
    is_due = unfit is not None and unfit.author == command.seat
    require(is_due, Refusal.CALL_OUT_MUST_BE_IN_TIME)
    require(command.seat != seat, Refusal.CALL_OUT_MUST_BE_BY_ANOTHER)
    draft = Draft(match)
    take_back(draft, by=seat)
    draw(draft, command.seat, CALL_OUT_PENALTY, DrawReason.CALLED_OUT)
    return draft.events


def take_back(draft: Draft, by: Seat | None) -> None:
    """The unfit card goes back to its author; the turn is the next player's, as it was before."""
    round, unfit = draft.round, draft.round.unfit
    assert unfit is not None, "there is a card to take back"
    draft.add(
        PlayCalledOut(
            seat=unfit.author,
            card=round.top,
            by=by,
            color=unfit.color,
            direction=unfit.direction,
            turn=round.seat_after(unfit.author, 1, unfit.direction),
        )
    )


def lapse(draft: Draft, leaver: Seat) -> None:
    """A leaver's unfit card goes with the hand (TABLE-5)."""
    unfit = draft.round.unfit
    if unfit is not None and unfit.author == leaver:
        take_back(draft, by=None)
