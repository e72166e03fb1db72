"""Which streams of the log are tournaments, for whoever reads matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from domain.ports import Recorded

FIRST: Final = "tournament_created"
"""The type of the first event of every tournament, and of nothing else."""


def is_tournament(events: Sequence[Recorded]) -> bool:
    """Whether a stream, read from its start, is a tournament's."""
    return bool(events) and events[0].type == FIRST
