"""Run all checks and tests: style, types, import contracts, the interface's file, pytest.

With arguments it runs pytest alone, with them, in the checkout: `talon test -k skip tests/rules`.
Servers: TALON_TEST_DATABASE_URL and TALON_TEST_REDIS_URL, else containers, else embedded ones.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from service.cli.failure import Failure

_CHECKOUT: Final = Path(__file__).resolve().parents[2]
_PYTHON: Final = sys.executable
_CHECKS: Final = {
    "style": (_PYTHON, "-m", "ruff", "check", "--quiet", "."),
    "format": (_PYTHON, "-m", "ruff", "format", "--quiet", "--check", "."),
    "types": (_PYTHON, "-m", "mypy"),
    "import contracts": (
        _PYTHON,
        "-c",
        "from importlinter.cli import lint_imports_command as check; check()",
        "--no-cache",
    ),
    "interface file": (_PYTHON, "-m", "service.cli.main", "openapi", "--check"),
}
_PYTEST: Final = (_PYTHON, "-m", "pytest")
_AT_ONCE: Final = min(os.cpu_count() or 1, 4)
"""Processes for the whole suite: each with a database and keys of its own, on the same servers."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Everything is pytest's."""
    parser.add_argument(
        "pytest", nargs="*", help="arguments for pytest, and then nothing else runs"
    )


def run(args: argparse.Namespace) -> int:
    """0 if every check and test passed."""
    if not (_CHECKOUT / "tests").is_dir():
        raise Failure("the tests are in the source checkout: run ./talon test there")
    if args.pytest:
        return subprocess.run((*_PYTEST, *args.pytest), cwd=_CHECKOUT).returncode
    failed = [name for name, command in _CHECKS.items() if not _passes(name, command, quiet=True)]
    if not _passes("tests", (*_PYTEST, "-n", str(_AT_ONCE)), quiet=False):
        failed.append("tests")
    print(f"talon: {'failed: ' + ', '.join(failed) if failed else 'all checks and tests passed'}")
    return 1 if failed else 0


def _passes(name: str, command: tuple[str, ...], *, quiet: bool) -> bool:
    """Run a check; say how it went, what it printed (if quiet: unless it passed), and how long."""
    started = time.monotonic()
    output = subprocess.PIPE if quiet else None
    done = subprocess.run(
        command, cwd=_CHECKOUT, stdout=output, stderr=subprocess.STDOUT if quiet else None
    )
    passed = done.returncode == 0
    if quiet and not passed:
        sys.stdout.write(done.stdout.decode(errors="replace"))
    seconds = time.monotonic() - started
    print(f"talon: {name}: {'passed' if passed else 'FAILED'} in {seconds:.1f} s", flush=True)
    return passed
