"""What the service counts and rates is what follows from exported records, by other code."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from typing import NamedTuple

import pytest

from domain.events import EndReason, MatchEnded, MatchVoided, VoidReason
from domain.options import Form
from domain.ports import MatchFacts, Player, Recorded, Registry, SeatHolder
from domain.rankings import Board, Scope
from domain.results import Figures
from domain.tallies import TallyStore
from infra.memory import MemoryLog, MemoryRegistry
from infra.memory_rankings import MemoryRankings
from infra.memory_tallies import MemoryTallies
from infra.postgres.log import PostgresLog
from infra.postgres.rankings import PostgresRankings
from infra.postgres.registry import PostgresRegistry
from infra.postgres.tallies import PostgresTallies
from infra.projections.scan import FollowScan
from infra.projections.tally_consumer import TallyConsumer
from service.ids import text_of
from tests.audit.records import person_of, written
from tests.contract.conftest import SEALER
from tests.contract.pen import Pen, head_after, proposal
from tests.infra.club import CHATTER, record
from tests.laws.anything import whole
from tests.laws.table import Table
from tests.standings.reckoned import FIRST, Reckoned, plackett_luce

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

MATCHES = 48
APPS = (None, b"one app, 16 byte", b"another app, 16b")


class Hall(NamedTuple):
    """A log in which matches are played, who plays them, and what is kept of them."""

    log: MemoryLog
    registry: Registry
    store: TallyStore
    played: list[Table]

    async def play(self, numbers: Iterable[int]) -> None:
        """Whole matches of all kinds; the same persons come again and again."""
        for number in numbers:
            table = whole(number)
            match = await record(self.log, table)
            self.played.append(table)
            await self.registry.add_match(MatchFacts(match, None, APPS[number % 3], None, ()))
            for digest in _persons(table):
                person, salt = person_of(digest)
                await self.registry.add_player(Player(person, "somebody", None, 0), None)
                await self.registry.hold_seat(SeatHolder(match, person, salt, digest))

    async def void(self, match: bytes) -> None:
        """An operator voids a match that is over."""
        events = (await self.log.read(match)).events
        await self.log.append(
            proposal(match, MatchVoided(VoidReason.OPERATOR), head=head_after(events))
        )

    async def catch_up(self, store: TallyStore | None = None) -> None:
        """Bring the tallies up to the log."""
        kept = store or self.store
        consumer = TallyConsumer(self.log, FollowScan(self.log), self.registry, kept, strict=True)
        while await consumer.step(1):
            pass

    async def reckoned(self, gone: frozenset[bytes] = frozenset()) -> Reckoned:
        """The same from records, in which erased persons are not named."""
        records, apps = [], {}
        for table in self.played:
            match = table.match.id
            events: tuple[Recorded, ...] = (await self.log.read(match)).events
            seats = {
                seat: person_of(occupant.player)
                for seat, occupant in enumerate(table.match.seats)
                if occupant.player is not None and person_of(occupant.player)[0] not in gone
            }
            records.append(written(match, events, seats))
            facts = await self.registry.match_facts(match)
            if facts is not None and facts.app is not None:
                apps[text_of(match)] = facts.app.hex()
        return Reckoned(records, apps)


def _persons(table: Table) -> set[str]:
    return {seat.player for seat in table.match.seats if seat.player is not None}


@pytest.fixture(params=["memory", "postgres"])
def database_or_none(request: pytest.FixtureRequest) -> str | None:
    """The URL of a fresh database, or None for a store in memory."""
    return None if request.param == "memory" else request.getfixturevalue("database")


@pytest.fixture
async def hall(database_or_none: str | None) -> AsyncIterator[Hall]:
    if database_or_none is None:
        yield Hall(MemoryLog(), MemoryRegistry(), MemoryTallies(), [])
        return
    log = await PostgresLog.open(database_or_none, SEALER)
    yield Hall(MemoryLog(), PostgresRegistry(log.pool, SEALER), PostgresTallies(log.pool), [])
    await log.close()


async def told(store: TallyStore, persons: Iterable[bytes]) -> tuple[Mapping[str, object], ...]:
    """What a store says of persons, as ``Reckoned`` has it."""
    statistics, ratings = {}, {}
    for person in persons:
        totals = await store.statistics(person)
        if totals:
            statistics[text_of(person)] = {
                (str(one.form), one.with_bots): {
                    name: getattr(one.figures, name) for name in Figures.__struct_fields__
                }
                for one in totals
            }
        history = [
            (
                text_of(one.match),
                (one.overall.mu, one.overall.sigma),
                (one.in_form.mu, one.in_form.sigma),
            )
            for one in await store.ratings(person, None, None, 1_000)
        ]
        if history:
            ratings[text_of(person)] = history[::-1]
    return statistics, ratings


async def test_over_matches_of_all_forms_both_come_to_the_same(hall: Hall) -> None:
    await hall.play(range(MATCHES))
    await hall.catch_up()
    reckoned = await hall.reckoned()
    persons = {person_of(digest)[0] for table in hall.played for digest in _persons(table)}

    assert await told(hall.store, persons) == (reckoned.statistics, reckoned.ratings)
    forms = {form for kinds in reckoned.statistics.values() for form, bots in kinds if not bots}
    assert forms == set(map(str, Form))
    assert max(map(len, reckoned.ratings.values())) > 5


async def test_every_board_in_every_scope_is_what_follows_from_the_records(hall: Hall) -> None:
    await hall.play(range(MATCHES))
    await hall.catch_up()
    reckoned = await hall.reckoned()
    rankings = (
        MemoryRankings(hall.store)
        if isinstance(hall.store, MemoryTallies)
        else PostgresRankings(hall.store._pool)  # type: ignore[attr-defined]
    )

    for (board, season, form, app), wanted in reckoned.boards.items():
        scope = Scope(
            season,
            None if form is None else Form(form),
            None if app is None else bytes.fromhex(app),
        )
        lines = await rankings.standings(Board(board), scope, 1_000)
        assert {text_of(line.player): line.points for line in lines} == wanted
        ordered = sorted(wanted.values(), reverse=True)
        for line in lines:
            assert line.rank == ordered.index(line.points) + 1
            assert line.is_tied == (ordered.count(line.points) > 1)
    assert len(reckoned.boards) > 50


async def test_after_a_void_and_an_erasure_it_is_as_if_they_had_never_been(hall: Hall) -> None:
    await hall.play(range(MATCHES))
    await hall.catch_up()
    rated = sorted(
        (len(history), person) for person, history in (await hall.reckoned()).ratings.items()
    )
    busiest = rated[-1][1]
    gone = frozenset({bytes.fromhex(rated[-2][1].replace("-", ""))})
    first = (await hall.reckoned()).ratings[busiest][0][0]
    await hall.void(bytes.fromhex(first.replace("-", "")))
    for person in gone:
        await hall.registry.erase_player(person)
        await hall.store.forget(person)
    await hall.catch_up()
    reckoned = await hall.reckoned(gone)
    persons = {person_of(digest)[0] for table in hall.played for digest in _persons(table)}

    assert await told(hall.store, persons) == (reckoned.statistics, reckoned.ratings)
    assert first not in [match for match, *_ in reckoned.ratings[busiest]]
    anew = MemoryTallies()
    await hall.catch_up(anew)
    assert await told(anew, persons) == await told(hall.store, persons)


def test_the_first_of_two_newcomers_gains_what_the_other_loses() -> None:
    (winner,), (loser,) = plackett_luce([(1, [FIRST]), (2, [FIRST])])
    assert winner[0] - FIRST[0] == FIRST[0] - loser[0] > 2_000_000
    assert winner[1] == loser[1] < FIRST[1]


async def test_a_match_that_cannot_be_read_is_left_out_and_the_others_count(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Pen(hall.log)
    await broken.write(CHATTER, MatchEnded(EndReason.TARGET, (), (), ()))
    await hall.play([0])
    consumer = TallyConsumer(hall.log, FollowScan(hall.log), hall.registry, hall.store)
    while await consumer.step(1):
        pass
    (person,) = {person_of(digest)[0] for digest in list(_persons(hall.played[0]))[:1]}
    assert (await hall.store.statistics(person))[0].figures.matches == 1
    assert broken.stream.hex() in caplog.text
