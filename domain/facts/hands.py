"""Facts about hands that change owners."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.cards import Hand
from domain.deal import order_digest, shuffled
from domain.events import HandsShuffled, HandsSwapped
from domain.facts.corrupt import check
from domain.facts.table import Facts
from domain.facts.turns import running
from domain.match import Match, Round


def hands_swapped(match: Match, e: HandsSwapped) -> Match:
    """Each giver's hand is its taker's."""
    round = running(match)
    hands = list(round.hands)
    for giver, taker in zip(e.givers, e.takers, strict=True):
        hands[taker] = round.hands[giver]
    return replace(match, round=_owned_anew(round, hands))


def gathered_and_shuffled(round: Round, number: int) -> Hand:
    """All hands, by seat, each sorted by code, shuffled together (docs/deal.md)."""
    gathered = [card for seat in sorted(round.order) for card in sorted(round.hands[seat])]
    return shuffled(tuple(gathered), round.key, number)


def hands_shuffled(match: Match, e: HandsShuffled) -> Match:
    """The hands are dealt again, one card at a time, clockwise from the author's left (SHUF-1)."""
    round = running(match)
    cards = gathered_and_shuffled(round, e.number)
    check(
        order_digest(round.key, e.number, cards) == e.digest,
        f"round {round.number}: shuffle {e.number} does not follow from the seed",
    )
    hands, left = list(round.hands), round.order.index(e.seat) + 1
    seats = round.order[left:] + round.order[:left]
    for place, seat in enumerate(seats):
        hands[seat] = cards[place :: len(seats)]
    return replace(match, round=replace(_owned_anew(round, hands), shuffles=e.number + 1))


def _owned_anew(round: Round, hands: list[Hand]) -> Round:
    """No UNO is owed for such hands, and no announcement of before stands (UNO-6)."""
    return replace(round, hands=tuple(hands), uno_owed=None, uno_said=frozenset())


FACTS: Final[Facts] = {HandsSwapped: hands_swapped, HandsShuffled: hands_shuffled}
