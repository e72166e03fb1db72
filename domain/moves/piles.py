"""Taking cards from the draw pile, and making a new one of the discards (PILE-1 to PILE-3)."""

from __future__ import annotations

from domain.deal import order_digest, shuffled
from domain.events import CardsDrawn, DrawReason, PileReshuffled, Seat
from domain.moves.draft import Draft


def draw(draft: Draft, seat: Seat, asked: int, reason: DrawReason) -> None:
    """Let a seat draw; turn and pending stay. If nothing is left, the rest is waived (PILE-3)."""
    drawn = min(asked, draft.round.draw_pile_count)
    if drawn < asked and draft.round.drawable > drawn:
        if drawn:
            _take(draft, seat, asked, drawn, reason)
            asked -= drawn
        _reshuffle(draft)
        drawn = min(asked, draft.round.draw_pile_count)
    _take(draft, seat, asked, drawn, reason)


def _take(draft: Draft, seat: Seat, asked: int, drawn: int, reason: DrawReason) -> None:
    draft.add(
        CardsDrawn(
            seat=seat,
            reason=reason,
            asked=asked,
            drawn=drawn,
            turn=draft.round.turn,
            pending=draft.round.pending,
        )
    )


def _reshuffle(draft: Draft) -> None:
    """All discards but the top one, in play order, become the draw pile (PILE-1)."""
    round = draft.round
    pile = shuffled(round.discard[:-1], round.key, round.shuffles)
    draft.add(
        PileReshuffled(
            number=round.shuffles,
            count=len(pile),
            digest=order_digest(round.key, round.shuffles, pile),
        )
    )
