"""Leaderboards and lobby on Redis: one slot, every change in one step with the position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.match import Status
from domain.ports import (
    BoardBatch,
    BoardState,
    MatchLine,
    StaleLeader,
    Unavailable,
)
from infra.memory_boards import SET_ASIDE, SET_ASIDE_MAX, list_of
from infra.redis.generations import CLAIM_MS, Generations
from infra.redis.keys import INDEX
from infra.redis.server import Call, Server

MOVES_MAX: Final = 3
"""How often a call may find that another generation is read by now before it gives up."""

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(MatchLine)


class RedisBoards:
    """The boards of the generation that is read, or of the one named (which is being built)."""

    def __init__(
        self, server: Server, generations: Generations, generation: str | None = None
    ) -> None:
        self._server = server
        self._generations = generations
        self._generation = generation

    async def state(self) -> BoardState | None:
        """How far they have come; None if they were lost and must be filled from the start."""
        try:
            position = await self._ask("board_state", [])
        except NotFilled:
            return None
        return BoardState(int(position))

    async def apply(self, batch: BoardBatch) -> bool:
        """Apply a batch and move the position, iff it starts where they stand; else False.

        Raises StaleLeader if another process leads by now.
        """
        args: list[Any] = [batch.start, batch.end, batch.epoch, CLAIM_MS]
        for line in batch.lines:
            listed = INDEX.get(f"list:{list_of(line)}", 0)
            args += (line.match.hex(), listed, line.position, _encoder.encode(line))
        try:
            answer = await self._ask("apply_board", args, read_only=False)
        except NotFilled:
            return False
        if answer == b"stale":
            raise StaleLeader
        return bool(answer == b"ok")

    async def lobby(
        self, status: Status, limit: int, before: int | None = None
    ) -> tuple[MatchLine, ...]:
        """Public matches of a status, newest first, created before a position."""
        return await self._listed(status, limit, "+inf" if before is None else f"({before}")

    async def set_aside(self) -> tuple[MatchLine, ...]:
        """The newest matches that are set aside."""
        return await self._listed(SET_ASIDE, SET_ASIDE_MAX, "+inf")

    async def lines(self, matches: Sequence[bytes]) -> Mapping[bytes, MatchLine]:
        """The lines of these matches, private ones too; one that is not known is left out."""
        if not matches:
            return {}
        found = await self._ask("lines", [match.hex() for match in matches])
        return {
            match: _decoder.decode(line)
            for match, line in zip(matches, found, strict=True)
            if line is not None
        }

    async def _listed(self, name: str, limit: int, bound: str) -> tuple[MatchLine, ...]:
        found = await self._ask("lobby", [INDEX[f"list:{name}"], limit, bound])
        return tuple(_decoder.decode(line) for line in found)

    async def _ask(self, name: str, args: Sequence[Any], *, read_only: bool = True) -> Any:
        """Call a function on the generation that is read, whichever that is by now."""
        for attempt in range(MOVES_MAX):
            generation = self._generation
            if generation is None:
                generation = (await self._generations.current(fresh=attempt > 0)).boards
            if generation is not None:
                call = self._call(name, generation, args)
                answer = await self._server.call(call, read_only=read_only)
                if answer == b"lost":
                    break
                if answer != b"moved":
                    return answer
        raise NotFilled("the boards are being filled")

    def _call(self, name: str, generation: str, args: Sequence[Any]) -> Call:
        return name, self._server.keys.board(generation), [generation, *args]


class NotFilled(Unavailable):
    """Redis is there, but the boards in it are gone or not yet filled."""
