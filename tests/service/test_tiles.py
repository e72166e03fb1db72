"""Tiles over HTTP: whoever reads them all computes the root that was signed, and needs no proof."""

from __future__ import annotations

import pytest

from domain.audit.merkle import leaf_hash
from domain.audit.tiles import Growth, last_tiles
from tests.contract.pen import STARTED, Pen, calls
from tests.service.support import House
from tests.service.test_proofs import checkpoint, covered

pytestmark = pytest.mark.anyio


async def test_the_root_follows_from_the_tiles_and_these_from_the_entries(talon: House) -> None:
    await Pen(talon.services.log).write(STARTED, *calls(*range(700)))
    await covered(talon)
    said, tiles = await checkpoint(talon.stranger), {}
    for (level, number), width in last_tiles(said.size).items():
        path = f"/v1/log/tile/{level}/{number:03}.p/{width}"
        answer = await talon.stranger.get(path)
        assert answer.status_code == 200, answer.text
        assert "immutable" in answer.headers["Cache-Control"]
        tiles[level, number] = answer.content
    assert Growth(said.size, tiles).root() == said.root

    entries = (await talon.stranger.get("/v1/log/tile/entries/000")).content
    tile = (await talon.stranger.get("/v1/log/tile/0/000")).content
    assert len(tile) == 8_192
    each = [entries[at : at + 34] for at in range(0, len(entries), 34)]
    assert {one[:2] for one in each} == {b"\x00\x20"}
    assert b"".join(leaf_hash(one[2:]) for one in each) == tile
    assert (await talon.stranger.get("/v1/log/tile/0/000.p/3")).content == tile[:96]


@pytest.mark.parametrize(
    "path",
    [
        *("0/999", "0/000.p/0", "0/000.p/256", "0/000.p/05", "8/000", "00/000", "x/000"),
        *("0/0", "0/x000/000.p/1/2", "0/000.p/255", "entries/000.p/255", "0/x001/234"),
        *("0/x001/234.p/5", "1/٠٠٠", "-1/000", "0/x00/000", "0/x000/000", "0/x000/000.p/5"),
    ],
)
async def test_what_is_no_tile_or_none_yet_is_not_there(talon: House, path: str) -> None:
    assert (await talon.stranger.get(f"/v1/log/tile/{path}")).status_code == 404
