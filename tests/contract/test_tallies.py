"""What any tallies must do, in memory and on Postgres alike."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from domain.options import Form
from domain.ports import Player, Registry, StaleLeader
from domain.results import Figures, MatchResult, SeatResult
from domain.tallies import NEW, Outcome, Rated, Rating, TallyBatch, TallyStore, Totals
from infra.memory import MemoryRegistry
from infra.memory_tallies import MemoryTallies
from infra.postgres.log import PostgresLog
from infra.postgres.registry import PostgresRegistry
from infra.postgres.tallies import PostgresTallies
from tests.contract.conftest import SEALER

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

ANN, BOB, CAT = (number.to_bytes(16, "big") for number in (1, 2, 3))
APP = b"a" * 16
JANUARY = 1_767_225_600_000_000


class Kept(NamedTuple):
    """A store of tallies, and the persons it is about."""

    store: TallyStore
    registry: Registry


@pytest.fixture
async def kept(database_or_none: str | None) -> AsyncIterator[Kept]:
    log = None if database_or_none is None else await PostgresLog.open(database_or_none, SEALER)
    if log is None:
        made = Kept(MemoryTallies(), MemoryRegistry())
    else:
        made = Kept(PostgresTallies(log.pool), PostgresRegistry(log.pool, SEALER))
    for player in (ANN, BOB, CAT):
        await made.registry.add_player(Player(player, "somebody", None, 0), None)
    yield made
    if log is not None:
        await log.close()


@pytest.fixture
def store(kept: Kept) -> TallyStore:
    return kept.store


def match_id(position: int) -> bytes:
    return position.to_bytes(16, "little")


def outcome(
    position: int, *players: bytes | None, form: Form = Form.FREE_FOR_ALL, with_bots: bool = False
) -> Outcome:
    """A match that ended at a position; the first player won 100 points, in one round."""
    seats = tuple(
        SeatResult(
            seat,
            "ab" * 32,
            1 if seat == 0 else 2,
            seat,
            Figures(
                matches=1,
                matches_won=int(seat == 0),
                points=100 if seat == 0 else 0,
                rounds=1,
                rounds_won=int(seat == 0),
                unos_called=seat,
                cards_left=3 * seat,
            ),
        )
        for seat in range(len(players))
    )
    result = MatchResult(match_id(position), position, JANUARY + position, form, with_bots, seats)
    return Outcome(result, APP, players)


async def count(store: TallyStore, *outcomes: Outcome, voided: tuple[bytes, ...] = ()) -> None:
    """Count outcomes, as the next batch; a batch ends ten after the last of them."""
    start = (await store.state()).position
    ends = [one.result.position + 10 for one in outcomes]
    assert await store.add(TallyBatch(start, max(ends, default=start + 1), 1, outcomes, voided))


async def rate(store: TallyStore, limit: int = 100) -> int:
    """Give everybody one more than before, until all is rated; how many matches that were."""
    rated = 0
    while (unrated := await store.unrated(limit)) is not None:
        overall, in_form = dict(unrated.overall), dict(unrated.in_form)
        found = []
        for one in unrated.outcomes:
            for seat, player in zip(one.result.seats, one.players, strict=True):
                place = player, one.result.form
                before = NEW if player is None else overall.get(player, NEW)
                before_in_form = NEW if player is None else in_form.get((player, place[1]), NEW)
                after = Rating(before.mu + 1, before.sigma)
                after_in_form = Rating(before_in_form.mu + 1, before_in_form.sigma)
                if player is not None:
                    overall[player], in_form[player, place[1]] = after, after_in_form
                found.append(Rated(one.result.match, seat.seat, after, after_in_form))
        assert await store.rate(unrated, found)
        rated += len(unrated.outcomes)
    return rated


async def steps(
    store: TallyStore, player: bytes, form: Form | None = None
) -> list[tuple[int, int]]:
    """How far a player's ratings are above the first one, newest first: overall, in the form."""
    found = await store.ratings(player, form, None, 100)
    return [(one.overall.mu - NEW.mu, one.in_form.mu - NEW.mu) for one in found]


async def test_figures_add_up_by_form_and_bots_are_apart(store: TallyStore) -> None:
    await count(store, outcome(5, ANN, BOB), outcome(7, BOB, ANN))
    await count(store, outcome(30, ANN, BOB, form=Form.ELIMINATION))
    await count(store, outcome(50, ANN, with_bots=True))
    assert await store.statistics(ANN) == (
        Totals(Form.ELIMINATION, False, Figures(1, 1, 100, 1, 1)),
        Totals(Form.FREE_FOR_ALL, False, Figures(2, 1, 100, 2, 1, unos_called=1, cards_left=3)),
        Totals(Form.FREE_FOR_ALL, True, Figures(1, 1, 100, 1, 1)),
    )
    assert await store.statistics(CAT) == ()


