"""Requests, counted as their answers begin: one step beside the answer's own."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from prometheus_client import Histogram

from service.metrics import listed
from service.metrics.sampling import Words
from service.operation import Operation

NO_OPERATION: Final = "none"
"""What is asked for and is no operation: pages, and what there is not."""


class Requests:
    """The requests of one process. Its counts are sampled, its seconds go the direct way."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._ids = {(one.method, one.path): one.id for one in operations}
        self._seconds: dict[str, Histogram] = {}
        self._counts: Counter[tuple[str, int]] = Counter()

    def answered(self, scope: Any, status: int) -> None:
        """Count an answer that begins now."""
        method = scope.get("method", "GET")  # a socket's handshake has no other
        found = self._ids.get((_METHODS.get(method, method), scope.get("path_template")))
        self._counts[found or NO_OPERATION, status] += 1
        began = scope["state"].get("began")
        if found is not None and began is not None:
            seconds = self._seconds.get(found)
            if seconds is None:  # made once: the library looks long for it
                seconds = self._seconds[found] = listed.REQUEST_SECONDS.labels(found)
            seconds.observe((time.perf_counter_ns() - began) / 1e9)

    def counts(self) -> Mapping[Words, int]:
        """How many there were, by operation and status."""
        return {(id, str(status)): count for (id, status), count in self._counts.items()}


_METHODS: Final = {"HEAD": "GET"}
