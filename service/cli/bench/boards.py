"""How fast a leaderboard of many players is read at the store, and what memory it takes."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable
from typing import Final

from msgspec import Struct

from domain.rankings import EVERYTHING, Board, Score
from domain.tallies import TallyState
from infra.redis.rankings import RedisRankings
from infra.redis.server import Server
from service.cli.bench.place import Place
from service.cli.bench.results import percentile_ms, rounded

BOARD: Final = Board.POINTS
FILLED_AT_ONCE: Final = 10_000
SAMPLES: Final = 1_000
"""Players whose memory the server looks at: all ids are of one length."""
READS: Final = 2_000
"""Of each kind, one after another: twenty are slower than the p99."""
TOP: Final = 100
AROUND: Final = 11
POINTS_MOST: Final = 50_000
"""Points are drawn up to here: among a million players most are tied."""

Say = Callable[[str], None]


class ReadTimes(Struct, frozen=True):
    """Reads of one kind, in milliseconds from asking to having the lines."""

    p50_ms: float
    p99_ms: float


class BoardResults(Struct, frozen=True):
    """What ``--json`` prints."""

    players: int
    fill_seconds: float
    memory_mib: float
    memory_per_player_bytes: float
    top_100: ReadTimes
    around_me: ReadTimes
    rank_of_one: ReadTimes
    at_server: ReadTimes
    """Of all these reads, what the server itself took."""


async def measure_boards(place: Place, players: int, say: Say) -> BoardResults:
    """Fill one board with so many players and read it in every way."""
    server = Server(place.redis_url, f"{place.redis_prefix}:boards")
    store, dice = RedisRankings(server), random.Random(players)
    try:
        say(f"filling a board with {players} players")
        began = time.perf_counter()
        generation = await _fill(store, players, dice)
        filled = time.perf_counter() - began
        key = server.keys.ranking(generation, BOARD, EVERYTHING)
        memory = int(await server.command("MEMORY", "USAGE", key, "SAMPLES", SAMPLES))
        say("reading it")
        several = [_id(dice.randrange(players)) for _ in range(READS)]
        times = await _all_times(store, several)
        stats = await server.command("INFO", "latencystats")
        taken = stats["latency_percentiles_usec_fcall_ro"]
        return BoardResults(
            players=players,
            fill_seconds=rounded(filled),
            memory_mib=rounded(memory / 2**20),
            memory_per_player_bytes=rounded(memory / players),
            top_100=times[0],
            around_me=times[1],
            rank_of_one=times[2],
            at_server=ReadTimes(round(taken["p50"] / 1000, 2), round(taken["p99"] / 1000, 2)),
        )
    finally:
        await store.clear()
        await server.close()


def board_table(results: BoardResults) -> str:
    """The figures for people."""
    rows = [
        ("players on the board", f"{results.players:,}", f"filled in {results.fill_seconds} s"),
        ("memory", f"{results.memory_mib} MiB", f"{results.memory_per_player_bytes} bytes each"),
        ("top 100", f"{results.top_100.p50_ms} ms", f"p99 {results.top_100.p99_ms} ms"),
        ("around one", f"{results.around_me.p50_ms} ms", f"p99 {results.around_me.p99_ms} ms"),
        ("rank of one", f"{results.rank_of_one.p50_ms} ms", f"p99 {results.rank_of_one.p99_ms} ms"),
        ("at the server", f"{results.at_server.p50_ms} ms", f"p99 {results.at_server.p99_ms} ms"),
    ]
    return "\n".join(f"{name:<26}{value:>16}  {note}".rstrip() for name, value, note in rows)


async def _fill(store: RedisRankings, players: int, dice: random.Random) -> str:
    """The generation with the board, which is read from now on."""
    generation = store.begin()
    for first in range(0, players, FILLED_AT_ONCE):
        some = range(first, min(players, first + FILLED_AT_ONCE))
        scores = [Score(BOARD, EVERYTHING, _id(one), dice.randrange(POINTS_MOST)) for one in some]
        await store.fill(generation, scores)
    await store.switch(generation, TallyState(0, 0, 0, 0), 0)
    return generation


def _id(number: int) -> bytes:
    """The id of a player: any 16 bytes, the same again for the same number."""
    return random.Random(number).randbytes(16)


def _around(store: RedisRankings, player: bytes) -> Callable[[], Awaitable[object]]:
    return lambda: store.standings(BOARD, EVERYTHING, AROUND, around=player)


def _rank(store: RedisRankings, player: bytes) -> Callable[[], Awaitable[object]]:
    return lambda: store.standing(BOARD, EVERYTHING, player)


async def _all_times(store: RedisRankings, several: list[bytes]) -> list[ReadTimes]:
    return [
        await _times([lambda: store.standings(BOARD, EVERYTHING, TOP) for _ in several]),
        await _times([_around(store, player) for player in several]),
        await _times([_rank(store, player) for player in several]),
    ]


async def _times(reads: list[Callable[[], Awaitable[object]]]) -> ReadTimes:
    taken = []
    for read in reads:
        began = time.perf_counter_ns()
        if not await read():
            raise AssertionError("a player of the board is not found on it")
        taken.append((time.perf_counter_ns() - began) // 1_000)
    taken.sort()
    return ReadTimes(percentile_ms(taken, 0.5), percentile_ms(taken, 0.99))
