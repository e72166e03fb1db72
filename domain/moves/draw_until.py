"""The house rule of drawing until a card can be played (HOUSE-4)."""

from __future__ import annotations

from domain.events import DrawReason, Event, Seat
from domain.match import Match, Round
from domain.matching import fitting
from domain.moves.draft import Draft
from domain.moves.piles import reshuffle, take


def drawn_until_playable(match: Match, seat: Seat) -> tuple[Event, ...]:
    """Draw up to the first card that fits, or all there is (PILE-3): one event each side of a
    reshuffle, which asks for just the cards it takes."""
    draft = Draft(match)
    _draw(draft, seat)
    while draft.round.drawn_card not in fitting(draft.round) and draft.round.drawable:
        _draw(draft, seat)
    return draft.events


def _draw(draft: Draft, seat: Seat) -> None:
    """Take from one draw pile as many cards as it takes."""
    if not draft.round.draw_pile_count:
        reshuffle(draft)
    count = _count(draft.round)
    take(draft, seat, count, count, DrawReason.TURN)


def _count(round: Round) -> int:
    """How many cards of the draw pile are drawn until one fits; all if none does."""
    fits, left = fitting(round), round.pile[round.drawn :]
    for count, card in enumerate(left, 1):
        if card in fits:
            return count
    return len(left)
