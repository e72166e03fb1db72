"""The measure is told the truth: parts of it alone, and a short run with all of its figures."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import Any

import asyncpg
import msgspec
import pytest
import redis

from domain.commands import (
    Actor,
    ActorKind,
    Command,
    Context,
    CreateMatch,
    JoinMatch,
    PlayerCommand,
    StartMatch,
)
from domain.decide import decide
from domain.events import RoundCommitted, Seat, Visibility
from domain.evolve import evolve
from domain.match import Match, new_match, with_secret
from domain.options import Options
from domain.sight import view_of
from service.cli.bench import processes, results
from service.cli.bench.replay import replay, replayed_events
from service.cli.bench.seats import Knowledge
from service.cli.bench.stages import decide_us, played, view_us
from service.cli.bench.workload import commands_of
from tests.demo.recorded import recorded
from tests.servers import database_name

FIGURES = (
    "http_commands_per_s",
    "one_statement_per_s",
    "plain_store_per_s",
    "batched_store_per_s",
    "ratio",
    "engine_steps_per_s",
    "replay_events_per_s",
    "p50_ms",
    "p99_ms",
)


SEATS = 4


def started(number: int) -> Match:
    """A match of four, the first round dealt."""
    match = new_match(number.to_bytes(16, "big"))
    commands: list[Command] = [CreateMatch(Options(target=200), SEATS, Visibility.PUBLIC, "0")]
    commands += [JoinMatch(str(seat)) for seat in range(1, SEATS)]
    for seat, command in enumerate((*commands, StartMatch())):
        match = after(match, seat % SEATS, command)
    return match


def after(match: Match, seat: int, command: Command) -> Match:
    """The match after a command; a refusal fails the test."""
    seed = match.version.to_bytes(32, "big")
    actor = Actor(ActorKind.SEAT, Seat(seat))
    for event in decide(match, actor, command, Context(match.version, seed)):
        if isinstance(event, RoundCommitted):
            match = with_secret(match, event.round, seed)
        match = evolve(match, event)
    return match


@pytest.mark.parametrize("number", range(4))
def test_the_load_plays_a_whole_match_by_the_rules(number: int) -> None:
    match, knowledge = started(number), Knowledge(SEATS)
    due = knowledge.after_view(msgspec.json.encode(view_of(match, Seat(0))))
    while due is not None:
        seat, body = due
        match = after(match, seat, msgspec.json.decode(body, type=PlayerCommand))
        answer = {"view": view_of(match, Seat(seat))}
        due = knowledge.after_answer(msgspec.json.encode(answer))

    assert match.status == "finished"
    assert knowledge.is_over


def test_the_workload_is_the_match_command_by_command() -> None:
    record, _ = recorded()

    commands = commands_of(record)

    assert [row.data for command in commands for row in command] == [
        stored.data for stored in record.events
    ]
    assert all(command[0].command_id is not None for command in commands)
    assert all(row.command_id is None for command in commands for row in command[1:])


def test_a_replay_reads_every_event() -> None:
    record, _ = recorded()

    assert replay(record) == len(record.events)
    rate = replayed_events(record, 0.01)
    assert rate.commands >= len(record.events)
    assert rate.seconds > 0


def test_stages_are_run_over_every_command_of_the_match() -> None:
    record, told = recorded()
    commands = played(record, told)

    assert len(commands) == len(told.sent)
    assert commands[-1].steps[-1].after.status == "finished"
    assert decide_us(commands) > 0
    assert view_us(commands) > 0


def test_percentiles_are_taken_from_sorted_latencies() -> None:
    assert results.percentile_ms(range(1000, 101_000, 1000), 0.5) == 51.0
    assert results.percentile_ms(range(1000, 101_000, 1000), 0.99) == 100.0
    assert results.percentile_ms([1500], 0.99) == 1.5


def test_figures_are_given_without_their_noise() -> None:
    assert results.rounded(12_345.678) == 12_300
    assert results.rounded(0.123456) == 0.123


@pytest.mark.skipif(sys.platform != "linux", reason="processor time by process is in /proc")
def test_a_process_and_its_children_are_counted() -> None:
    with subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; sum(range(10**7)); print(flush=True); sys.stdin.read()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdin is not None and child.stdout is not None
        child.stdout.readline()
        assert child.pid in processes.tree(os.getpid())
        assert processes.parent_of(child.pid) == os.getpid()
        assert processes.seconds_of(os.getpid()) >= processes.seconds_of(child.pid) >= 0.05
        assert not processes.is_server(child.pid)
        child.stdin.close()
    assert processes.parent_of(child.pid) is None


@pytest.mark.servers
@pytest.mark.slow
def test_a_short_run_has_every_figure_and_leaves_nothing_behind(
    module_database: str, redis_url: str
) -> None:
    words = ["--json", "--seconds", "0.4"]
    words += ["--database-url", module_database, "--redis-url", redis_url]

    run = subprocess.run(
        [sys.executable, "-m", "service.cli.main", "bench", *words],
        capture_output=True,
        text=True,
        timeout=180,
    )

    assert run.returncode == 0, run.stderr
    assert run.stdout.count("\n") == 1
    printed: dict[str, Any] = msgspec.json.decode(run.stdout)
    assert all(printed[name] > 0 for name in FIGURES)
    assert printed["refused"] <= printed["commands"] * 0.01 + 1
    assert printed["machine"]["fsync"] in ("on", "off")
    assert asyncio.run(databases_beside(module_database)) == []
    with redis.Redis.from_url(redis_url) as client:
        assert list(client.scan_iter(match=f"*{database_name(module_database)}*")) == []


async def databases_beside(url: str) -> list[str]:
    """The names of databases that a run made and did not drop."""
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch("SELECT datname FROM pg_database")
    finally:
        await connection.close()
    return [row[0] for row in rows if row[0].startswith(f"{database_name(url)}_bench")]
