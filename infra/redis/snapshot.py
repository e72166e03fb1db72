"""What is stored under a prefix, without the names of generations: to compare two stores."""

from __future__ import annotations

from typing import Final

from infra.redis.generations import Generations
from infra.redis.server import Server

_NOT_FROM_THE_LOG: Final = (b"epoch",)
"""Fields of ``meta`` that tell who wrote, not what."""


async def snapshot(server: Server, generations: Generations) -> dict[str, object]:
    """Every key of the generations that are read, by its name less the generation's.

    Bytes of views; fields of hashes; members and scores of sorted sets in their order.
    """
    pointer = await generations.current(fresh=True)
    found: dict[str, object] = {}
    for kind, generation in (("v", pointer.views), ("b", pointer.boards)):
        async for keys in generations.scan(server.keys.pattern(kind, generation or "none")):
            for key in keys:
                found[key.replace(f":{generation}:", ":", 1)] = await _content(server, key)
    return found


async def _content(server: Server, key: str) -> object:
    kind = await server.command("TYPE", key)
    if kind == b"string":
        return await server.command("GET", key)
    if kind == b"zset":
        return await server.command("ZRANGE", key, 0, -1, "WITHSCORES")
    flat = await server.command("HGETALL", key)
    fields = flat if isinstance(flat, dict) else dict(zip(flat[::2], flat[1::2], strict=True))
    return {name: value for name, value in fields.items() if name not in _NOT_FROM_THE_LOG}
