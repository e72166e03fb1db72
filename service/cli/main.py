"""``talon``: picks the command and hands over to its module. Only that module is imported."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from service.version import VERSION

_COMMANDS: Final = {
    "serve": "run the service (with its own Postgres and Valkey unless told of others)",
    "demo": "play a whole match over HTTP and verify its history",
    "test": "run all checks and tests; with arguments, pytest with them",
    "bench": "measure what the service does a second",
    "config": "print the settings in force, without secrets",
    "migrate": "bring the database to the newest schema",
    "rebuild": "compute everything in Redis again from the log",
    "fsck": "look through a whole database: whether it is as it was written",
    "token": "make a token for an application, an auditor or an operator",
    "verify": "check records of matches and tournaments, offline",
    "witness": "watch the log of a service from outside, and cosign it while it only grows",
    "replay": "tell a record of a match in words, event by event",
    "openapi": "write the description of the HTTP interface to openapi/openapi.json",
}

_USAGE: Final = """\
usage: talon COMMAND [OPTIONS]

Talon plays, shows, replays and proves matches of the classic 108-card color-matching
game over HTTP.

{commands}

talon COMMAND --help tells more. New here? `talon serve`, then open the address that it
prints. Settings are environment variables TALON_...; `talon config` lists them all."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit code: 0 done, 1 failed, 2 misused."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = words[0] if words else "--help"
    if name in ("-h", "--help", "help"):
        print(usage())
        return 0
    if name == "--version":
        print(f"talon {VERSION}")
        return 0
    if name not in _COMMANDS:
        print(f"talon: no command {name!r}\n\n{usage()}", file=sys.stderr)
        return 2
    try:
        code = _run(name, words[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever reads has seen enough, as in `talon replay FILE | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


def usage() -> str:
    """What ``talon --help`` prints."""
    lines = (f"  {name:<9} {purpose}" for name, purpose in _COMMANDS.items())
    return _USAGE.format(commands="\n".join(lines))


def _run(name: str, words: list[str]) -> int:
    from infra.embedded.errors import EmbeddedError
    from service.cli.failure import Failure
    from service.cli.shown import shown_lines
    from service.settings import SettingsError

    module = import_module(f"service.cli.{name}")
    parser = argparse.ArgumentParser(
        prog=f"talon {name}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    if name == "test" and words not in (["-h"], ["--help"]):
        words = ["--", *words]  # they are pytest's
    try:
        code: int = module.run(parser.parse_args(words))
    except (EmbeddedError, Failure, SettingsError) as error:
        print(f"talon: {shown_lines(str(error))}", file=sys.stderr)
        return error.code if isinstance(error, Failure) else 1
    return code


if __name__ == "__main__":
    sys.exit(main())
