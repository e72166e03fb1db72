"""Processor time a command, with settings and without, in pairs of slices of one load in turns.

python -m tests.pairs                                   # limits off, and limits as they come
python -m tests.pairs --pairs 60 TALON_METRICS_PORT=0   # as it comes, and with these settings
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Final

from service.cli.bench import processes
from service.cli.bench.load_process import LoadProcess
from service.cli.bench.load_terms import Plan, Slice
from service.cli.bench.place import Place, place
from tests.pairs.interval import median_and_interval

MATCHES: Final = 32
SEATS: Final = 4
WARM_UP_SECONDS: Final = 2.0
OFF: Final = {
    "TALON_LIMIT_PLAYER": "0",
    "TALON_LIMIT_APP": "0",
    "TALON_LIMIT_ADDRESS": "0",
    "TALON_LIMIT_REGISTRATION": "0",
    "TALON_OPEN_MATCHES_MAX": "0",
    "TALON_STREAMS_MAX": "0",
}
"""The settings under which nothing is limited."""


class Side:
    """A service under its load."""

    def __init__(self, where: Place, load: LoadProcess) -> None:
        self._where = where
        self._load = load

    async def microseconds(self, seconds: float) -> float:
        """Processor time of the service by command, in one slice."""
        before = processes.seconds_of(self._where.service, servers=False)
        played = await self._load.run(Slice(seconds))
        spent = processes.seconds_of(self._where.service, servers=False) - before
        return spent * 1e6 / played.commands


async def opened(stack: AsyncExitStack, settings: Mapping[str, str]) -> Side:
    """A service with these settings besides, warm."""
    where = await stack.enter_async_context(place(None, None, 1, settings))
    load = await LoadProcess.started(Plan(where.url, MATCHES, SEATS))
    stack.push_async_callback(load.stop)
    await load.run(Slice(WARM_UP_SECONDS))
    return Side(where, load)


async def compare(
    without: Mapping[str, str], with_: Mapping[str, str], pairs: int, seconds: float
) -> None:
    """Play the pairs, and print the ratio with / without."""
    async with AsyncExitStack() as stack:
        sides = [await opened(stack, without), await opened(stack, with_)]
        ratios, costs = [], []
        for number in range(pairs):
            turn = (0, 1) if number % 2 else (1, 0)
            cost = [0.0, 0.0]
            for side in turn:
                cost[side] = await sides[side].microseconds(seconds)
            costs.append(cost)
            ratios.append(cost[1] / cost[0])
            print(f"{number + 1}/{pairs}: {cost[0]:.0f} and {cost[1]:.0f} µs", file=sys.stderr)
    median, low, high = median_and_interval(ratios)
    before, after = (median_and_interval([cost[side] for cost in costs])[0] for side in (0, 1))
    print(f"{before:.0f} µs a command without, {after:.0f} µs with (medians of {pairs} pairs)")
    print(f"ratio with / without: {median:.3f} (95 % interval {low:.3f} to {high:.3f})")


def main(words: Sequence[str]) -> None:
    """Read the command line, and compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.pairs", description=__doc__)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=1.5, help="of a slice")
    parser.add_argument("settings", nargs="*", metavar="NAME=VALUE")
    args = parser.parse_args(words)
    given = dict(each.split("=", 1) for each in args.settings)
    without, with_ = ({}, given) if given else (OFF, {})
    asyncio.run(compare(without, with_, args.pairs, args.seconds))


if __name__ == "__main__":
    main(sys.argv[1:])
