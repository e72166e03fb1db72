"""The log's tree on Postgres: checkpoints and tiles, both only added to."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from domain.audit.proofs import Signed, TreeContradiction
from domain.audit.tiles import Tile
from infra.postgres.pool import Pool, fetch


class PostgresTrees:
    """``domain.audit.proofs.Trees`` on Postgres."""

    def __init__(self, pool: Pool, log_id: int = 0) -> None:
        self._pool = pool
        self._log_id = log_id

    async def newest(self) -> Signed | None:
        """The checkpoint of the greatest size."""
        rows = await fetch(self._pool, "newest_checkpoint", self._log_id)
        return Signed(*rows[0]) if rows else None

    async def at(self, size: int) -> Signed | None:
        """The checkpoint of a size, if one was signed."""
        rows = await fetch(self._pool, "checkpoint", self._log_id, size)
        return Signed(*rows[0]) if rows else None

    async def tiles(self, wanted: Collection[Tile]) -> Mapping[Tile, bytes]:
        """Tiles as far as they have grown."""
        levels, numbers = [level for level, _ in wanted], [number for _, number in wanted]
        rows = await fetch(self._pool, "tiles", self._log_id, levels, numbers)
        return {(row["level"], row["number"]): row["hashes"] for row in rows}

    async def hashes(self, after: int, limit: int) -> tuple[bytes, ...]:
        """The hashes of the events after a position; raises TreeContradiction over a gap."""
        rows = await fetch(self._pool, "event_hashes", self._log_id, after, limit)
        for expected, row in enumerate(rows, after + 1):
            if row["position"] != expected:
                raise TreeContradiction(f"the event at position {expected} is missing")
        return tuple(row["hash"] for row in rows)

    async def grow(self, to: Signed, tiles: Mapping[Tile, bytes]) -> bool:
        """Keep a checkpoint with the tiles that have changed, both or neither."""
        rows = await fetch(
            self._pool,
            "grow_tree",
            self._log_id,
            *(to.size, to.previous, to.root, to.note),
            [level for level, _ in tiles],
            [number for _, number in tiles],
            list(tiles.values()),
        )
        return bool(rows)
