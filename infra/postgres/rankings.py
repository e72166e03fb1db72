"""Leaderboards summed on Postgres: what a copy is filled from, and read while there is none."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Final

from domain.options import Form
from domain.rankings import Board, Place, Scope, Score, Standing
from domain.tallies import MICRO, SCALE, TallyState
from infra.postgres.pool import Pool, fetch

PERSONS: Final = 500
"""Whose scores are summed in one statement: up to a few tens of thousands of them."""
PERSONS_OF_ALL: Final = 2_000
"""The same where everybody's are, which are written in pieces."""
_ALL_SEASONS, _ALL_FORMS, _ALL_APPS = 4, 2, 1
_SUMS: Final = tuple(board for board in Board if board is not Board.RATING)


class PostgresRankings:
    """Rankings on Postgres; a million players take it seconds."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def standings(
        self,
        board: Board,
        scope: Scope,
        limit: int,
        after: Place | None = None,
        around: bytes | None = None,
    ) -> tuple[Standing, ...]:
        """A page of a board: see Rankings."""
        place = (None, None) if after is None else (after.points, after.player)
        rows = await fetch(
            self._pool,
            "tally_standings",
            board,
            *(scope.season, scope.form, scope.app),
            limit,
            *place,
            around,
        )
        return tuple(Standing(*row) for row in rows)

    async def standing(self, board: Board, scope: Scope, player: bytes) -> Standing | None:
        """A player's line: see Rankings."""
        lines = await self.standings(board, scope, 1, around=player)
        return lines[0] if lines else None

    async def position(self) -> int:
        """The position of the log that the boards have come to."""
        return (await self.state()).position

    async def forget(self, player: bytes) -> None:
        """Nothing to do: there is no copy of the tallies here."""

    async def state(self) -> TallyState:
        """How far the tallies have come that the scores are summed from."""
        (row,) = await fetch(self._pool, "tally_state", None)
        return TallyState(*row[:4])

    async def changed(self, revision: int) -> AsyncIterator[list[Score]]:
        """The scores of everybody for whom anything has changed since a revision."""
        generation = await self._generation()
        rows = await fetch(self._pool, "tally_changed", generation, revision)
        persons = [row["player_id"] for row in rows]
        for first in range(0, len(persons), PERSONS):
            yield await self._scores(generation, persons[first:][:PERSONS])

    async def all(self) -> AsyncIterator[list[Score]]:
        """The scores of everybody."""
        generation, last = await self._generation(), bytes(16)
        while True:
            rows = await fetch(self._pool, "tally_persons", generation, last, PERSONS_OF_ALL)
            if not rows:
                return
            persons = [row["player_id"] for row in rows]
            yield await self._scores(generation, persons)
            last = persons[-1]

    async def _generation(self) -> int:
        (row,) = await fetch(self._pool, "tally_state", None)
        generation: int = row["generation"]
        return generation

    async def _scores(self, generation: int, persons: Sequence[bytes]) -> list[Score]:
        rows = await fetch(self._pool, "tally_scores", generation, persons)
        return [score for row in rows for score in _scores_in(row)]


def _scores_in(row: Any) -> Iterator[Score]:
    grouped = row["grouped"]
    scope = Scope(
        None if grouped & _ALL_SEASONS else row["season"],
        None if grouped & _ALL_FORMS else Form(row["form"]),
        None if grouped & _ALL_APPS else row["app_id"],
    )
    for board in _SUMS:
        yield Score(board, scope, row["player_id"], row[board])
    rating = row["rating"] if scope.form is None else row["form_rating"]
    if rating is not None:
        yield Score(Board.RATING, scope, row["player_id"], rating * SCALE // MICRO)
