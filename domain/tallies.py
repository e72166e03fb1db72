"""What is kept of the results of all matches, person by person: statistics and ratings.

``TallyStore`` is written by the one consumer of the log that keeps it up; everybody else reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct

from domain.options import Form
from domain.results import Figures, MatchResult

MICRO: Final = 1_000_000
"""Ratings are kept in millionths, as whole numbers: they add up to the same on any machine."""
SCALE: Final = 60
"""What a unit of a rating is in public: everybody begins at 1500, give or take 500."""


class Rating(Struct, frozen=True, gc=False, array_like=True):
    """How well somebody plays, and how sure that is: mean and deviation, in millionths."""

    mu: int = 25 * MICRO
    sigma: int = 25 * MICRO // 3

    @property
    def shown(self) -> int:
        """The rating in public."""
        return self.mu * SCALE // MICRO

    @property
    def uncertainty(self) -> int:
        """The deviation in public, rounded up."""
        return -(-self.sigma * SCALE // MICRO)

    @property
    def points(self) -> int:
        """What counts on the board: what somebody almost surely plays as well as, 0 to begin."""
        return (self.mu - 3 * self.sigma) * SCALE // MICRO

    @property
    def is_provisional(self) -> bool:
        """Whether it may still be far off."""
        return self.uncertainty > PROVISIONAL_ABOVE


PROVISIONAL_ABOVE: Final = 300
"""After about a dozen matches for two, fewer at larger tables, a deviation is below this."""
NEW: Final = Rating()


class Outcome(Struct, frozen=True, gc=False):
    """A result with what is kept outside the log: the app that made the match, and the persons.

    ``players`` go with the result's seats; None for who is erased.
    """

    result: MatchResult
    app: bytes | None
    players: tuple[bytes | None, ...]


class Rated(Struct, frozen=True, gc=False):
    """Ratings of a seat after a match: over all matches, and over those of its form."""

    match: bytes
    seat: int
    overall: Rating
    in_form: Rating


class RatedMatch(Struct, frozen=True, gc=False):
    """A match in a person's history of ratings, with the ratings after it."""

    match: bytes
    position: int
    ended_at: int
    form: Form
    place: int
    overall: Rating
    in_form: Rating


class Totals(Struct, frozen=True, gc=False):
    """What somebody did in all matches of a form, those with bots apart."""

    form: Form
    with_bots: bool
    figures: Figures


class TallyState(Struct, frozen=True, gc=False):
    """How far the tallies have come: which positions of the log are counted, and rated.

    ``removals`` counts matches voided and persons forgotten, ``revision`` every change.
    """

    position: int
    rated: int
    removals: int
    revision: int


class TallyBatch(Struct, frozen=True, gc=False):
    """What the events after position ``start``, up to ``end``, add and take away."""

    start: int
    end: int
    epoch: int
    outcomes: tuple[Outcome, ...] = ()
    voided: tuple[bytes, ...] = ()


class Unrated(Struct, frozen=True, gc=False):
    """The next matches to rate, in the order of their ends, and what their persons come with.

    ``end``: up to where all are rated once these are.
    """

    state: TallyState
    end: int
    outcomes: tuple[Outcome, ...]
    overall: Mapping[bytes, Rating]
    in_form: Mapping[tuple[bytes, Form], Rating]


class Tallies(Protocol):
    """Statistics and ratings, as they are read. All methods may raise Unavailable."""

    async def state(self) -> TallyState:
        """How far they have come."""

    async def statistics(self, player: bytes) -> tuple[Totals, ...]:
        """A person's totals, by form; what was never played is left out."""

    async def ratings(
        self, player: bytes, form: Form | None, before: int | None, limit: int
    ) -> tuple[RatedMatch, ...]:
        """A person's rated matches, newest first, that ended before a position."""

    async def newest(self, players: Sequence[bytes], form: Form | None) -> Mapping[bytes, Rating]:
        """The newest ratings of persons, over all matches or in a form; some may have none."""

    async def forget(self, player: bytes) -> None:
        """Forget whose results an erased person's were, for good."""


class TallyStore(Tallies, Protocol):
    """The tallies, as their consumer writes them."""

    async def add(self, batch: TallyBatch) -> bool:
        """Apply a batch and move the position in one step; raises StaleLeader.

        False, and nothing was done, unless the position was exactly the batch's start. What is
        voided is taken away, and whatever was rated after it is to be rated again.
        """

    async def unrated(self, limit: int) -> Unrated | None:
        """The next matches to rate; None if there is nothing to move."""

    async def rate(self, unrated: Unrated, rated: Sequence[Rated]) -> bool:
        """Keep the ratings after these matches; False if anything was taken away in between."""
