"""The house rule that who can play must (HOUSE-5)."""

from __future__ import annotations

from domain.cards import Card
from domain.match import Round
from domain.matching import fitting
from domain.options import DrawnCard, Options


def has_to_play(round: Round) -> bool:
    """Whether the seat to move holds a card that it must play; never a wild draw four."""
    forced = fitting(round) - {Card.W4}
    return not forced.isdisjoint(round.hands[round.turn])


def drawn_card_of(options: Options) -> DrawnCard:
    """Who must play must play a drawn card too (DRAW-4)."""
    return DrawnCard.MUST if options.force_play else options.drawn_card
