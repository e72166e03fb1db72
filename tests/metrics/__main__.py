"""What measuring costs, in microseconds of processor time: ``python -m tests.metrics``."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any, Final

TIMES: Final = 30_000
ROUNDS: Final = 7
"""The best round is told: the others were disturbed."""


def cost_us(work: Callable[[], None]) -> float:
    """What one call costs."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(TIMES):
            work()
        best = min(best, time.process_time() - began)
    return best / TIMES * 1e6


def main() -> None:
    """Measure as a worker does, which writes into a folder."""
    from infra.postgres.writer import Appended
    from service.app.measuring import Measured, note_append

    measured = Measured().requests.answered
    scope: dict[str, Any] = {
        "method": "POST",
        "path_template": "/v1/matches/{match_id}/commands",
        "state": {"began": time.perf_counter_ns()},
    }
    batch = Appended(seconds=0.004, commands=9, events=14)
    print(f"a request {cost_us(lambda: measured(scope, 200)):.1f} µs")
    print(f"a batch   {cost_us(lambda: note_append(batch)):.1f} µs")
    print(f"nothing   {cost_us(lambda: None):.2f} µs")


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder  # before the library is loaded
        main()
