"""The log's tree as files that never change: C2SP tlog-tiles, for who checks all of it.

``docs/log-proofs.md`` says which part of it is served.
"""

from __future__ import annotations

import re
from typing import Final

from litestar.types import ASGIApp

from domain.audit.merkle import HASH_BYTES
from domain.audit.tiles import LEVELS, WIDTH, width_of
from service.call import Call, not_found
from service.operation import Operation, Shape, operation
from service.reply import Reply
from service.routes.proofs import newest

BYTES: Final = "application/octet-stream"
KEPT: Final = ("Cache-Control", "public, max-age=31536000, immutable")
ENTRIES: Final = "entries"
_PATH: Final = re.compile(r"((?:x[0-9]{3}/){0,3}[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")
_ANSWERS: Final = (Shape(200, str, media=BYTES, says="The tile, which never changes."),)


@operation("GET", "/v1/log/tile/{level}/{tile}", tag="Audit", answers=_ANSWERS, problems=(404,))
async def get_log_tile(call: Call) -> ASGIApp:
    """Read 256 hashes of the log's tree.

    C2SP tlog-tiles: `level` is the level, or `entries`; `tile` its number in three digits. Full
    tiles, and beginnings of tiles, never change: keep them as long as you like.
    """
    return await _tile(call, "tile")


@operation(
    "GET", "/v1/log/tile/{level}/{tile}/{part}", tag="Audit", answers=_ANSWERS, problems=(404,)
)
async def get_log_tile_part(call: Call) -> ASGIApp:
    """Read the beginning of a tile, or a tile of a number above 999.

    `000.p/5` are the first 5 hashes of tile 0; `x001/234` is tile 1234.
    """
    return await _tile(call, "tile", "part")


@operation(
    "GET",
    "/v1/log/tile/{level}/{thousand}/{tile}/{part}",
    tag="Audit",
    answers=_ANSWERS,
    problems=(404,),
)
async def get_far_log_tile(call: Call) -> ASGIApp:
    """Read the beginning of a tile of a number above 999, or a tile above 999,999.

    `x001/234.p/5` are the first 5 hashes of tile 1234; `x001/x234/567` is tile 1234567.
    """
    return await _tile(call, "thousand", "tile", "part")


async def _tile(call: Call, *names: str) -> ASGIApp:
    found = _PATH.fullmatch("/".join(call.path[name] for name in names))
    level = _level(call.path["level"])
    if found is None or level is None or found[1].startswith("x000"):
        raise not_found()
    number = int(found[1].replace("x", "").replace("/", ""))
    width = int(found[2]) if found[2] else WIDTH
    size = (await newest(call.services)).size
    if width > width_of((max(level, 0), number), size) or found[2] == str(WIDTH):
        raise not_found()
    trees = call.services.trees
    if level < 0:
        hashes = await trees.hashes(number * WIDTH, width)
        length = HASH_BYTES.to_bytes(2, "big")
        return Reply(b"".join(length + one for one in hashes), 200, (KEPT,), BYTES)
    tiles = await trees.tiles([(level, number)])
    return Reply(tiles[level, number][: width * HASH_BYTES], 200, (KEPT,), BYTES)


def _level(text: str) -> int | None:
    """The level of a path; -1 for the entries, None for no level."""
    if text == ENTRIES:
        return -1
    return int(text) if re.fullmatch("[0-9]", text) and int(text) < LEVELS else None


OPERATIONS: Final[tuple[Operation, ...]] = (get_log_tile, get_log_tile_part, get_far_log_tile)
