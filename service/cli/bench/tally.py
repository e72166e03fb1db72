"""What the slices of a run came to, and the figures that follow from it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from service.cli.bench.load_terms import Measured
from service.cli.bench.results import (
    Machine,
    ProcessorTime,
    Results,
    Stages,
    percentile_ms,
    rounded,
)
from service.cli.bench.stores import Rate


class Tally(Struct):
    """What the slices came to. Processor times in seconds."""

    http: list[Measured] = field(default_factory=list)
    half: list[Measured] = field(default_factory=list)
    one_statement: list[Rate] = field(default_factory=list)
    plain_store: list[Rate] = field(default_factory=list)
    batched_store: list[Rate] = field(default_factory=list)
    engine: list[float] = field(default_factory=list)
    replay: list[Rate] = field(default_factory=list)
    service_cpu: float = 0.0
    postgres_cpu: float | None = None
    redis_cpu: float | None = None
    """None where the server is elsewhere."""
    append_cpu: float = 0.0
    """Of this process while the batched store ran."""


class Alone(Struct, frozen=True):
    """Microseconds by command of the stages that were run alone."""

    decide: float
    view: float
    projection: float


def results_of(
    tally: Tally, alone: Alone, events_per_command: float, machine: Machine, seconds: float
) -> Results:
    """The figures."""
    commands = sum(each.commands for each in tally.http)
    latencies = _sorted(tally.http)
    half = _sorted(tally.half)
    http, one = _per_second(tally.http), _per_second(tally.one_statement)
    service = tally.service_cpu * 1e6 / commands
    return Results(
        http_commands_per_s=rounded(http),
        p50_ms=percentile_ms(latencies, 0.5),
        p99_ms=percentile_ms(latencies, 0.99),
        half_rate_p50_ms=percentile_ms(half, 0.5),
        half_rate_p99_ms=percentile_ms(half, 0.99),
        one_statement_per_s=rounded(one),
        plain_store_per_s=rounded(_per_second(tally.plain_store)),
        batched_store_per_s=rounded(_per_second(tally.batched_store)),
        ratio=rounded(http / one),
        slice_ratios=_ratios(tally),
        engine_steps_per_s=rounded(sum(tally.engine) / len(tally.engine)),
        replay_events_per_s=rounded(_per_second(tally.replay)),
        events_per_command=rounded(events_per_command),
        answer_bytes=rounded(sum(each.answer_bytes for each in tally.http) / commands),
        processor_us_per_command=ProcessorTime(
            service=rounded(service),
            postgres=_us(tally.postgres_cpu, commands),
            redis=_us(tally.redis_cpu, commands),
            load=rounded(sum(each.cpu_seconds for each in tally.http) * 1e6 / commands),
        ),
        stages_us_per_command=_stages(tally, alone, service),
        commands=commands,
        refused=sum(each.refused for each in tally.http),
        matches_ended=sum(each.matches_ended for each in tally.http),
        seconds=rounded(seconds),
        machine=machine,
    )


def _stages(tally: Tally, alone: Alone, service: float) -> Stages:
    batched = sum(each.commands for each in tally.batched_store)
    append = tally.append_cpu * 1e6 / batched
    known = alone.decide + append + alone.view + alone.projection
    return Stages(
        decide=rounded(alone.decide),
        append=rounded(append),
        view=rounded(alone.view),
        projection=rounded(alone.projection),
        http_and_rest=rounded(service - known),
    )


def _per_second(slices: Sequence[Rate | Measured]) -> float:
    return sum(each.commands for each in slices) / sum(each.seconds for each in slices)


def _ratios(tally: Tally) -> tuple[float, ...]:
    """Of each slice: how far a single slice can be trusted."""
    pairs = zip(tally.http, tally.one_statement, strict=True)
    return tuple(rounded(_per_second([http]) / _per_second([one])) for http, one in pairs)


def _sorted(slices: Sequence[Measured]) -> list[int]:
    return sorted(value for each in slices for value in each.latencies)


def _us(seconds: float | None, commands: int) -> float | None:
    """By command; None if the process is elsewhere."""
    return None if seconds is None else rounded(seconds * 1e6 / commands)
