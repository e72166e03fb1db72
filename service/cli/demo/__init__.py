"""Play a whole match over HTTP, or a tournament, then verify the history from the stored bytes."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from domain.limits import SEATS_MAX, SEATS_MIN, TARGET_MAX, TARGET_MIN
from service.cli.demo.client import Client
from service.cli.demo.cup_command import add_cup, held_and_verified, require_a_cup
from service.cli.demo.evidence import record_of
from service.cli.demo.numbers import between
from service.cli.demo.own_service import own_service
from service.cli.demo.table import Progress, Table
from service.cli.demo.verify import Report, verify

TARGET: Final = 500
NO_SETTINGS: Final[Mapping[str, str]] = {}


class Outcome(Struct, frozen=True):
    """What ``--json`` prints. ``winner`` is a seat, None if several share the first place."""

    match_id: str
    rounds: int
    winner: int | None
    scores: tuple[int, ...]
    events: int
    commands: int
    seconds: float
    verified: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--seats",
        type=between(SEATS_MIN, SEATS_MAX),
        default=4,
        help="players, 2 to 10 (default 4)",
    )
    parser.add_argument(
        "--target",
        type=between(TARGET_MIN, TARGET_MAX),
        help="points to win (default 500; at the tables of a tournament 50)",
    )
    add_cup(parser)
    parser.add_argument("--url", help="play on this service instead of starting one")
    parser.add_argument("--seed", type=int, help="repeat the players' choices (never the deal)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")


def run(args: argparse.Namespace) -> int:
    """Play and verify; 0 only if everything agrees. Raises Failure if it comes to no end."""
    if args.tournament is not None:
        require_a_cup(args)
        return 0 if asyncio.run(_hold(args)) else 1
    return 0 if asyncio.run(_demonstrate(args)) else 1


async def _demonstrate(args: argparse.Namespace) -> bool:
    """Play, verify and print; whether everything agrees."""
    dice = Random(args.seed)
    async with _service(args.url) as url:
        client = Client(url)
        try:
            outcome, report = await play_and_verify(
                client, args.seats, args.target or TARGET, dice, _say
            )
        finally:
            client.close()
        _say(report.text())
        line = msgspec.json.encode(outcome).decode() if args.json else _summary(outcome)
        print(line, flush=True)
    return outcome.verified


async def _hold(args: argparse.Namespace) -> bool:
    """Hold a tournament, verify and print; whether everything agrees."""
    async with _service(args.url, {"TALON_BOT_MOVE_MS": "0", "TALON_BOT_CATCH_MS": "0"}) as url:
        outcome, report = await held_and_verified(url, args, _say)
    _say(report.text())
    line = msgspec.json.encode(outcome).decode() if args.json else outcome.summary()
    print(line, flush=True)
    return outcome.verified


@asynccontextmanager
async def _service(
    url: str | None, settings: Mapping[str, str] = NO_SETTINGS
) -> AsyncIterator[str]:
    """The service named, or one started for the occasion with these settings."""
    if url is not None:
        yield url
        return
    _say("starting a service of its own")
    async with own_service(settings) as own:
        yield own.url


async def play_and_verify(
    client: Client, seats: int, target: int, dice: Random, progress: Progress
) -> tuple[Outcome, Report]:
    """A whole match by HTTP and the verification of its history."""
    table = Table(client, dice, progress)
    started = time.perf_counter()
    await table.sit_down(seats, target)
    progress(f"match {table.match_id}: {seats} seats, to {target} points")
    view = await table.play()
    seconds = time.perf_counter() - started
    commands, resent = len(table.testimony.sent), table.testimony.resent
    progress(f"{commands} commands, {resent} of them sent twice")
    items = await table.history()
    report = verify(record_of(table.match_id, items), table.testimony)
    winners = view.result.winners if view.result else ()
    outcome = Outcome(
        match_id=table.match_id,
        rounds=table.rounds,
        winner=winners[0] if len(winners) == 1 else None,
        scores=view.scores,
        events=len(items),
        commands=commands,
        seconds=round(seconds, 3),
        verified=report.agrees,
    )
    return outcome, report


def _summary(outcome: Outcome) -> str:
    """The outcome in words."""
    who = "several seats share" if outcome.winner is None else f"seat {outcome.winner} wins"
    verdict = "verified" if outcome.verified else "NOT VERIFIED"
    return (
        f"{who} after {outcome.rounds} rounds, scores {list(outcome.scores)}; {outcome.commands}"
        f" commands and {outcome.events} events in {outcome.seconds} s; history {verdict}"
    )


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
