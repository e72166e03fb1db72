"""Statistics and ratings in one process: for tests, for a demo, for play without servers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from domain.options import Form
from domain.ports import StaleLeader
from domain.rankings import Board, Scope
from domain.results import Figures, SeatResult
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
from infra.seasons import season_of


class MemoryTallies:
    """TallyStore in dicts, looked through when it is read."""

    def __init__(self) -> None:
        self._state = TallyState(0, 0, 0, 0)
        self._epoch = 0
        self._outcomes: dict[bytes, Outcome] = {}
        self._rated: dict[tuple[bytes, int], Rated] = {}

    async def state(self) -> TallyState:
        """How far they have come."""
        return self._state

    async def add(self, batch: TallyBatch) -> bool:
        """Count and take away, and move the position, iff it is the batch's start."""
        if batch.epoch < self._epoch:
            raise StaleLeader
        if batch.start != self._state.position:
            return False
        self._epoch = batch.epoch
        for match in batch.voided:
            gone = self._outcomes.pop(match, None)
            if gone is not None:
                self._take_away(gone.result.position)
        self._outcomes.update({outcome.result.match: outcome for outcome in batch.outcomes})
        self._change(position=batch.end)
        return True

    async def unrated(self, limit: int) -> Unrated | None:
        """The next matches to rate, with what their persons come with."""
        state = self._state
        ordered = sorted(self._outcomes.values(), key=_end_of)
        to_rate = [one for one in ordered if _end_of(one) > state.rated and one.result.is_rated]
        outcomes = tuple(to_rate[:limit])
        end = _end_of(outcomes[-1]) if len(outcomes) == limit else state.position
        if end == state.rated:
            return None
        overall: dict[bytes, Rating] = {}
        in_form: dict[tuple[bytes, Form], Rating] = {}
        for outcome in ordered:
            for seat, player in zip(outcome.result.seats, outcome.players, strict=True):
                rated = self._rated.get((outcome.result.match, seat.seat))
                if rated is not None and player is not None and _end_of(outcome) <= state.rated:
                    overall[player] = rated.overall
                    in_form[player, outcome.result.form] = rated.in_form
        return Unrated(state, end, outcomes, overall, in_form)

    async def rate(self, unrated: Unrated, rated: Sequence[Rated]) -> bool:
        """Keep ratings, iff nothing was taken away since their matches were read."""
        was = unrated.state
        if (was.rated, was.removals) != (self._state.rated, self._state.removals):
            return False
        self._rated.update({(one.match, one.seat): one for one in rated})
        self._change(rated=unrated.end)
        return True

    async def newest(self, players: Sequence[bytes], form: Form | None) -> Mapping[bytes, Rating]:
        """The newest ratings of persons, over all matches or in a form."""
        found: dict[bytes, Rating] = {}
        for player in players:
            for one in await self.ratings(player, form, None, 1):
                found[player] = one.overall if form is None else one.in_form
        return found

    async def forget(self, player: bytes) -> None:
        """Forget whose results an erased person's were."""
        ends = [_end_of(outcome) for outcome, _ in self._of(player)]
        if ends:
            for match, outcome in self._outcomes.items():
                players = tuple(None if one == player else one for one in outcome.players)
                self._outcomes[match] = replace(outcome, players=players)
            self._take_away(min(ends))

    async def statistics(self, player: bytes) -> tuple[Totals, ...]:
        """A person's totals, by form."""
        found: dict[tuple[Form, bool], Figures] = {}
        for outcome, seat in self._of(player):
            kind = outcome.result.form, outcome.result.with_bots
            found[kind] = _sum(found.get(kind, Figures()), seat.figures)
        return tuple(Totals(*kind, found[kind]) for kind in sorted(found))

    async def ratings(
        self, player: bytes, form: Form | None, before: int | None, limit: int
    ) -> tuple[RatedMatch, ...]:
        """A person's rated matches, newest first, that ended before a position."""
        found = []
        for outcome, seat in self._of(player):
            result = outcome.result
            rated = self._rated.get((result.match, seat.seat))
            wanted = form in (None, result.form) and (before is None or result.position < before)
            if rated is not None and wanted:
                found.append(
                    RatedMatch(
                        result.match,
                        result.position,
                        result.ended_at,
                        result.form,
                        seat.place,
                        rated.overall,
                        rated.in_form,
                    )
                )
        return tuple(sorted(found, key=lambda one: -one.position)[:limit])

    def scores(self, board: Board, scope: Scope) -> dict[bytes, int]:
        """What everybody has on a board, over the matches of a scope."""
        found: dict[bytes, int] = {}
        for outcome in sorted(self._outcomes.values(), key=_end_of):
            result = outcome.result
            if (
                result.with_bots
                or scope.season not in (None, season_of(result.ended_at))
                or scope.form not in (None, result.form)
                or scope.app not in (None, outcome.app)
            ):
                continue
            for seat, player in zip(result.seats, outcome.players, strict=True):
                if player is None:
                    continue
                if board is not Board.RATING:
                    found[player] = found.get(player, 0) + getattr(seat.figures, board)
                elif (rated := self._rated.get((result.match, seat.seat))) is not None:
                    found[player] = (rated.in_form if scope.form else rated.overall).points
        return found

    def _of(self, player: bytes) -> Iterator[tuple[Outcome, SeatResult]]:
        """The results that are a person's."""
        for outcome in self._outcomes.values():
            for seat, held in zip(outcome.result.seats, outcome.players, strict=True):
                if held == player:
                    yield outcome, seat

    def _take_away(self, position: int) -> None:
        state = self._state
        self._change(rated=min(state.rated, position - 1), removals=state.removals + 1)

    def _change(self, **what: int) -> None:
        self._state = replace(self._state, revision=self._state.revision + 1, **what)


def _end_of(outcome: Outcome) -> int:
    return outcome.result.position


def _sum(one: Figures, other: Figures) -> Figures:
    names = Figures.__struct_fields__
    return Figures(**{name: getattr(one, name) + getattr(other, name) for name in names})
