"""What any event log must do, in memory and on Postgres alike."""

from __future__ import annotations

import asyncio

import pytest

from domain.chain import event_hash, genesis
from domain.codec import decode
from domain.events import MatchEnded, UnoCalled
from domain.ports import (
    DuplicateCommand,
    EventLog,
    Head,
    Stream,
    WrongVersion,
)
from infra.clock import now_us
from tests.contract.pen import ANN, NEW, STARTED, Pen, calls, fresh_id, head_after, proposal

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

HOUR = 3_600_000_000


async def test_a_stream_that_nobody_wrote_to_is_empty(log: EventLog) -> None:
    assert await log.read(fresh_id()) == Stream((), {})
    assert await log.heads([fresh_id()]) == {}
    assert await log.position() == 0
    assert await log.follow(0, 10) == ()


async def test_what_is_appended_is_read_as_it_was_returned(log: EventLog) -> None:
    stream = fresh_id()
    written = await log.append(
        proposal(stream, STARTED, *calls(0, 1), actor=ANN, fingerprint=b"print", at=5)
    )
    assert (await log.read(stream)).events == written
    assert [each.event for each in written] == [STARTED, *calls(0, 1)]
    assert {each.occurred_at for each in written} == {5}
    assert {each.actor for each in written} == {"seat:0"}


async def test_a_command_has_its_id_on_its_first_event_only(log: EventLog) -> None:
    command = fresh_id()
    written = await log.append(
        proposal(fresh_id(), *calls(0, 1), command=command, fingerprint=b"print")
    )
    assert [(each.command_id, each.fingerprint) for each in written] == [
        (command, b"print"),
        (None, None),
    ]


async def test_versions_continue_where_the_stream_stands(log: EventLog) -> None:
    pen = Pen(log)
    await pen.write(STARTED)
    await pen.write(*calls(0, 1))
    written = await pen.write(*calls(2))
    assert [each.version for each in written] == [4]
    assert await log.heads([pen.stream, fresh_id()]) == {pen.stream: 4}


async def test_reading_after_a_version_gives_the_rest(log: EventLog) -> None:
    pen = Pen(log)
    first = await pen.write(STARTED, *calls(0))
    last = await pen.write(*calls(1))
    assert (await log.read(pen.stream, after=1)).events == first[1:] + last
    assert (await log.read(pen.stream, after=3)).events == ()


async def test_a_stale_version_appends_nothing(log: EventLog) -> None:
    pen = Pen(log)
    await pen.write(STARTED)
    stale = pen.head
    written = await pen.write(*calls(0))
    with pytest.raises(WrongVersion):
        await pen.write(*calls(1), head=stale)
    assert (await log.read(pen.stream)).events[1:] == written
    assert await log.position() == 2


async def test_a_version_beyond_the_head_appends_nothing(log: EventLog) -> None:
    pen = Pen(log)
    await pen.write(STARTED)
    with pytest.raises(WrongVersion):
        await pen.write(*calls(0), head=Head(2, pen.head.hash))
    with pytest.raises(WrongVersion):
        await log.append(proposal(fresh_id(), STARTED, head=Head(1, bytes(32))))
    assert await log.position() == 1


async def test_another_hash_at_the_right_version_appends_nothing(log: EventLog) -> None:
    pen = Pen(log)
    await pen.write(STARTED)
    with pytest.raises(WrongVersion):
        await pen.write(*calls(0), head=Head(1, bytes(32)))
    assert await log.position() == 1


async def test_a_stream_is_created_once(log: EventLog) -> None:
    pen = Pen(log)
    await pen.write(STARTED)
    with pytest.raises(WrongVersion):
        await pen.write(STARTED, head=NEW)
    assert await log.heads([pen.stream]) == {pen.stream: 1}


async def test_a_command_id_is_taken_once_in_a_stream(log: EventLog) -> None:
    pen, command = Pen(log), fresh_id()
    await pen.write(STARTED, command=command)
    with pytest.raises(DuplicateCommand):
        await pen.write(*calls(0), command=command)
    with pytest.raises(DuplicateCommand):
        await pen.write(STARTED, command=command, head=NEW)
    assert await log.position() == 1


async def test_the_same_command_id_may_stand_in_two_streams(log: EventLog) -> None:
    command = fresh_id()
    await Pen(log).write(STARTED, command=command)
    written = await Pen(log).write(STARTED, command=command)
    assert written[0].position == 2


async def test_an_append_of_nothing_is_refused(log: EventLog) -> None:
    with pytest.raises(ValueError, match="at least one event"):
        await Pen(log).write()


async def test_positions_are_dense_over_all_streams_in_order_of_commit(log: EventLog) -> None:
    ann, bob = Pen(log), Pen(log)
    written = [
        *await ann.write(STARTED, *calls(0)),
        *await bob.write(STARTED),
        *await ann.write(*calls(1, 2)),
    ]
    assert [each.position for each in written] == [1, 2, 3, 4, 5]
    assert await log.position() == 5
    assert await log.follow(0, 100) == tuple(written)
    assert await log.follow(1, 2) == tuple(written[1:3])
    assert await log.follow(5, 100) == ()


