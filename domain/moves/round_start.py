"""The start of a round: the deal, the opening card, the next round's commitment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from domain.cards import Face
from domain.commands import Context
from domain.deal import commitment
from domain.dealing import deal
from domain.editions import DECKS
from domain.events import DrawReason, Pending, RoundCommitted, RoundStarted, Seat
from domain.facts.rounds import coming_key
from domain.match import with_secret
from domain.moves.draft import Draft
from domain.moves.piles import draw


class Opening(Struct, frozen=True, gc=False):
    """What an opening card does: ``steps`` from the dealer to the first turn, in ``direction``."""

    steps: int = 1
    direction: int = 1
    draws: int = 0
    pending: Pending = Pending.TURN


_OPENINGS: Final[Mapping[Face, Opening]] = {
    **dict.fromkeys(Face, Opening()),  # SETUP-6
    Face.DRAW_TWO: Opening(steps=2, draws=2),  # FIRST-1
    Face.SKIP: Opening(steps=2),  # FIRST-2
    Face.REVERSE: Opening(steps=0, direction=-1),  # FIRST-3
    Face.WILD: Opening(pending=Pending.COLOR),  # FIRST-4
    Face.WILD_SHUFFLE_HANDS: Opening(pending=Pending.COLOR),
    Face.WILD_CUSTOMIZABLE: Opening(pending=Pending.COLOR),
}


def start_round(
    draft: Draft, context: Context, *, dealer: Seat, order: tuple[Seat, ...], shuffles: int
) -> None:
    """Deal the coming round, whose shuffles so far are ``shuffles``, and commit to the next."""
    match, number = draft.match, draft.match.rounds + 1
    dealt = deal(
        DECKS[match.options.edition],
        coming_key(match, number),
        number=shuffles,
        seats=match.seats_total,
        order=order,
        dealer=dealer,
        hand_size=match.options.starting_hand,  # SETUP-5, HOUSE-6
    )
    opening = _OPENINGS[dealt.opening.face]
    place = order.index(dealer)
    draft.add(
        RoundStarted(
            round=number,
            dealer=dealer,
            order=order,
            hand_size=match.options.starting_hand,
            opening=dealt.opening,
            put_back=dealt.put_back,
            draw_pile=len(dealt.pile),
            color=dealt.opening.color,
            direction=opening.direction,
            turn=order[(place + opening.steps) % len(order)],
            pending=opening.pending,
            shuffles=dealt.shuffles,
            digest=dealt.digest,
        )
    )
    commit(draft, number + 1, context.seed)
    if opening.draws:
        left = order[(place + 1) % len(order)]
        draw(draft, left, opening.draws, DrawReason.OPENING)


def commit(draft: Draft, round_number: int, seed: bytes) -> None:
    """Bind the service to a round's seed before players add to it."""
    draft.match = with_secret(draft.match, round_number, seed)
    draft.add(RoundCommitted(round_number, commitment(draft.match.id, round_number, seed)))
