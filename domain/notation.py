"""Cards in one line, ``"R5 YS W"``: for tests, records and reports of faults.

Not here: the codes of single cards, which are the cards themselves (``domain.cards``).
"""

from __future__ import annotations

from collections.abc import Iterable

from domain.cards import Card, Hand


def cards(text: str) -> Hand:
    """Read cards off a line; raises ValueError for a code that no card has.

    >>> cards("R5 W")
    (<Card.R5: 'R5'>, <Card.W: 'W'>)
    """
    return tuple(Card(code) for code in text.split())


def line(hand: Iterable[Card]) -> str:
    """Write cards as a line, in their order.

    >>> line((Card.R5, Card.W))
    'R5 W'
    """
    return " ".join(hand)
