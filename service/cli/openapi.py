"""Write the description of the HTTP interface to openapi/openapi.json, or check what is there."""

from __future__ import annotations

import argparse
import difflib
import sys
from itertools import islice

from service.cli.failure import Failure


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--check", action="store_true", help="change nothing; fail if the file is out of date"
    )


def run(args: argparse.Namespace) -> int:
    """Write the file, or say how it differs from what the code says."""
    from service.openapi import COMMITTED, text, write

    if not args.check:
        write()
        print(f"wrote {COMMITTED}")
        return 0
    written = COMMITTED.read_text() if COMMITTED.exists() else ""
    now = text().decode()
    changes = difflib.unified_diff(
        written.splitlines(), now.splitlines(), "committed", "generated", lineterm="", n=1
    )
    if written != now:
        print("\n".join(islice(changes, 40)), file=sys.stderr)
        raise Failure("openapi/openapi.json is out of date: run `talon openapi` and commit it")
    return 0
