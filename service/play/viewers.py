"""Who looks at a match: a seat, found anew in every state, or a spectator."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from domain.events import Seat
from domain.match import Match
from domain.views import TableView


class Viewer(Struct, frozen=True, gc=False):
    """A person by digest, whose seat may still change before the start; else a fixed seat."""

    seat: Seat | None = None
    player: str | None = None

    def seat_in(self, match: Match) -> Seat | None:
        """The viewer's seat in this state; None for a spectator."""
        return self.seat if self.player is None else match.seat_of(self.player)

    def seat_at(self, table: TableView) -> Seat | None:
        """The viewer's seat at the table as viewed; None for a spectator."""
        if self.player is None:
            return self.seat
        return next((entry.seat for entry in table.seats if entry.player == self.player), None)

    def pinned_in(self, match: Match) -> Viewer:
        """This viewer bound to the person who now holds the seat, so that it moves with them."""
        if self.player is not None or self.seat is None or self.seat >= len(match.seats):
            return self
        return Viewer(self.seat, match.seats[self.seat].player)


SPECTATOR: Final = Viewer()
