"""Check records of matches and tournaments offline: all that docs/record-format.md says.

FILE is a record (GET /v1/matches/{id}/record, or of a tournament, whose tables are held against
the records of their matches where those are given too), a file of several, a folder of such files
(*.ndjson), or - for standard input. The exit code is 0 if every record holds, 1 if one does not
or nothing that was told, or proved, is about one of them, 2 if a file could not be read or a key
is none.
"""

from __future__ import annotations

import argparse
import os
import sys

from service.cli.failure import Failure
from service.cli.verify.files import Unreadable, files_in, records_in
from service.cli.verify.keys import keys_in
from service.cli.verify.proofs import proofs_in
from service.cli.verify.receipts import told_in
from service.cli.verify.report import Lines, Reporter, Words
from service.cli.verify.work import Kept, verified


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a record, or several")
    parser.add_argument(
        "--key",
        metavar="KEY",
        action="append",
        help="a public key to trust: 64 hex digits, or a file with one, or with what"
        " GET /v1/log/keys answered; without it the key in each record is taken",
    )
    parser.add_argument(
        "--told",
        metavar="FILE",
        action="append",
        help="receipts, heads and refusals that you kept, one JSON answer a line: the records have"
        " to tell the same",
    )
    parser.add_argument(
        "--proof",
        metavar="FILE",
        action="append",
        help="proofs that events are in the log, as GET /v1/log/proofs/{position} answers, one a"
        " line: the records have to have these very events",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object for each record")
    parser.add_argument("--verbose", action="store_true", help="name the records that hold too")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes at work (one a core)"
    )


def run(args: argparse.Namespace) -> int:
    """Check all records; a line for each fault, and what it came to."""
    if args.jobs < 1:
        raise Failure("--jobs is 1 or more")
    keys = None if args.key is None else keys_in(args.key)
    told = None if args.told is None else told_in(args.told)
    proofs = None if args.proof is None else proofs_in(args.proof)
    kept = Kept(told or {}, proofs or {})
    paths, unread = files_in(args.files)
    reporter: Reporter = (
        Lines(told, proofs) if args.json else Words(told, proofs, verbose=args.verbose)
    )
    for problem in unread:
        reporter.unreadable(problem)
    found = records_in(paths, reporter.unreadable)
    try:
        for result in verified(found, keys, kept, args.jobs):
            reporter.tell(result)
    except Unreadable as error:
        reporter.unreadable(str(error))
    reporter.close(key_is_given=keys is not None)
    sys.stdout.flush()
    return reporter.code
