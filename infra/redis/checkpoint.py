"""How far the repair of views has come, kept in Redis beside the views it is about."""

from __future__ import annotations

from domain.ports import StaleLeader
from infra.redis.generations import Generations
from infra.redis.server import Server


class RedisCheckpoint:
    """A position that is gone whenever the views are gone."""

    def __init__(self, server: Server, generations: Generations) -> None:
        self._server = server
        self._generations = generations

    async def get(self) -> int | None:
        """The position; None where there is none yet, or none any more."""
        await self._generations.current(fresh=True)
        position = await self._server.command("HGET", self._server.keys.pointer, "views_position")
        return int(position) if position else None

    async def set(self, position: int, epoch: int) -> bool:
        """Keep the position; False if the views are gone or rebuilt; raises StaleLeader."""
        pointer = await self._generations.current()
        call = ("set_checkpoint", [self._server.keys.pointer], [pointer.views, epoch, position])
        answer = await self._server.call(call)
        if answer == b"stale":
            raise StaleLeader
        return bool(answer == b"ok")
