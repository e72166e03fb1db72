"""What is counted in plain numbers, brought to the metrics once a second.

So what is hot adds one to a number and knows no metric; a process that is killed takes along what
it counted within the last second.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final

from prometheus_client import Counter, Gauge, Histogram

from domain.ports import Unavailable

SAMPLE_SECONDS: Final = 1.0
"""Far below what scrapes are apart."""
Words = tuple[str, ...]
"""The values of a counter's labels."""
ASK_EVERY: Final = 10
"""What a server is asked for is asked once in so many samples."""


class Sampler:
    """The samples of one process."""

    def __init__(self, lag: Histogram | None = None) -> None:
        self._lag = lag
        self._reads: list[Callable[[], None]] = []
        self._asks: list[tuple[Gauge, Callable[[], Awaitable[float]]]] = []

    def each(self, read: Callable[[], None]) -> None:
        """Have something done with every sample."""
        self._reads.append(read)

    def gauge(self, gauge: Gauge, read: Callable[[], float]) -> None:
        """Show a number that goes up and down."""
        self._reads.append(lambda: gauge.set(read()))

    def asked(self, gauge: Gauge, ask: Callable[[], Awaitable[float]]) -> None:
        """Show a number that a server knows; it stays as it was while that is away."""
        self._asks.append((gauge, ask))

    def total(self, counter: Counter, read: Callable[[], float]) -> None:
        """Show a number that only grows."""
        shown = 0.0

        def add() -> None:
            nonlocal shown
            now = read()
            counter.inc(now - shown)
            shown = now

        self._reads.append(add)

    def totals(self, counter: Counter, read: Callable[[], Mapping[Words, int]]) -> None:
        """Show numbers that only grow, each under its words; new ones may come."""
        shown: dict[Words, int] = {}

        def add() -> None:
            for words, now in read().items():
                if more := now - shown.get(words, 0):
                    counter.labels(*words).inc(more)
                    shown[words] = now

        self._reads.append(add)

    def sample(self) -> None:
        """Bring everything that is read here up to date."""
        for read in self._reads:
            read()

    async def run(self, stopping: asyncio.Event) -> None:
        """Sample until ``stopping`` is set, and once more."""
        count = 0
        while not stopping.is_set():
            if count % ASK_EVERY == 0:
                await self._ask()
            count += 1
            self.sample()
            due = time.perf_counter() + SAMPLE_SECONDS
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), SAMPLE_SECONDS)
            if self._lag is not None and not stopping.is_set():
                self._lag.observe(max(0.0, time.perf_counter() - due))
        self.sample()

    async def _ask(self) -> None:
        for gauge, ask in self._asks:
            with suppress(Unavailable):
                gauge.set(await ask())
