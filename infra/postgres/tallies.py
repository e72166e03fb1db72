"""Statistics and ratings on Postgres, in tables that move in one step with their position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from domain.options import Form
from domain.ports import StaleLeader, Unavailable
from domain.results import Figures, MatchResult, SeatResult
from domain.tallies import (
    Outcome,
    Rated,
    RatedMatch,
    Rating,
    TallyBatch,
    TallyState,
    Totals,
    Unrated,
)
from infra.postgres.pool import Pool, fetch
from infra.seasons import season_of

LOST_REMOVALS: Final = 1_000_000
"""More than a copy can have seen removed in what a restore has lost."""
SWEPT_ROWS: Final = 10_000
"""Removed in one statement: well within its time limit."""
_FORMS: Final = [str(form) for form in Form]
_END: Final = 2**63 - 1
"""Beyond every position."""


class PostgresTallies:
    """TallyStore on Postgres: of the generation that is read, or of the one named."""

    def __init__(self, pool: Pool, generation: int | None = None) -> None:
        self._pool = pool
        self._generation = generation

    async def state(self) -> TallyState:
        """How far they have come."""
        return (await self._state())[0]

    async def add(self, batch: TallyBatch) -> bool:
        """Count and take away, and move the position, iff it is the batch's start."""
        _, generation = await self._state()
        persons = {one for outcome in batch.outcomes for one in outcome.players if one is not None}
        moved = await fetch(
            self._pool,
            "tally_add",
            generation,
            *(batch.start, batch.end, batch.epoch),
            batch.voided,
            sorted(persons),
            msgspec.json.encode([row for one in batch.outcomes for row in _rows(one)]).decode(),
        )
        if not moved and (await self._state())[0].position == batch.start:
            raise StaleLeader
        return bool(moved)

    async def unrated(self, limit: int) -> Unrated | None:
        """The next matches to rate, with what their persons come with."""
        state, generation = await self._state()
        rows = await fetch(self._pool, "tally_to_rate", generation, state.rated, limit)
        outcomes = tuple(_outcome(list(seats)) for _, seats in groupby(rows, _match_of))
        end = outcomes[-1].result.position if len(outcomes) == limit else state.position
        if end == state.rated:
            return None
        persons = sorted({row["player_id"] for row in rows} - {None})
        before = await fetch(
            self._pool, "tally_ratings_before", generation, state.rated, persons, _FORMS
        )
        in_form = {
            (row["player_id"], Form(row["form"])): Rating(row["form_mu"], row["form_sigma"])
            for row in before
        }
        return Unrated(state, end, outcomes, _overall(before), in_form)

    async def rate(self, unrated: Unrated, rated: Sequence[Rated]) -> bool:
        """Keep ratings, iff nothing was taken away since their matches were read."""
        _, generation = await self._state()
        moved = await fetch(
            self._pool,
            "tally_rate",
            generation,
            *(unrated.state.rated, unrated.end, unrated.state.removals),
            [one.match for one in rated],
            [one.seat for one in rated],
            [one.overall.mu for one in rated],
            [one.overall.sigma for one in rated],
            [one.in_form.mu for one in rated],
            [one.in_form.sigma for one in rated],
        )
        return bool(moved)

    async def newest(self, players: Sequence[bytes], form: Form | None) -> Mapping[bytes, Rating]:
        """The newest ratings of persons, over all matches or in a form."""
        _, generation = await self._state()
        forms = _FORMS if form is None else [form]
        rows = await fetch(self._pool, "tally_ratings_before", generation, _END, players, forms)
        if form is None:
            return _overall(rows)
        return {row["player_id"]: Rating(row["form_mu"], row["form_sigma"]) for row in rows}

    async def forget(self, player: bytes) -> None:
        """Forget whose results an erased person's were."""
        await fetch(self._pool, "tally_forget", player)

    async def forget_erased(self) -> int:
        """Forget the persons who were erased while this could not be told; how many."""
        erased = [row["player_id"] for row in await fetch(self._pool, "tally_erased")]
        for player in erased:
            await self.forget(player)
        return len(erased)

    async def statistics(self, player: bytes) -> tuple[Totals, ...]:
        """A person's totals, by form."""
        rows = await fetch(self._pool, "tally_statistics", player)
        return tuple(
            Totals(
                Form(row["form"]),
                row["with_bots"],
                Figures(**{name: row[name] for name in Figures.__struct_fields__}),
            )
            for row in rows
        )

    async def ratings(
        self, player: bytes, form: Form | None, before: int | None, limit: int
    ) -> tuple[RatedMatch, ...]:
        """A person's rated matches, newest first, that ended before a position."""
        rows = await fetch(self._pool, "tally_history", player, form, before, limit)
        return tuple(
            RatedMatch(
                row["match_id"],
                row["position"],
                row["ended_at"],
                Form(row["form"]),
                row["place"],
                Rating(row["mu"], row["sigma"]),
                Rating(row["form_mu"], row["form_sigma"]),
            )
            for row in rows
        )

    async def distrust_copies(self) -> None:
        """After a restore: a copy may be of what was lost, and is to be filled anew."""
        await fetch(self._pool, "tally_distrust", LOST_REMOVALS)

    async def begin(self) -> PostgresTallies:
        """Tallies of another generation, beside those that are read: nothing is counted yet."""
        (row,) = await fetch(self._pool, "tally_begin")
        return PostgresTallies(self._pool, row["generation"])

    async def switch(self) -> bool:
        """Read this generation from now on; False if the one that is read has come further."""
        return bool(await fetch(self._pool, "tally_switch", self._generation))

    async def sweep(self) -> None:
        """Remove the generations that nobody reads."""
        await fetch(self._pool, "tally_sweep_generations")
        while await fetch(self._pool, "tally_sweep", SWEPT_ROWS):
            pass

    async def _state(self) -> tuple[TallyState, int]:
        rows = await fetch(self._pool, "tally_state", self._generation)
        if not rows:
            raise Unavailable("another rebuild has removed these tallies")
        *state, generation = rows[0]
        return TallyState(*state), generation


def _rows(outcome: Outcome) -> list[Mapping[str, Any]]:
    """The rows of a match's seats, as the statement reads them."""
    result = outcome.result
    return [
        {
            **msgspec.structs.asdict(seat.figures),
            "match_id": result.match.hex(),
            "seat": seat.seat,
            "player_id": None if player is None else player.hex(),
            "position": result.position,
            "ended_at": result.ended_at,
            "season": season_of(result.ended_at),
            "form": result.form,
            "app_id": None if outcome.app is None else outcome.app.hex(),
            "with_bots": result.with_bots,
            "place": seat.place,
            "side": seat.side if result.is_rated and seat.place > 0 else None,
        }
        for seat, player in zip(result.seats, outcome.players, strict=True)
    ]


def _overall(rows: Sequence[Any]) -> dict[bytes, Rating]:
    """The newest of several persons' ratings, which stand by form."""
    newest: dict[bytes, Rating] = {}
    for row in sorted(rows, key=lambda row: row["position"]):
        newest[row["player_id"]] = Rating(row["mu"], row["sigma"])
    return newest


def _match_of(row: Any) -> bytes:
    match: bytes = row["match_id"]
    return match


def _outcome(rows: Sequence[Any]) -> Outcome:
    """As much of an outcome as rating it needs."""
    seats = tuple(SeatResult(row["seat"], "", row["place"], row["side"], Figures()) for row in rows)
    first = rows[0]
    result = MatchResult(
        first["match_id"], first["position"], 0, Form(first["form"]), with_bots=False, seats=seats
    )
    return Outcome(result, None, tuple(row["player_id"] for row in rows))
