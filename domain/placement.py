"""A position to be put on the table, and the secret that binds the service to what it hides.

Not here: whether a position is legal (``domain.placing``) nor how it comes into a match
(``domain.moves.place``). ``docs/deal.md``, "A placed position", is normative.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain.cards import Card, Color, Hand
from domain.deal import SEED_BYTES
from domain.notation import cards, line
from domain.terms import Seat


class Placement(Struct, frozen=True, gc=False):
    """A position as it is asked for: hands by seat, and what lies on the table.

    ``discard`` is what lies under the top card, the newest first; ``pile`` is drawn from first.
    ``color`` is None where the top card says it. The rest of the deck follows in the pile, in an
    order nobody chose, unless ``exact``, which leaves it out of the round. Who has ``said_uno``
    cannot be caught. ``round`` is its number in the match.
    """

    hands: tuple[Hand, ...]
    top: Card
    turn: Seat
    color: Color | None = None
    discard: tuple[Card, ...] = ()
    pile: tuple[Card, ...] = ()
    exact: bool = False
    dealer: Seat = Seat(0)
    direction: int = 1
    scores: tuple[int, ...] = ()
    said_uno: frozenset[Seat] = frozenset()
    round: int = 1


class Hidden(Struct, frozen=True, gc=False):
    """What a position keeps from the log: whose cards are which, and what comes next."""

    hands: tuple[Hand, ...]
    pile: tuple[Card, ...]


SALT_BYTES: Final = SEED_BYTES
"""As many random bytes before a position as a seed has: nobody can try hands until one fits."""
_BETWEEN: Final = b"/"


def secret_of(salt: bytes, hidden: Hidden) -> bytes:
    """The secret that a placed round is committed to: the salt, then the position in one line.

    The hands by seat and then the pile, each as codes with spaces between, slashes between them.
    """
    return salt + _BETWEEN.join(line(each).encode() for each in (*hidden.hands, hidden.pile))


def hidden_in(secret: bytes) -> Hidden:
    """The position in a secret; raises ValueError where there is none."""
    if len(secret) <= SALT_BYTES:
        raise ValueError("a seed is no position")
    *hands, pile = map(_cards, secret[SALT_BYTES:].split(_BETWEEN))
    return Hidden(tuple(hands), pile)


def _cards(codes: bytes) -> tuple[Card, ...]:
    return cards(codes.decode("ascii"))


def kind_of(secret: bytes) -> str:
    """What a round's secret is: a ``seed`` that the deal follows from, or a ``position``."""
    return "seed" if len(secret) <= SEED_BYTES else "position"


def counts_of(hands: Sequence[Hand]) -> tuple[int, ...]:
    """How many cards each hand holds."""
    return tuple(map(len, hands))
