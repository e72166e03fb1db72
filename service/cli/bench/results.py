"""The figures of one run, and how they are printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

KEPT: Final = 3
"""Significant digits: the rest is noise."""


class Machine(Struct, frozen=True):
    """What was measured on."""

    processors: int
    python: str
    postgres: str
    fsync: str
    synchronous_commit: str
    workers: int


class ProcessorTime(Struct, frozen=True):
    """Microseconds of processor time per command over HTTP, by process.

    Postgres and Redis are None where they run on another machine or in another container.
    """

    service: float
    postgres: float | None
    redis: float | None
    load: float


class Stages(Struct, frozen=True):
    """Microseconds of processor time per command, each stage run alone over a recorded match."""

    decide: float
    """Decoding the command, deciding, evolving."""
    append: float
    """Encoding, hashing, sealing and sending in batches; Postgres itself not counted."""
    view: float
    """The answer: its events, its view, its bytes."""
    projection: float
    """All views packed and sent in batches; Redis itself not counted."""
    http_and_rest: float
    """What the service spent beyond these: HTTP, authentication, waiting tasks."""


class Results(Struct, frozen=True):
    """What ``--json`` prints. Rates per second, times in milliseconds unless named otherwise."""

    http_commands_per_s: float
    p50_ms: float
    p99_ms: float
    half_rate_p50_ms: float
    half_rate_p99_ms: float
    one_statement_per_s: float
    plain_store_per_s: float
    batched_store_per_s: float
    ratio: float
    slice_ratios: tuple[float, ...]
    engine_steps_per_s: float
    replay_events_per_s: float
    events_per_command: float
    answer_bytes: float
    processor_us_per_command: ProcessorTime
    stages_us_per_command: Stages
    commands: int
    refused: int
    matches_ended: int
    seconds: float
    machine: Machine


def percentile_ms(latencies: Sequence[int], share: float) -> float:
    """A percentile of sorted latencies in microseconds, as milliseconds."""
    index = min(len(latencies) - 1, int(len(latencies) * share))
    return round(latencies[index] / 1000, 2)


def rounded(number: float) -> float:
    """A figure without its noise."""
    return float(f"{number:.{KEPT}g}")


def table(results: Results) -> str:
    """The figures for people."""
    cpu, stages, machine = (
        results.processor_us_per_command,
        results.stages_us_per_command,
        results.machine,
    )
    rows = [
        ("commands over HTTP", f"{results.http_commands_per_s:,.0f} /s", "durable, 64 in flight"),
        ("  latency", f"{results.p50_ms} ms", f"median; p99 {results.p99_ms} ms"),
        (
            "  at half that rate",
            f"{results.half_rate_p50_ms} ms",
            f"median; p99 {results.half_rate_p99_ms} ms",
        ),
        ("one statement a command", f"{results.one_statement_per_s:,.0f} /s", "no HTTP"),
        ("  ratio", f"{results.ratio:.2f}", f"in slices: {_list(results.slice_ratios)}"),
        ("plain store", f"{results.plain_store_per_s:,.0f} /s", "BEGIN, SELECT, INSERT, COMMIT"),
        ("batched store", f"{results.batched_store_per_s:,.0f} /s", "the service's log alone"),
        ("engine", f"{results.engine_steps_per_s:,.0f} steps/s", "one core"),
        ("replay", f"{results.replay_events_per_s:,.0f} events/s", "one core, every check"),
        ("processor per command", "", ""),
        ("  service", f"{cpu.service:.0f} us", f"of {results.events_per_command:.2f} events"),
        ("    decide", f"{stages.decide:.0f} us", ""),
        ("    append", f"{stages.append:.0f} us", ""),
        ("    view", f"{stages.view:.0f} us", f"{results.answer_bytes:,.0f} bytes an answer"),
        ("    projection", f"{stages.projection:.0f} us", ""),
        ("    HTTP and the rest", f"{stages.http_and_rest:.0f} us", ""),
        ("  Postgres", _us(cpu.postgres), ""),
        ("  Redis", _us(cpu.redis), ""),
        ("  load generator", f"{cpu.load:.0f} us", ""),
    ]
    lines = [f"{name:<26}{value:>16}  {note}".rstrip() for name, value, note in rows]
    where = (
        f"{results.commands:,} commands, {results.refused} refused, {results.matches_ended} matches"
        f" ended, {results.seconds:.0f} s in all; {machine.processors} processors shared by"
        f" everything, {machine.workers} worker(s), Python {machine.python},"
        f" Postgres {machine.postgres} with fsync {machine.fsync},"
        f" synchronous_commit {machine.synchronous_commit}"
    )
    return "\n".join((*lines, "", where))


def _us(value: float | None) -> str:
    return "elsewhere" if value is None else f"{value:.0f} us"


def _list(ratios: Sequence[float]) -> str:
    return " ".join(f"{ratio:.2f}" for ratio in ratios)
