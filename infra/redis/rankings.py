"""Leaderboards on Redis: a copy of what Postgres sums up, that answers in a millisecond."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from domain.ports import StaleLeader, Unavailable
from domain.rankings import Board, Place, Scope, Score, Standing
from domain.tallies import TallyState
from infra.redis.generations import new_name
from infra.redis.server import PAUSE_SECONDS, Call, Server

FILLED_AT_ONCE: Final = 5_000
"""Scores in one flush: milliseconds of the server's time."""
TRIES: Final = 5
MOVES_MAX: Final = 3
"""How often a call may find that another generation is read by now before it gives up."""


class Copied(Struct, frozen=True, gc=False):
    """How far a copy has come: of the tallies, and of the log."""

    generation: str
    revision: int
    removals: int
    position: int


class RedisRankings:
    """Rankings of the generation that is read, and the means to write it."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._live: str | None = None

    async def standings(
        self,
        board: Board,
        scope: Scope,
        limit: int,
        after: Place | None = None,
        around: bytes | None = None,
    ) -> tuple[Standing, ...]:
        """A page of a board: see Rankings."""
        where: tuple[Any, ...] = ("top", 0, "")
        if after is not None:
            where = ("after", after.points, after.player.hex())
        elif around is not None:
            where = ("around", 0, around.hex())
        for attempt in range(MOVES_MAX):
            generation = await self._generation(fresh=attempt > 0)
            keys = self._keys(generation, [self._server.keys.ranking(generation, board, scope)])
            call: Call = ("ranked", keys, [generation, limit, *where])
            answer = await self._server.call(call, read_only=True)
            if answer == b"lost":  # whoever keeps the copy fills it again where there is no meta
                await self._server.command("DEL", self._server.keys.ranking_meta(generation))
                break
            if answer != b"moved":
                return _lines(*answer)
        raise Unavailable("the leaderboards are being filled")

    async def standing(self, board: Board, scope: Scope, player: bytes) -> Standing | None:
        """A player's line: see Rankings."""
        lines = await self.standings(board, scope, 1, around=player)
        return lines[0] if lines else None

    async def copied(self) -> Copied | None:
        """How far the copy has come; None where there is none."""
        live = await self._server.command("HGET", self._server.keys.rankings, "live")
        if live is None:
            return None
        self._live = live.decode()
        meta = self._server.keys.ranking_meta(self._live)
        fields = await self._server.command("HMGET", meta, "revision", "removals", "position")
        if None in fields:
            return None
        return Copied(self._live, *map(int, fields))

    async def write(
        self, copied: Copied, to: TallyState, scores: Sequence[Score], epoch: int
    ) -> bool:
        """Write scores and move to a revision, or do neither; raises StaleLeader."""
        keys = self._keys(copied.generation, [])
        index: dict[str, int] = {}
        args: list[Any] = [copied.generation, epoch, copied.removals]
        args += [copied.revision, to.revision, to.position]
        for score in scores:
            key = self.key_of(copied.generation, score)
            if key not in index:
                keys.append(key)
                index[key] = len(keys)
            args += (index[key], score.points, score.player.hex())
        answer = await self._server.call(("rank", keys, args))
        if answer == b"stale":
            raise StaleLeader
        return bool(answer == b"ok")

    async def epoch(self) -> int:
        """The highest epoch of whoever has written; 0 where nobody has."""
        epoch = await self._server.command("HGET", self._server.keys.rankings, "epoch")
        return int(epoch or 0)

    def begin(self) -> str:
        """A name for a generation to be filled beside the one that is read."""
        return new_name()

    async def fill(self, generation: str, scores: Sequence[Score]) -> None:
        """Write scores into a generation that nobody reads yet."""
        for first in range(0, len(scores), FILLED_AT_ONCE):
            by_board: dict[tuple[Board, Scope], list[Any]] = {}
            for score in scores[first:][:FILLED_AT_ONCE]:
                board = by_board.setdefault((score.board, score.scope), [])
                board += (score.points, score.player.hex())
            named = self._server.keys.ranking
            await self._patiently(
                [("ZADD", named(generation, *board), *all) for board, all in by_board.items()]
            )

    def key_of(self, generation: str, score: Score) -> str:
        """The key of the board that a score stands on."""
        return self._server.keys.ranking(generation, score.board, score.scope)

    async def scored(self, generation: str, scores: Sequence[Score]) -> list[int | None]:
        """What is stored of each of these scores; None where the player is not on the board."""
        asked = [("ZSCORE", self.key_of(generation, one), one.player.hex()) for one in scores]
        found = await self._server.flush(asked)
        return [None if one is None else int(one) for one in found]

    async def sizes(self, generation: str) -> dict[str, int]:
        """How many players each board has, by its key."""
        meta = self._server.keys.ranking_meta(generation)
        boards = sorted(set(await self._scan(generation)) - {meta})
        counts = await self._server.flush([("ZCARD", key) for key in boards])
        return dict(zip(boards, counts, strict=True))

    async def switch(self, generation: str, state: TallyState, epoch: int) -> None:
        """Read a filled generation from now on, and remove all others; raises StaleLeader."""
        boards = sorted(set(await self._scan(generation)))
        args = [generation, epoch, state.removals, state.revision, state.position]
        answer = await self._server.call(("rank_anew", self._keys(generation, boards), args))
        if answer == b"stale":
            raise StaleLeader
        self._live = generation
        await self._remove_all_but(generation)

    async def clear(self) -> None:
        """Remove everything: then there is no copy."""
        await self._server.command("DEL", self._server.keys.rankings)
        await self._remove_all_but(None)

    async def position(self) -> int:
        """The position of the log that the copy has come to; raises Unavailable for none."""
        copied = await self.copied()
        if copied is None:
            raise Unavailable("the leaderboards are being filled")
        return copied.position

    async def forget(self, player: bytes) -> None:
        """Take an erased person off every board."""
        copied = await self.copied()
        if copied is None:
            return
        meta = self._server.keys.ranking_meta(copied.generation)
        fields: list[bytes] = await self._server.command("HKEYS", meta)
        boards = sorted(key for field in fields if ":" in (key := field.decode()))
        keys = self._keys(copied.generation, boards)
        await self._server.call(("unrank", keys, [copied.generation, player.hex()]))

    async def _generation(self, *, fresh: bool) -> str:
        if self._live is None or fresh:
            live = await self._server.command("HGET", self._server.keys.rankings, "live")
            self._live = None if live is None else live.decode()
        if self._live is None:
            raise Unavailable("the leaderboards are being filled")
        return self._live

    async def _patiently(self, commands: Sequence[tuple[Any, ...]]) -> None:
        """Commands that may be sent twice: a filling is not given up for one slow moment."""
        for attempt in range(1, TRIES + 1):
            try:
                answers = await self._server.flush(commands)
            except Unavailable:
                if attempt == TRIES:
                    raise
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            for answer in answers:
                if isinstance(answer, Exception):
                    raise Unavailable(str(answer)) from answer
            return

    async def _remove_all_but(self, generation: str | None) -> None:
        for key in set(await self._scan("*")):
            if self._server.keys.generation_of(key) != generation:
                await self._server.command("UNLINK", key)

    def _keys(self, generation: str, boards: Sequence[str]) -> list[str]:
        keys = self._server.keys
        return [keys.rankings, keys.ranking_meta(generation), *boards]

    async def _scan(self, generation: str) -> list[str]:
        """The boards of a generation, or of all; one may come twice."""
        found: list[str] = []
        cursor: bytes | int = 0
        pattern = self._server.keys.pattern("r", generation)
        while True:
            scan = ("SCAN", cursor, "MATCH", pattern, "COUNT", 1_000)
            cursor, page = await self._server.command(*scan)
            found += [key.decode() for key in page]
            if int(cursor) == 0:
                return found


def _lines(
    start: int, above: int, page: Sequence[bytes], as_first: int, as_last: int
) -> tuple[Standing, ...]:
    """Lines of a page that begins at a place (from 0), with ``above`` players better."""
    points = [int(score) for score in page[1::2]]
    lines: list[Standing] = []
    rank = above + 1
    for place, own in enumerate(points):
        if place > 0 and own != points[place - 1]:
            rank = start + place + 1
        alike = as_first if own == points[0] else as_last if own == points[-1] else None
        is_tied = points.count(own) > 1 if alike is None else alike > 1
        lines.append(Standing(rank, bytes.fromhex(page[2 * place].decode()), own, is_tied))
    return tuple(lines)
