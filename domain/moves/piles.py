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
            take(draft, seat, asked, drawn, reason)
            asked -= drawn
        reshuffle(draft)
        drawn = min(asked, draft.round.draw_pile_count)
    take(draft, seat, asked, drawn, reason)


def take(draft: Draft, seat: Seat, asked: int, drawn: int, reason: DrawReason) -> None:
    """Move cards from the top of the draw pile to a hand; turn and pending stay."""
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


def reshuffle(draft: Draft) -> None:
    """The discards in play order, but for the top one, become the draw pile (PILE-1, TABLE-5)."""
    round = draft.round
    pile = shuffled(round.discard[: round.drawable], round.key, round.shuffles)
    draft.add(
        PileReshuffled(
            number=round.shuffles,
            count=len(pile),
            digest=order_digest(round.key, round.shuffles, pile),
        )
    )
