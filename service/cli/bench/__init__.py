"""Measure what the service does a second, beside what its parts and plain stores do."""

from __future__ import annotations

import argparse
import asyncio
import sys

import msgspec
import uvloop

from service.cli.bench.boards import BoardResults, board_table, measure_boards
from service.cli.bench.measure import measure
from service.cli.bench.place import place
from service.cli.bench.results import Results, table
from service.cli.bench.streams import (
    StreamResults,
    allow_files,
    measure_streams,
    stream_table,
)
from service.cli.demo.numbers import between


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--seconds",
        type=between(0.4, 600.0),
        default=10.0,
        help="for each part, in slices (default 10)",
    )
    parser.add_argument(
        "--workers", type=between(1, 64), default=1, help="processes of the service"
    )
    parser.add_argument("--database-url", help="a Postgres to make databases on, for the run only")
    parser.add_argument("--redis-url", help="a Redis or Valkey to use instead of the embedded one")
    parser.add_argument(
        "--streams",
        type=between(1, 20_000),
        help="measure so many live streams instead, on 64 matches in play",
    )
    parser.add_argument(
        "--boards",
        type=between(1, 10_000_000),
        help="measure a leaderboard of so many players instead",
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON")


def run(args: argparse.Namespace) -> int:
    """Measure and print; raises Failure if a part cannot be measured."""
    if args.streams is not None:
        allow_files(args.streams)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        results = runner.run(_measure(args))
    print(msgspec.json.encode(results).decode() if args.json else _table(results))
    return 0


def _table(results: Results | StreamResults | BoardResults) -> str:
    if isinstance(results, BoardResults):
        return board_table(results)
    return stream_table(results) if isinstance(results, StreamResults) else table(results)


async def _measure(args: argparse.Namespace) -> Results | StreamResults | BoardResults:
    _say("starting the service")
    async with place(args.database_url, args.redis_url, args.workers) as found:
        if args.boards is not None:
            return await measure_boards(found, args.boards, _say)
        if args.streams is not None:
            return await measure_streams(found, args.streams, args.seconds, _say)
        return await measure(found, args.seconds, args.workers, _say)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