async def test_a_sealed_seed_is_read_together_with_the_events(log: EventLog) -> None:
    pen = Pen(log)
    await pen.write(STARTED, secrets={1: b"one" * 10, 2: b"two" * 10})
    written = await pen.write(*calls(0), secrets={3: b"three"})
    stream = await log.read(pen.stream, after=1)
    assert stream.events == written
    assert stream.secrets == {1: b"one" * 10, 2: b"two" * 10, 3: b"three"}


async def test_a_revealed_seed_is_sealed_no_more(log: EventLog) -> None:
    pen, other = Pen(log), Pen(log)
    await pen.write(STARTED, secrets={1: b"one", 2: b"two", 3: b"three"})
    await other.write(STARTED, secrets={1: b"another"})
    await pen.write(*calls(0), secrets={4: b"four"}, revealed=(1, 3))
    assert (await log.read(pen.stream)).secrets == {2: b"two", 4: b"four"}
    assert (await log.read(other.stream)).secrets == {1: b"another"}


async def test_a_seed_that_is_revealed_at_once_is_never_kept(log: EventLog) -> None:
    pen = Pen(log)
    await pen.write(STARTED, secrets={1: b"one"}, revealed=(1,))
    assert (await log.read(pen.stream)).secrets == {}


async def test_a_refused_append_keeps_and_reveals_no_seed(log: EventLog) -> None:
    pen = Pen(log)
    await pen.write(STARTED, secrets={1: b"one"})
    with pytest.raises(WrongVersion):
        await pen.write(*calls(0), head=NEW, secrets={2: b"two"}, revealed=(1,))
    assert (await log.read(pen.stream)).secrets == {1: b"one"}


async def test_open_streams_are_due_from_their_time_the_longest_waiting_first(
    log: EventLog,
) -> None:
    late, early, waiting, over = Pen(log), Pen(log), Pen(log), Pen(log)
    await late.write(STARTED, due_at=300)
    await early.write(STARTED, due_at=100)
    await waiting.write(STARTED)
    await over.write(STARTED, due_at=100)
    await over.write(*calls(0), due_at=100, is_open=False)
    assert await log.due(99, 10) == ()
    assert await log.due(299, 10) == (early.stream,)
    assert await log.due(300, 10) == (early.stream, late.stream)
    assert await log.due(300, 1) == (early.stream,)


async def test_each_append_says_anew_when_a_stream_is_due(log: EventLog) -> None:
    pen = Pen(log)
    await pen.write(STARTED, due_at=100)
    await pen.write(*calls(0), due_at=200)
    assert await log.due(150, 10) == ()
    await pen.write(*calls(0))
    assert await log.due(10**15, 10) == ()


async def test_open_streams_without_a_recent_event_are_idle(log: EventLog) -> None:
    pen, over = Pen(log), Pen(log)
    await pen.write(STARTED, at=1)
    await over.write(STARTED, at=1, is_open=False)
    assert await log.idle(now_us() - HOUR, 10) == ()  # what counts is when it was recorded
    assert await log.idle(now_us() + HOUR, 10) == (pen.stream,)
    assert await log.idle(now_us() + HOUR, 0) == ()


async def test_the_chain_verifies_from_the_stored_bytes(log: EventLog) -> None:
    pen = Pen(log)
    await pen.write(STARTED, *calls(0, 1), actor=ANN)
    await pen.write(*calls(2), at=2)
    previous = genesis(pen.stream)
    for each in (await log.read(pen.stream)).events:
        previous = event_hash(
            stream_id=pen.stream,
            version=each.version,
            type=each.type,
            schema=each.schema,
            occurred_at=each.occurred_at,
            actor=each.actor,
            command_id=each.command_id,
            previous=previous,
            data=each.data,
        )
        assert each.hash == previous
        assert decode(each.type, each.schema, each.data) == each.event
    assert previous == pen.head.hash


async def test_the_largest_event_and_the_earliest_time_are_kept_whole(log: EventLog) -> None:
    pen = Pen(log)
    scores = tuple(range(10**6, 10**6 + 2_000))
    ended = MatchEnded(reason="target", winners=(), scores=scores, places=())  # type: ignore[arg-type]
    written = await pen.write(ended, at=0)
    (read,) = (await log.read(pen.stream)).events
    assert read == written[0]
    assert len(read.data) > 16_000


async def test_many_appends_at_once_are_all_there(log: EventLog) -> None:
    pens = [Pen(log) for _ in range(300)]
    await asyncio.gather(*(pen.write(STARTED, *calls(0)) for pen in pens))
    assert await log.position() == 600
    assert await log.heads([pen.stream for pen in pens]) == {pen.stream: 2 for pen in pens}


async def test_of_two_appends_at_one_head_one_is_taken(log: EventLog) -> None:
    stream = fresh_id()
    first = head_after(await log.append(proposal(stream, STARTED)))
    outcomes = await asyncio.gather(
        *(log.append(proposal(stream, UnoCalled(seat), head=first)) for seat in range(8)),  # type: ignore[arg-type]
        return_exceptions=True,
    )
    refused = [each for each in outcomes if isinstance(each, WrongVersion)]
    assert len(refused) == 7
    assert await log.heads([stream]) == {stream: 2}
