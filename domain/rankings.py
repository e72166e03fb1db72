"""Leaderboards: who stands where, over all matches among people or those of a scope.

Scores are whole numbers that follow from the tallies; whoever keeps a copy can lose it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Protocol

from msgspec import Meta, Struct

from domain.options import Form
from domain.ports import EventLog


class Board(StrEnum):
    """What is ranked: sums over matches, and the rating after the last of them."""

    POINTS = "points"
    MATCHES_WON = "matches_won"
    ROUNDS_WON = "rounds_won"
    RATING = "rating"


class Scope(Struct, frozen=True, gc=False):
    """Which matches count: of a season, of a form, made by an app; None for all.

    On the rating's board a form has ratings of its own.
    """

    season: str | None = None
    form: Form | None = None
    app: bytes | None = None


EVERYTHING = Scope()


class Standing(Struct, frozen=True, gc=False):
    """A player's line; ``rank`` is 1, 2, 2, 4, and ``is_tied`` tells that somebody shares it."""

    rank: int
    player: bytes
    points: int
    is_tied: bool


class Place(Struct, frozen=True, gc=False):
    """Where a page ends: lines stand by points, those that tie by descending id.

    A client hands it back, and may have made it up: within these bounds any store can be asked.
    """

    points: Annotated[int, Meta(ge=-(2**62), le=2**62)]
    player: Annotated[bytes, Meta(min_length=16, max_length=16)]


class Score(Struct, frozen=True, gc=False):
    """What a player has on a board, over the matches of a scope."""

    board: Board
    scope: Scope
    player: bytes
    points: int


class Rankings(Protocol):
    """Leaderboards, as they are read. All methods may raise Unavailable."""

    async def standings(
        self,
        board: Board,
        scope: Scope,
        limit: int,
        after: Place | None = None,
        around: bytes | None = None,
    ) -> tuple[Standing, ...]:
        """A page of a board, best first: from the top, after a place, or around a player."""

    async def standing(self, board: Board, scope: Scope, player: bytes) -> Standing | None:
        """A player's line; None for who is not on the board."""

    async def position(self) -> int:
        """The position of the log that the boards have come to."""

    async def forget(self, player: bytes) -> None:
        """Take an erased person off every board, once the tallies have forgotten them."""


async def lag(log: EventLog, rankings: Rankings) -> int:
    """How many events the boards are behind the log."""
    reached = await rankings.position()
    return max(0, await log.position() - reached)
