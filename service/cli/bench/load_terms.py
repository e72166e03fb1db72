"""What the load is told and what it tells, each a line of JSON."""

from __future__ import annotations

from msgspec import Struct


class Plan(Struct, frozen=True):
    """What to play."""

    url: str
    matches: int
    seats: int


class Slice(Struct, frozen=True):
    """How long to play, in seconds, and how many commands a second at most (0: all it takes)."""

    seconds: float
    rate: float = 0.0


class Measured(Struct, frozen=True):
    """One slice. Latencies in microseconds; ``cpu_seconds`` is the load's own."""

    commands: int
    refused: int
    matches_ended: int
    seconds: float
    cpu_seconds: float
    answer_bytes: int
    latencies: list[int]
