"""Plain numbers, brought to metrics: what grows is added once, what is away stays as it was."""

from __future__ import annotations

import asyncio
from collections import Counter as Counted

import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from domain.ports import Unavailable
from service.metrics.sampling import Sampler

pytestmark = pytest.mark.anyio


async def test_what_only_grows_is_added_once() -> None:
    registry = CollectorRegistry()
    counter, sampler = Counter("calls", "Calls", registry=registry), Sampler()
    numbers = iter((2, 2, 5))
    sampler.total(counter, lambda: next(numbers))
    for expected in (2, 2, 5):
        sampler.sample()
        assert registry.get_sample_value("calls_total") == expected


async def test_each_word_has_a_number_of_its_own_and_new_ones_may_come() -> None:
    registry = CollectorRegistry()
    counter, sampler = Counter("calls", "Calls", ("by",), registry=registry), Sampler()
    counted: Counted[tuple[str, ...]] = Counted({("ann",): 1})
    sampler.totals(counter, lambda: counted)
    sampler.sample()
    counted["ann",] += 2
    counted["bob",] += 1
    sampler.sample()
    sampler.sample()
    assert registry.get_sample_value("calls_total", {"by": "ann"}) == 3
    assert registry.get_sample_value("calls_total", {"by": "bob"}) == 1


async def test_what_a_server_knows_stays_as_it_was_while_that_is_away() -> None:
    registry = CollectorRegistry()
    gauge, sampler = Gauge("waiting", "Waiting", registry=registry), Sampler()
    gauge.set(7)

    async def ask() -> float:
        raise Unavailable

    sampler.asked(gauge, ask)
    stopping = asyncio.Event()
    stopping.set()
    await sampler.run(stopping)
    assert registry.get_sample_value("waiting") == 7


async def test_the_last_numbers_are_shown_as_a_process_ends() -> None:
    registry = CollectorRegistry()
    counter = Counter("calls", "Calls", registry=registry)
    sampler = Sampler(Histogram("lag_seconds", "Lag", registry=registry))
    calls, stopping = 0, asyncio.Event()
    sampler.total(counter, lambda: calls)
    running = asyncio.create_task(sampler.run(stopping))
    await asyncio.sleep(0)
    calls = 3
    stopping.set()
    await running
    assert registry.get_sample_value("calls_total") == 3
