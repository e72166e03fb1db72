"""The trial of a mutant: the tests that cite its rule are run on a mutated copy of the domain."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from enum import StrEnum
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final, NamedTuple

from tests.mutants.citing import ROOT, who_cites
from tests.mutants.mutant import Mutant

_PASSED: Final = 0
_FAILED: Final = 1
_NO_BEHAVIOR: Final = re.compile(
    r"- (?:\w+\.)*(?:NameError|TypeError|AttributeError|\w*ImportError)"
)
"""What a test stumbles over where a mutant is no program, instead of one that breaks a rule."""


class Outcome(StrEnum):
    """How a trial ended; all but the first call for work."""

    KILLED = "killed"
    SURVIVED = "SURVIVED"
    DOES_NOT_APPLY = "DOES NOT APPLY"
    EQUIVALENT = "EQUIVALENT"
    BROKEN = "BROKEN"


class Verdict(NamedTuple):
    """``said``: the test that failed, or what pytest said if it is not as it should be."""

    outcome: Outcome
    said: str = ""
    seconds: float = 0.0


def tried(mutant: Mutant) -> Verdict:
    """Run the tests that cite the mutant's rule, until the first one fails."""
    if not mutant.applies:
        return Verdict(Outcome.DOES_NOT_APPLY, mutant.file)
    if not mutant.is_python:
        return Verdict(Outcome.BROKEN, mutant.file)
    if mutant.is_equivalent:
        return Verdict(Outcome.EQUIVALENT, mutant.file)
    tests = who_cites(mutant.rule)
    if not tests:
        return Verdict(Outcome.SURVIVED, "no test cites the rule")
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="talon-mutant-") as folder:
        _copy(Path(folder), mutant)
        ended = _run(Path(folder), tests)
    seconds = time.monotonic() - started
    return Verdict(_outcome(ended), _said(ended), seconds)


def _copy(folder: Path, mutant: Mutant) -> None:
    """The domain with the mutant in it, and the tests; without the fixtures of the service."""
    shutil.copytree(ROOT / "domain", folder / "domain")
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=_no_modules)
    (folder / "tests" / "conftest.py").unlink()
    shutil.copy(ROOT / "pyproject.toml", folder)
    mutated = folder / "domain" / mutant.file
    mutated.write_text(mutant.mutated_source())
    Path(cache_from_source(mutated)).unlink(missing_ok=True)


def _no_modules(folder: str, names: list[str]) -> set[str]:
    """What no test of a rule imports."""
    return {name for name in names if Path(name).suffix not in ("", ".py", ".pyc")}


def _run(folder: Path, tests: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "PYTHON"))
    }
    return subprocess.run(
        (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests),
        cwd=folder,
        env={**inherited, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "400"},
        capture_output=True,
        text=True,
    )


def _outcome(ended: subprocess.CompletedProcess[str]) -> Outcome:
    if ended.returncode == _PASSED:
        return Outcome.SURVIVED
    if ended.returncode != _FAILED or _NO_BEHAVIOR.search(_said(ended)):
        return Outcome.BROKEN
    return Outcome.KILLED


def _said(ended: subprocess.CompletedProcess[str]) -> str:
    """The line of the test that failed, else the last line there is."""
    lines = [line for line in ended.stdout.splitlines() if line.strip()]
    failed = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
    return (failed or lines[-1:] or [ended.stderr])[0]
