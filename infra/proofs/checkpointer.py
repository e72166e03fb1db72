"""Makes the log's tree grow and signs it: in the process that leads, and never against itself.

A checkpoint is signed, then kept outside the database, then kept in it; only then is it shown.
So one that anybody has seen is known after any crash, and after any restore.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from domain.audit.merkle import leaf_hash
from domain.audit.notes import Checkpoint, checkpoint_in, opened, signed
from domain.audit.proofs import LastSigned, Signed, TreeContradiction, Trees, root
from domain.audit.statements import Signer
from domain.audit.tiles import Growth, last_tiles
from domain.ports import Unavailable
from infra.projections.leader import Leader
from infra.projections.turns import take_turns

PAUSE_SECONDS: Final = 1.0
"""Between checkpoints, and between looks for new events: far below the 5 s that are promised."""
BATCH: Final = 1_024
"""Events at once: a few milliseconds, in which nothing else is served."""

_logger: Final = logging.getLogger(__name__)


class Checkpointer:
    """The loop of one process: it leads, or waits to."""

    def __init__(
        self, leader: Leader, trees: Trees, last: LastSigned, signer: Signer, origin: str
    ) -> None:
        self._leader = leader
        self._trees = trees
        self._last = last
        self._signer = signer
        self._origin = origin
        self._epoch: int | None = None
        self._growth: Growth | None = None
        self._floor = 0
        self.is_leading = False
        """Whether this process led when it last looked."""
        self.size = 0
        """Events in the newest checkpoint of this process; 0 until it leads."""
        self.signed_at: float | None = None
        """When it was signed here, in seconds since the epoch: for a metric."""
        self.failure: str | None = None
        """Why nothing is signed any more, or just now."""

    async def run(self, stopping: asyncio.Event) -> None:
        """Sign what is added until ``stopping`` is set; ends early only on a contradiction."""
        try:
            await take_turns(self._step_or_fail, stopping)
        finally:
            self.is_leading = False
            await self._leader.resign()

    async def step(self) -> bool:
        """Sign the next events; whether there may be more at once.

        Raises TreeContradiction if the log is not the one that was signed before.
        """
        epoch = await self._leader.epoch()
        if epoch is None:
            self._growth, self.size, self.is_leading = None, 0, False
            return False
        self.is_leading = True
        growth, self._growth = self._growth, None  # until this step has gone well
        if growth is None or epoch != self._epoch:
            growth = await self._begun()
            self._epoch = epoch
        size = growth.size
        limit = max(BATCH, self._floor - size)
        hashes = await self._trees.hashes(size, limit)
        if hashes:
            tiles = growth.add(map(leaf_hash, hashes))
            checkpoint = Checkpoint(self._origin, growth.size, growth.root())
            note = str(signed(checkpoint, self._signer))
            await self._last.keep(self._origin, note)
            if not await self._trees.grow(Signed(growth.size, size, checkpoint.root, note), tiles):
                return True  # another process was faster: begin again where it stands
            self.signed_at = time.time()
        self._growth, self.size = growth, growth.size
        return len(hashes) == limit

    async def _step_or_fail(self) -> float | None:
        """Do a step; the seconds to wait until the next, None if there can be none."""
        try:
            is_behind = await self.step()
        except TreeContradiction as error:
            self.failure = str(error)
            _logger.critical("no checkpoint is signed any more: %s", error)
            return None
        except Unavailable as error:
            self.failure = str(error)
        except Exception as error:  # It must not end the loop; it is tried again.
            _logger.exception("signing a checkpoint failed")
            self.failure = repr(error)
            await self._leader.resign()
        else:
            self.failure = None
            return 0.0 if is_behind else PAUSE_SECONDS
        return PAUSE_SECONDS

    async def _begun(self) -> Growth:
        """The tree as it was signed last, held against what was signed outside the database."""
        newest = await self._trees.newest()
        size = newest.size if newest else 0
        try:
            growth = Growth(size, await self._trees.tiles(last_tiles(size)))
        except KeyError as error:
            raise TreeContradiction(f"the tile {error} is missing or too short") from error
        if newest and growth.root() != newest.root:
            raise TreeContradiction(f"the tiles at {size} do not lead to the root that was signed")
        told = await self._last.load(self._origin)
        if told is not None:
            await self._hold_against(checkpoint_in(opened(told)), size)
        return growth

    async def _hold_against(self, known: Checkpoint, size: int) -> None:
        """Raise TreeContradiction unless the log begins with what was signed."""
        self._floor = known.size
        if known.size <= size:
            found = await root(self._trees, known.size)
        else:
            found = await self._root_beyond(known.size, size)
        if found != known.root:
            raise TreeContradiction(
                f"the log's first {known.size} events are not those that were signed"
            )

    async def _root_beyond(self, end: int, size: int) -> bytes:
        """The root at a size that the kept tree has not come to yet, from the events."""
        growth = Growth(size, await self._trees.tiles(last_tiles(size)))
        while growth.size < end:
            hashes = await self._trees.hashes(growth.size, min(BATCH, end - growth.size))
            if not hashes:
                raise TreeContradiction(
                    f"the log ends at {growth.size}, and {end} events were signed:"
                    " it went back, as after a restore; stop the service and run"
                    " `talon fsck --after-restore`"
                )
            growth.add(map(leaf_hash, hashes))
            await asyncio.sleep(0)
        return growth.root()
