"""``talon demo --tournament``: its options, and what it prints."""

from __future__ import annotations

import argparse
import time
from random import Random
from typing import Final

from msgspec import Struct

from domain.audit.record import id_text
from domain.limits import ENTRANTS_MAX, ENTRANTS_MIN
from domain.tournaments.events import TableEnded
from service.cli.demo.cup import FIXED, FORMATS, Cup
from service.cli.demo.evidence import record_of
from service.cli.demo.numbers import between
from service.cli.demo.table import Progress
from service.cli.demo.verify import Report
from service.cli.demo.verify_cup import decode, verify_cup
from service.cli.failure import Failure

PEOPLE: Final = 2
"""How many entrants play over HTTP if nobody says otherwise."""
TARGET: Final = 50


class CupOutcome(Struct, frozen=True):
    """What ``--json`` prints. ``standings`` are by place: entrant, place, points."""

    tournament_id: str
    format: str
    entrants: int
    people: int
    rounds: int
    matches: int
    winners: tuple[int, ...]
    standings: tuple[tuple[int, int, int], ...]
    events: int
    commands: int
    seconds: float
    verified: bool

    def summary(self) -> str:
        """The outcome in words."""
        who = " and ".join(f"entrant {one}" for one in self.winners)
        verdict = "verified" if self.verified else "NOT VERIFIED"
        return (
            f"{who} won the {self.format} of {self.entrants} after {self.rounds} rounds and"
            f" {self.matches} matches in {self.seconds} s; histories {verdict}"
        )


def add_cup(parser: argparse.ArgumentParser) -> None:
    """The options of a tournament."""
    parser.add_argument(
        "--tournament", choices=tuple(FORMATS), help="hold a tournament of this format instead"
    )
    parser.add_argument(
        "--entrants",
        type=between(ENTRANTS_MIN, ENTRANTS_MAX),
        help="who takes part in a knockout or swiss (default 8)",
    )
    parser.add_argument(
        "--people",
        type=between(0, ENTRANTS_MAX),
        default=PEOPLE,
        help="entrants that play over HTTP; bots of the service play the others (default 2)",
    )


def require_a_cup(args: argparse.Namespace) -> None:
    """Settle how many take part; raises Failure where that cannot be."""
    fixed = FORMATS[args.tournament] if args.tournament in FIXED else None
    if args.entrants is None:
        args.entrants = FORMATS[args.tournament]
    if fixed not in (None, args.entrants):
        raise Failure(f"{args.tournament} is for {fixed} entrants")
    if args.people > args.entrants:
        raise Failure("--people is at most --entrants")


async def held_and_verified(
    url: str, args: argparse.Namespace, progress: Progress
) -> tuple[CupOutcome, Report]:
    """A whole tournament by HTTP, and the verification of all its histories."""
    cup = Cup(url, Random(args.seed), progress)
    started = time.perf_counter()
    try:
        await cup.set_up(args.tournament, args.entrants, args.people, args.target or TARGET)
        progress(f"tournament {cup.tournament_id}: {args.tournament} of {args.entrants}")
        schedule = await cup.play()
        seconds = time.perf_counter() - started
        standings = await cup.standings()
        record = record_of(cup.tournament_id, await cup.history())
        matches: dict[str, bytes] = {}
        for event in decode(record)[1]:
            if isinstance(event, TableEnded):
                matches[event.match] = await cup.record(id_text(bytes.fromhex(event.match)))
    finally:
        cup.close()
    report = verify_cup(record, matches, schedule, standings)
    lines = tuple((one.entrant.entrant, one.place, one.points) for one in standings.items)
    outcome = CupOutcome(
        tournament_id=cup.tournament_id,
        format=args.tournament,
        entrants=args.entrants,
        people=args.people,
        rounds=len(schedule.rounds),
        matches=len(matches),
        winners=tuple(entrant for entrant, place, _ in lines if place == 1),
        standings=lines,
        events=len(record.events),
        commands=cup.commands,
        seconds=round(seconds, 3),
        verified=report.agrees,
    )
    return outcome, report
