"""The second verifier, in Node: many records, and many changes of them, in one process."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.audit.mutations import Mutation

HERE = Path(__file__).parent
VERIFIER = HERE.parents[1] / "verifier"
NODE = shutil.which("node")
MISSING = "the second verifier runs in Node, which is not on the PATH"


def checked(requests: Sequence[tuple[Path, Sequence[Mutation]]]) -> list[list[list[str]]]:
    """By file: the checks that found a fault in it, then those for each of its changes."""
    assert NODE is not None
    lines: list[str] = []
    for file, mutations in requests:
        lines.append(json.dumps({"file": str(file)}))
        lines += [
            json.dumps({"from": one.start, "to": one.end, "lines": one.lines}) for one in mutations
        ]
    done = subprocess.run(
        [NODE, HERE / "batch.js"],
        input="".join(line + "\n" for line in lines),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = iter(map(json.loads, done.stdout.splitlines()))
    return [[next(answers) for _ in range(1 + len(mutations))] for _, mutations in requests]
