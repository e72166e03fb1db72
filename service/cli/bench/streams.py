"""What live streams cost, and how late they are: many of them, on matches that go on."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Struct

from service.cli.bench import processes
from service.cli.bench.load_process import LoadProcess, MeasureFailed
from service.cli.bench.load_terms import Plan, Slice
from service.cli.bench.place import Place
from service.cli.bench.results import percentile_ms, rounded
from service.cli.bench.stream_reader import StreamReader, StreamReaders
from service.cli.demo.client import Client

MATCHES: Final = 64
SEATS: Final = 4
COMMANDS_PER_S: Final = 128.0
"""Two a second in each match: people who play quickly."""
WARM_UP_SECONDS: Final = 2.0
CATCH_UP_SECONDS: Final = 60.0
FILES_BESIDE: Final = 512
"""Open files beside the streams."""

Say = Callable[[str], None]


class StreamResults(Struct, frozen=True):
    """What ``--json`` prints: times in milliseconds, memory in KiB, rates per second."""

    streams: int
    matches: int
    events_received: int
    events_lost_or_doubled: int
    streams_lost: int
    received_per_s: float
    delay_p50_ms: float
    delay_p99_ms: float
    delay_max_ms: float
    memory_per_stream_kib: float
    service_us_per_event: float
    """Processor time of the service for each event received, the commands included."""
    seconds: float


def allow_files(count: int) -> None:
    """Let this process, and those it starts, have so many streams open at once."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + FILES_BESIDE
    if soft < wanted:
        if hard != resource.RLIM_INFINITY and hard < wanted:
            raise MeasureFailed(f"{wanted} open files are needed, {hard} are allowed (ulimit -Hn)")
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


async def measure_streams(place: Place, count: int, seconds: float, say: Say) -> StreamResults:
    """Open streams on matches in play and follow them for a while; raises MeasureFailed."""
    load = await LoadProcess.started(Plan(place.url, MATCHES, SEATS))
    client = Client(place.url)
    try:
        await load.run(Slice(WARM_UP_SECONDS, COMMANDS_PER_S))
        matches = await _running(client)
        readers = StreamReaders(place.url, matches)
        before = processes.memory_kib(place.service)
        say(f"opening {count} streams on {len(matches)} matches")
        await readers.open(count)
        await _caught_up(client, readers)
        after = processes.memory_kib(place.service)
        readers.begin_timing()
        say("the matches go on")
        cpu = processes.seconds_of(place.service, servers=False)
        await load.run(Slice(seconds, COMMANDS_PER_S))
        await _caught_up(client, readers)
        cpu = processes.seconds_of(place.service, servers=False) - cpu
        readers.close()
    finally:
        client.close()
        await load.stop()
    return _results(readers, len(matches), seconds, (after - before) / count, cpu)


def stream_table(results: StreamResults) -> str:
    """The figures for people."""
    rows = [
        ("open streams", f"{results.streams:,}", f"on {results.matches} matches, one process"),
        ("events received", f"{results.events_received:,}", f"{results.received_per_s:,.0f} /s"),
        ("  lost or doubled", f"{results.events_lost_or_doubled}", ""),
        ("  delay", f"{results.delay_p50_ms} ms", f"median; p99 {results.delay_p99_ms} ms"),
        ("memory by stream", f"{results.memory_per_stream_kib} KiB", "of the service"),
        ("processor by event", f"{results.service_us_per_event} us", "commands included"),
    ]
    return "\n".join(f"{name:<26}{value:>16}  {note}".rstrip() for name, value, note in rows)


async def _running(client: Client) -> list[str]:
    """The matches in play, once the lobby lists them all."""
    for _ in range(100):
        listed = await _json(client, "/v1/matches?status=running&limit=200")
        if len(listed["items"]) >= MATCHES:
            return [line["match_id"] for line in listed["items"][:MATCHES]]
        await asyncio.sleep(0.1)
    raise MeasureFailed("the lobby does not list the matches of the load")


async def _caught_up(client: Client, readers: StreamReaders) -> None:
    """Wait until every stream has all there is of its match."""
    matches = {reader.match_id for reader in readers.all}
    heads = {
        match: (await _json(client, f"/v1/matches/{match}/head"))["version"] for match in matches
    }

    def has_all(reader: StreamReader) -> bool:
        return reader.version >= heads[reader.match_id] or reader.is_lost

    if not await readers.until(has_all, CATCH_UP_SECONDS):
        raise MeasureFailed("some streams do not come to the end of what has happened")


async def _json(client: Client, path: str) -> Any:
    answer = await client.request("GET", path)
    if answer.status != 200:
        raise MeasureFailed(f"GET {path} was answered with {answer.status}")
    return msgspec.json.decode(answer.body)


def _results(
    readers: StreamReaders, matches: int, seconds: float, memory: float, cpu: float
) -> StreamResults:
    delays = sorted(int(delay * 1_000_000) for delay in readers.delays)
    if not delays:
        raise MeasureFailed("nothing happened in the matches")
    return StreamResults(
        streams=len(readers.all),
        matches=matches,
        events_received=len(delays),
        events_lost_or_doubled=sum(reader.out_of_order for reader in readers.all),
        streams_lost=sum(reader.is_lost for reader in readers.all),
        received_per_s=rounded(len(delays) / seconds),
        delay_p50_ms=percentile_ms(delays, 0.5),
        delay_p99_ms=percentile_ms(delays, 0.99),
        delay_max_ms=percentile_ms(delays, 1.0),
        memory_per_stream_kib=rounded(memory),
        service_us_per_event=rounded(cpu * 1e6 / len(delays)),
        seconds=seconds,
    )
