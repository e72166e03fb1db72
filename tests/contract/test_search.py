"""The log as auditors search it, in memory and on Postgres alike."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from domain.audit.record import event_line, id_text
from domain.codec import encode
from domain.events import (
    AbandonReason,
    ClockRanOut,
    EndReason,
    Event,
    MatchAbandoned,
    MatchEnded,
    MatchVoided,
    Pending,
    PlayerLeft,
    Seat,
    VoidReason,
)
from domain.ports import EventLog
from domain.search import Anomaly, LogSearch
from infra.memory import MemoryLog
from infra.memory_search import MemorySearch
from infra.postgres.log import PostgresLog
from infra.postgres.search import PostgresSearch
from tests.contract.conftest import SEALER
from tests.contract.pen import STARTED, Pen, calls

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

GOT_UP = PlayerLeft(Seat(0))
LEFT = PlayerLeft(Seat(0), turn=Seat(1), pending=Pending.TURN)
WON = MatchEnded(EndReason.TARGET, (Seat(0),), (500, 0), (1, 2))
FORFEITED = MatchEnded(EndReason.FORFEIT, (Seat(1),), (0, 0), (2, 1))


@pytest.fixture
async def both(database_or_none: str | None) -> AsyncIterator[tuple[EventLog, LogSearch]]:
    """A log, and the search over it."""
    if database_or_none is None:
        log = MemoryLog()
        yield log, MemorySearch(log)
        return
    stored = await PostgresLog.open(database_or_none, SEALER, pool_size=3)
    yield stored, PostgresSearch(stored.pool)
    await stored.close()


def stream(number: int) -> bytes:
    return number.to_bytes(16, "big")


async def test_streams_are_listed_from_the_last_id_on(both: tuple[EventLog, LogSearch]) -> None:
    log, search = both
    for number in (2, 1, 3):
        await Pen(log, stream(number)).write(STARTED)

    assert await search.matches(None, 2) == (stream(3), stream(2))
    assert await search.matches(stream(2), 2) == (stream(1),)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ((STARTED, WON), None),
        ((GOT_UP, STARTED, WON), None),
        ((STARTED, ClockRanOut(Seat(0), 1), ClockRanOut(Seat(0), 2)), {Anomaly.MISSED_CLOCK}),
        ((STARTED, LEFT, FORFEITED), {Anomaly.LEFT, Anomaly.FORFEIT}),
        ((STARTED, MatchAbandoned(AbandonReason.IDLE)), {Anomaly.ABANDONED}),
        ((STARTED, WON, MatchVoided(VoidReason.CHEATING)), {Anomaly.VOIDED}),
    ],
)
async def test_what_went_amiss_is_read_off_the_events(
    both: tuple[EventLog, LogSearch], events: tuple[Event, ...], expected: set[Anomaly] | None
) -> None:
    log, search = both
    await Pen(log, stream(1)).write(*events)
    await Pen(log, stream(2)).write(STARTED, WON)

    found = await search.anomalies([stream(1), stream(2)])

    assert found == ({} if expected is None else {stream(1): expected})
    for anomaly in expected or ():
        assert await search.matches(None, 5, anomaly) == (stream(1),)


async def test_events_leave_as_they_are_stored(both: tuple[EventLog, LogSearch]) -> None:
    log, search = both
    first = await Pen(log, stream(1)).write(STARTED, *calls(0, 1))
    second = await Pen(log, stream(2)).write(STARTED)

    lines = await search.stored(0, 10)

    assert [one.position for one in lines] == [1, 2, 3, 4]
    for line, event in zip(lines, (*first, *second), strict=True):
        assert line.stream == id_text(event.stream)
        expected = event_line(event)
        for name in expected.__struct_fields__:
            assert getattr(line, name) == getattr(expected, name)
    assert lines[0].data == encode(STARTED).decode()
    assert await search.stored(2, 1) == lines[2:3]
    assert await search.stored(4, 10) == ()
