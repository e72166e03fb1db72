"""Watch the log of a service from outside, and cosign its checkpoints while it only grows.

A process of its own, best run by somebody else: its key and what it saw last are in a folder of
its own. It keeps two checkpoints that contradict each other as evidence, and cosigns nothing
after that. The exit code is 0 if the log only grew, 1 if it could not be looked at, 3 if it
contradicts itself.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path
from typing import Final

from service.cli.demo.client import Client
from service.cli.failure import Failure
from service.cli.shown import shown, shown_lines
from service.cli.verify.keys import keys_in
from service.cli.witness.remote import RemoteLog, published_keys
from service.cli.witness.state import Folder
from service.cli.witness.watch import Contradiction, Witness

CONTRADICTS: Final = 3
SECONDS: Final = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("url", metavar="URL", help="where the service is")
    parser.add_argument("--state", default=".talon-witness", help="the folder (.talon-witness)")
    parser.add_argument("--name", default="talon-witness", help="the witness's name in its lines")
    parser.add_argument(
        "--key",
        metavar="KEY",
        action="append",
        help="a public key of the log: 64 hex digits, or a file as for talon verify; without it"
        " the keys that the service lists at the first look are trusted from then on",
    )
    parser.add_argument("--once", action="store_true", help="look once, and end")
    parser.add_argument(
        "--interval", type=float, default=SECONDS, help=f"seconds between looks ({SECONDS:g})"
    )


def run(args: argparse.Namespace) -> int:
    """Watch until interrupted, or once."""
    if args.interval <= 0:
        raise Failure("--interval is more than 0")
    if not args.name or "+" in args.name or any(char.isspace() for char in args.name):
        raise Failure("--name is a word without +")
    given = () if args.key is None else tuple(keys_in(args.key).values())
    folder = Folder(Path(args.state))
    with folder.locked():
        return asyncio.run(_watch(args, folder, given))


async def _watch(args: argparse.Namespace, folder: Folder, given: tuple[bytes, ...]) -> int:
    client = Client(args.url)
    try:
        while True:
            code = await _look(client, args.name, folder, given)
            if args.once or code == CONTRADICTS:
                return code
            await asyncio.sleep(args.interval)
    finally:
        client.close()


async def _look(client: Client, name: str, folder: Folder, given: tuple[bytes, ...]) -> int:
    """One look; says what came of it, and its exit code."""
    try:
        keys = folder.pinned(given) or folder.pinned(await published_keys(client))
        witness = Witness(folder, folder.signer(), name, keys, _seconds)
        said = await witness.look(RemoteLog(client))
    except Contradiction as error:
        print(shown(f"talon: the log contradicts itself: {error}"), file=sys.stderr)
        return CONTRADICTS
    except Failure as error:
        print(shown(f"talon: {error}"), file=sys.stderr)
        return 1
    print(shown_lines(said), flush=True)
    return 0


def _seconds() -> int:
    return int(time.time())
