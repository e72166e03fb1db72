"""Tell a record of a match in words, event by event, with every hand and draw recomputed.

FILE is a record (GET /v1/matches/{id}/record). The match is played again by the rules while it is
told; where it does not follow from them, that is said and the telling ends (exit code 1).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from domain.audit.commands import NoCommand
from domain.audit.record import Malformed, Record, read, split
from domain.audit.replay import Sealed, Wrong, decoded, replay
from domain.evolve import evolve
from domain.match import Match, at
from domain.moments import rfc3339
from service.cli.failure import Failure
from service.cli.replay.words import hands_of, words_of
from service.cli.shown import shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("file", metavar="FILE", help="a record; - for standard input")
    parser.add_argument("--hands", action="store_true", help="show all hands after every event")
    parser.add_argument("--from", dest="first", type=int, default=1, help="the first version told")
    parser.add_argument("--to", dest="last", type=int, default=None, help="the last version told")


def run(args: argparse.Namespace) -> int:
    """Print the match; 1 if it does not follow from the rules."""
    for content in split(_content(args.file)):
        try:
            record = read(content)
            print(f"match {record.opening.match}, {len(record.events)} events")
            _tell(record, args.first, args.last or len(record.events), show_hands=args.hands)
        except (Malformed, msgspec.DecodeError) as error:
            raise Failure(f"{args.file}: {error}") from error
        except Sealed as sealed:
            print(f"from version {sealed.version} on the deal is sealed until the match is over")
        except (NoCommand, Wrong) as wrong:
            sys.stdout.flush()
            where = f"version {wrong.version}: " if isinstance(wrong, Wrong) else ""
            raise Failure(f"here the rules lead elsewhere: {where}{wrong}") from wrong
    return 0


def _content(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise Failure(f"{name}: {error.strerror}") from error


def _tell(record: Record, first: int, last: int, *, show_hands: bool) -> None:
    """One line for each event from ``first`` to ``last``, and the hands under it."""
    for step in replay(record, tuple(map(decoded, record.events))):
        before = at(step.before, step.occurred_at)
        for event in step.events:
            after = evolve(before, event)
            if first <= after.version <= last:
                when = rfc3339(step.occurred_at)
                said = words_of(event, before, after)
                print(shown(f"{after.version:>5}  {when}  {step.actor!s:<8}  {said}"))
                if show_hands:
                    _show(after)
            before = after


def _show(match: Match) -> None:
    for line in hands_of(match):
        print(shown(f"{'':>7}{line}"))
