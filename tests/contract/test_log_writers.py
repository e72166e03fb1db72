"""Many writers at once, over two processes' logs: nothing lost, doubled or out of order."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.ports import DuplicateCommand, EventLog, Recorded, WrongVersion
from tests.contract.pen import NEW, STARTED, Pen, calls, fresh_id, head_after, proposal

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

Logs = tuple[EventLog, EventLog]


async def write_shared(log: EventLog, stream: bytes, command: bytes, seat: int) -> int:
    """Append one command where the stream stands, again and again until it is taken.

    Gives the number of conflicts on the way.
    """
    conflicts = 0
    while True:
        events = (await log.read(stream)).events
        head = head_after(events) if events else NEW
        count = 1 + seat % 3
        try:
            await log.append(proposal(stream, *calls(*[seat] * count), head=head, command=command))
        except WrongVersion:
            conflicts += 1
        else:
            return conflicts


async def tail(log: EventLog, last: int) -> list[Recorded]:
    """Follow the log from its start until a position, as a consumer does."""
    seen: list[Recorded] = []
    while len(seen) < last:
        seen += await log.follow(len(seen), 50)
        await asyncio.sleep(0)
    return seen


async def test_writers_over_shared_streams_lose_double_and_swap_nothing(logs: Logs) -> None:
    streams = [fresh_id() for _ in range(4)]
    commands = [(fresh_id(), random.choice(streams), seat) for seat in range(10) for _ in range(8)]
    conflicts = await asyncio.gather(
        *(
            write_shared(logs[number % 2], stream, command, seat)
            for number, (command, stream, seat) in enumerate(commands)
        )
    )
    log = logs[0]
    everything = await log.follow(0, 10_000)
    assert [each.position for each in everything] == list(range(1, len(everything) + 1))
    assert await log.position() == len(everything) == sum(1 + seat % 3 for _, _, seat in commands)
    for stream in streams:
        events = (await logs[1].read(stream)).events
        assert [each.version for each in events] == list(range(1, len(events) + 1))
        assert events == tuple(each for each in everything if each.stream == stream)
        took = [each.command_id for each in events if each.command_id is not None]
        assert sorted(took) == sorted(id for id, of, _ in commands if of == stream)
    if logs[0] is not logs[1]:
        assert sum(conflicts) > 0  # or the writers did not meet


async def test_a_reader_in_the_tail_misses_nothing_while_sixteen_write(logs: Logs) -> None:
    async def write(log: EventLog) -> list[Recorded]:
        pen = Pen(log)
        written = list(await pen.write(STARTED))
        for _ in range(25):
            written += await pen.write(*calls(0, 1))
            await asyncio.sleep(0)
        return written

    last = 16 * (1 + 25 * 2)
    reading = asyncio.create_task(tail(logs[0], last))
    written = await asyncio.gather(*(write(logs[number % 2]) for number in range(16)))
    seen = await reading
    assert len(seen) == last == await logs[1].position()
    assert {each.position: each for each in seen} == {
        each.position: each for pages in written for each in pages
    }


async def test_a_command_sent_by_many_at_once_is_taken_once(logs: Logs) -> None:
    stream, command = fresh_id(), fresh_id()
    outcomes = await asyncio.gather(
        *(
            logs[number % 2].append(proposal(stream, STARTED, *calls(0), command=command))
            for number in range(20)
        ),
        return_exceptions=True,
    )
    taken = [each for each in outcomes if isinstance(each, tuple)]
    assert len(taken) == 1
    assert {type(each) for each in outcomes} - {tuple} <= {DuplicateCommand, WrongVersion}
    assert (await logs[0].read(stream)).events == taken[0]


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5), st.booleans()), max_size=25))
async def test_however_often_commands_are_repeated_each_stands_at_most_once(
    logs: Logs, steps: list[tuple[int, int, bool]]
) -> None:
    """Steps are (stream, command, which process): repeated ids, right and stale heads, mixed."""
    streams = [fresh_id() for _ in range(3)]
    commands = [fresh_id() for _ in range(6)]
    known = dict.fromkeys(streams, NEW)
    taken: dict[bytes, list[bytes]] = {stream: [] for stream in streams}
    for which, number, second in steps:
        stream, command = streams[which], commands[number]
        ask = proposal(stream, *calls(number), head=known[stream], command=command)
        try:
            written = await logs[second].append(ask)
        except DuplicateCommand:
            assert command in taken[stream]
        else:
            assert command not in taken[stream]
            taken[stream].append(command)
            known[stream] = head_after(written)
    for stream in streams:
        events = (await logs[0].read(stream)).events
        assert [each.command_id for each in events] == taken[stream]
