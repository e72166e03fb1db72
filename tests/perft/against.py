"""What a step of the classic game costs next to an older revision, in pairs that take turns.

``python -m tests.perft.against REVISION [PAIRS]`` runs the same matches by the rules as they are
and as they were (read from git), each in a process of its own, and prints the ratio of processor
time by step with a 95 % interval: below 1, today's rules are the faster ones. ``step``: list what
is legal, decide, evolve; ``views``: the same, and all views of the match, packed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from math import exp, log, sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
_STEPS: Final = 4_000
"""By turn: long enough for the clock, short enough for both to meet the same weather."""
_WORKER: Final = """
import random, sys, time
from domain.sight import pack, views_of
from service.cli.bench.engine import _started, _step

def run(mode, number):
    chance, match = random.Random(number), _started(number)
    start = time.process_time()
    for _ in range(STEPS):
        match = _step(match, chance)
        if mode == "views":
            pack(views_of(match))
        if match.round is None:
            number += 1
            match = _started(number)
    return time.process_time() - start

for line in sys.stdin:
    mode, number = line.split()
    print(run(mode, int(number)), flush=True)
"""


class Side:
    """The rules of one revision, in a process that runs what it is asked to."""

    def __init__(self, root: Path) -> None:
        code = _WORKER.replace("STEPS", str(_STEPS))
        self._process = subprocess.Popen(
            (sys.executable, "-c", code),
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "0"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, mode: str, number: int) -> float:
        """Processor seconds for the steps of matches from ``number`` on."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{mode} {number}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def end(self) -> None:
        """Let the process go."""
        self._process.communicate()


def pairs(old: Side, new: Side, mode: str, count: int) -> list[tuple[float, float]]:
    """Old and new over the same matches; who goes first takes turns, the first pair warms up."""
    found = []
    for number in range(count + 1):
        sides = (old, new) if number % 2 else (new, old)
        times = {side: side.seconds(mode, 100 * number) for side in sides}
        found.append((times[old], times[new]))
    return found[1:]


def said(mode: str, found: list[tuple[float, float]]) -> str:
    """The geometric mean of the ratios new / old, and how sure it is."""
    logs = [log(new / old) for old, new in found]
    middle, half = mean(logs), 1.96 * stdev(logs) / sqrt(len(logs))
    olds, news = zip(*found, strict=True)
    old, new = (1e6 * mean(times) / _STEPS for times in (olds, news))
    between = f"{exp(middle - half):.3f} to {exp(middle + half):.3f}"
    return f"{mode}: {exp(middle):.3f} ({between}); {old:.2f} µs a step then, {new:.2f} µs now"


def main() -> None:
    """Compare with the revision on the command line."""
    revision, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60
    paths = ("domain", "infra", "service")
    archive = subprocess.run(
        ("git", "archive", revision, *paths), cwd=_ROOT, check=True, capture_output=True
    )
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
            files.extractall(folder)
        old, new = Side(Path(folder)), Side(_ROOT)
        for mode in ("step", "views"):
            print(said(mode, pairs(old, new, mode, count)), flush=True)
        for side in (old, new):
            side.end()


if __name__ == "__main__":
    main()