async def test_a_batch_that_does_not_start_at_the_position_changes_nothing(
    store: TallyStore,
) -> None:
    await count(store, outcome(5, ANN, BOB))
    before = await store.state(), await store.statistics(ANN)
    for start in (0, 14, 16):
        assert not await store.add(TallyBatch(start, 30, 1, (outcome(20, ANN, BOB),)))
    assert (await store.state(), await store.statistics(ANN)) == before
    assert before[0].position == 15


async def test_a_stale_leader_is_refused(store: TallyStore) -> None:
    assert await store.add(TallyBatch(0, 1, 7))
    with pytest.raises(StaleLeader):
        await store.add(TallyBatch(1, 2, 6, (outcome(2, ANN, BOB),)))
    assert await store.statistics(ANN) == ()
    assert await store.add(TallyBatch(1, 2, 8))


@pytest.mark.parametrize("limit", [1, 2, 100])
async def test_matches_are_rated_in_the_order_of_their_ends(store: TallyStore, limit: int) -> None:
    await count(store, outcome(7, ANN, CAT), outcome(5, ANN, BOB))
    await count(store, outcome(30, ANN, BOB, form=Form.ELIMINATION), outcome(31, BOB, ANN))
    assert await rate(store, limit) == 4
    assert await steps(store, ANN) == [(4, 3), (3, 1), (2, 2), (1, 1)]
    assert await steps(store, BOB) == [(3, 2), (2, 1), (1, 1)]
    assert await steps(store, ANN, Form.ELIMINATION) == [(3, 1)]
    assert (await store.state()).rated == (await store.state()).position


async def test_a_history_comes_in_pages(store: TallyStore) -> None:
    await count(store, *(outcome(position, ANN, BOB) for position in range(1, 8)))
    await rate(store)
    whole = await store.ratings(ANN, None, None, 100)
    first = await store.ratings(ANN, None, None, 3)
    rest = await store.ratings(ANN, None, first[-1].position, 100)
    assert (*first, *rest) == whole
    assert [one.position for one in whole] == [7, 6, 5, 4, 3, 2, 1]
    assert whole[0].ended_at == JANUARY + 7


async def test_matches_with_bots_and_of_one_person_are_not_rated(store: TallyStore) -> None:
    await count(store, outcome(5, ANN, BOB, with_bots=True), outcome(6, ANN))
    assert await rate(store) == 0
    assert await store.ratings(ANN, None, None, 10) == ()
    assert (await store.state()).rated == 16


async def test_what_is_voided_counts_for_nothing_and_what_came_after_is_rated_again(
    store: TallyStore,
) -> None:
    await count(store, outcome(5, ANN, BOB), outcome(6, ANN, CAT), outcome(7, ANN, CAT))
    await rate(store)
    before = await store.state()
    await count(store, voided=(match_id(6), match_id(99)))
    after = await store.state()
    assert (after.rated, after.removals) == (5, before.removals + 1)
    assert await rate(store) == 1
    assert await steps(store, ANN) == [(2, 2), (1, 1)]
    assert await steps(store, CAT) == [(1, 1)]
    assert (await store.statistics(CAT))[0].figures.matches == 1


async def test_ratings_of_matches_that_were_taken_away_meanwhile_are_refused(
    store: TallyStore,
) -> None:
    await count(store, outcome(5, ANN, BOB), outcome(6, ANN, CAT))
    unrated = await store.unrated(10)
    assert unrated is not None
    await count(store, voided=(match_id(5),))
    assert not await store.rate(unrated, [Rated(match_id(6), 0, NEW, NEW)])
    assert await steps(store, ANN) == []


async def test_an_erased_person_has_no_results_and_counts_as_somebody_new(kept: Kept) -> None:
    store, registry = kept
    await count(store, outcome(4, BOB, CAT), outcome(5, ANN, BOB), outcome(6, ANN, BOB))
    await rate(store)
    await registry.erase_player(ANN)
    await store.forget(ANN)
    assert await store.statistics(ANN) == ()
    assert await store.ratings(ANN, None, None, 10) == ()
    assert (await store.state()).rated == 4
    unrated = await store.unrated(10)
    assert unrated is not None
    assert [one.players for one in unrated.outcomes] == [(None, BOB)] * 2
    await rate(store)
    assert await steps(store, BOB) == [(3, 3), (2, 2), (1, 1)]
