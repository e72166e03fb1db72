"""The log by position: dense, and the tree over it as it was kept and signed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count as counting
from typing import Final

import asyncpg

from domain.audit.merkle import HASH_BYTES, leaf_hash
from domain.audit.notes import (
    ED25519,
    Checkpoint,
    NoteError,
    NoteKey,
    checkpoint_in,
    is_signed_by,
    opened,
)
from domain.audit.record import id_text
from domain.audit.statements import key_id_of
from domain.audit.stored import Broken
from domain.audit.tiles import LEVELS, WIDTH, Growth, Tile, last_tiles
from infra.fsck.reading import ROWS_SECONDS, Rows
from infra.postgres.pool import Connection
from infra.postgres.statements import statement
from infra.signing import is_signed

TILES: Final = 64
"""Full tiles that are compared at once: half a megabyte."""

_LEAVES: Final = "SELECT position, hash FROM event WHERE log_id = $1 ORDER BY log_id, position"
_CHECKPOINTS: Final = """
SELECT size, previous, root, note FROM log_checkpoint WHERE log_id = $1 ORDER BY log_id, size
"""
_NEWEST: Final = "SELECT coalesce(max(size), 0) FROM log_checkpoint WHERE log_id = $1"
_TILE_COUNT: Final = "SELECT count(*) FROM log_tile WHERE log_id = $1"
_COUNTER: Final = "SELECT position FROM log_counter WHERE log_id = $1"
_EVENT_AT: Final = "SELECT stream_id, version FROM event WHERE log_id = $1 AND position = $2"


class Keys:
    """The public keys that the log was ever signed with, as the database keeps them."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        self._keys = keys
        self.broken = [
            Broken("checkpoints", f"the signing key {name} is not the one of this name")
            for name, key in keys.items()
            if key_id_of(key) != name
        ]

    def fault_of(self, note: str) -> tuple[Checkpoint | None, str | None]:
        """What a note says, and what is wrong with it if anything is."""
        try:
            found = opened(note)
            said = checkpoint_in(found)
        except NoteError as error:
            return None, f"its note is none: {error}"
        keys = (NoteKey(said.origin, ED25519, key) for key in self._keys.values())
        if any(is_signed_by(found, key, is_signed) for key in keys):
            return said, None
        return said, "its note is not signed by a key of this log"


class TreeCheck:
    """One walk over all positions; ``told`` is the note that was kept outside the database."""

    def __init__(self, connection: Connection, told: str | None, log_id: int = 0) -> None:
        self._connection = connection
        self._log_id = log_id
        self._told = told
        self._growth = Growth()
        self._partial: dict[Tile, bytes] = {}
        self._full: dict[Tile, bytes] = {}
        self._fulls = 0
        self._is_led_astray = False
        self._lost = 0
        self.events = 0
        self.checkpoints = 0
        self.went_back = False
        """Whether the log ends before what was signed last, as after a restore."""
        self.broken: list[Broken] = []

    async def run(self) -> None:
        """Walk; what is wrong is in ``broken`` then."""
        rows = await self._connection.fetch(statement("signing_keys"), self._log_id)
        keys = Keys({row["key_id"]: row["public_key"] for row in rows})
        self.broken += keys.broken
        size = await self._connection.fetchval(_NEWEST, self._log_id)
        outside = self._outside(keys)
        leaves = Rows(self._connection, _LEAVES, self._log_id)
        checkpoints = Rows(self._connection, _CHECKPOINTS, self._log_id)
        before = 0
        due = await checkpoints.peek()
        while page := await leaves.page():
            hashes = list(self._dense(page))
            while hashes:
                stops = [int(due["size"])] if due is not None else []
                if outside is not None and outside.size > self._growth.size:
                    stops.append(outside.size)
                if not stops:
                    break
                room = max(0, min(stops) - self._growth.size)
                await self._grow(hashes[:room], size)
                hashes = hashes[room:]
                if outside is not None and outside.size == self._growth.size:
                    self._hold_against(outside)
                while due is not None and due["size"] <= self._growth.size:
                    before = self._checkpoint(due, before, keys)
                    await checkpoints.taken("size", due["size"])
                    due = await checkpoints.peek()
        while due is not None:
            before = self._checkpoint(due, before, keys)
            await checkpoints.taken("size", due["size"])
            due = await checkpoints.peek()
        await self._ended(size, outside)

    def _outside(self, keys: Keys) -> Checkpoint | None:
        """What was signed last, by the file outside the database."""
        if self._told is None:
            return None
        said, fault = keys.fault_of(self._told)
        if fault is not None:
            self._say("last signed", f"in the data folder: {fault}")
        return said if fault is None else None

    def _dense(self, page: Sequence[asyncpg.Record]) -> Iterator[bytes]:
        """The hashes of a page of events; the first position that is missing is told."""
        for row in page:
            expected = self.events + self._lost + 1
            if row["position"] != expected:
                if not self._lost:
                    words = f"position {expected} is missing"
                    self.broken.append(Broken("positions", words, position=row["position"]))
                self._lost += row["position"] - expected
            self.events += 1
            yield row["hash"]

    async def _grow(self, hashes: list[bytes], size: int) -> None:
        """Add leaves, and compare the tiles that are full by them with those that are kept."""
        if not hashes:
            return
        changed = self._growth.add(map(leaf_hash, hashes))
        if self._growth.size > size:
            return  # beyond what was signed in the database there are no tiles
        for tile, found in changed.items():
            self._partial.pop(tile, None)
            if len(found) == WIDTH * HASH_BYTES:
                self._full[tile] = found
            else:
                self._partial[tile] = found
        if len(self._full) >= TILES:
            await self._compare_tiles()

    async def _compare_tiles(self) -> None:
        found, self._full = self._full, {}
        self._fulls += len(found)
        await self._compare(found)

    async def _compare(self, wanted: Mapping[Tile, bytes]) -> None:
        levels, numbers = [level for level, _ in wanted], [number for _, number in wanted]
        rows = await self._connection.fetch(statement("tiles"), self._log_id, levels, numbers)
        kept = {(row["level"], row["number"]): row["hashes"] for row in rows}
        for tile, hashes in sorted(wanted.items()):
            if tile not in kept:
                self._say("tree", f"the tile {_named(tile)} is missing")
            elif kept[tile] != hashes:
                await self._differs(tile, hashes, kept[tile])

    async def _differs(self, tile: Tile, wanted: bytes, kept: bytes) -> None:
        """Name the first event over which a tile differs."""
        at = next(
            number
            for number in counting()
            if kept[number * HASH_BYTES :][:HASH_BYTES]
            != wanted[number * HASH_BYTES :][:HASH_BYTES]
        )
        first = ((tile[1] * WIDTH + at) << LEVELS * tile[0]) + 1
        words = f"the tile {_named(tile)} differs from the events, first over this one"
        row = await self._connection.fetchrow(_EVENT_AT, self._log_id, first)
        stream, version = (None, None) if row is None else row
        name = None if stream is None else id_text(stream)
        self.broken.append(Broken("tree", words, name, version, first))

    def _checkpoint(self, row: asyncpg.Record, before: int, keys: Keys) -> int:
        """Hold a checkpoint against the events, its note and the one before; its size."""
        size, previous, root, note = row
        self.checkpoints += 1
        said, fault = keys.fault_of(note)
        if fault is not None:
            self._say("checkpoints", f"at {size}: {fault}")
        elif said is not None and (said.size, said.root) != (size, root):
            self._say("checkpoints", f"at {size}: its note says another size or root")
        if previous != before:
            self._say("checkpoints", f"at {size}: it follows on {previous}, and {before} is before")
        if size > self._growth.size:
            self._say("checkpoints", f"at {size}: the log has only {self._growth.size} events")
        elif root != self._growth.root() and not self._lost:
            self._astray(f"at {size}: the events do not lead to its root")
        return int(size)

    def _astray(self, words: str) -> None:
        """The first checkpoint that the events do not lead to; those after it cannot go well."""
        if not self._is_led_astray:
            self._say("checkpoints", words)
        self._is_led_astray = True

    def _hold_against(self, outside: Checkpoint) -> None:
        if outside.root != self._growth.root() and not self._lost:
            words = f"the first {outside.size} events are not those that were signed"
            self._say("last signed", f"{words} by the note in the data folder")

    async def _ended(self, size: int, outside: Checkpoint | None) -> None:
        """The tiles that are not full, how many there are, the counter, and how far was signed."""
        await self._compare_tiles()
        if size <= self.events and not self._lost:
            last = last_tiles(size)
            await self._compare({tile: self._partial[tile] for tile in last})
            tiles = await self._connection.fetchval(_TILE_COUNT, self._log_id, timeout=ROWS_SECONDS)
            if tiles != self._fulls + len(last):
                words = f"{tiles} tiles are kept, and {self._fulls + len(last)} make up the tree"
                self._say("tree", words)
        counter = await self._connection.fetchval(_COUNTER, self._log_id)
        if counter != self.events + self._lost:
            end = self.events + self._lost
            self._say("counter", f"it stands at {counter}, and the last event at {end}")
        if outside is not None and outside.size > self.events + self._lost:
            self.went_back = True
            words = f"the log ends at {self.events}, and {outside.size} events were signed"
            self._say("last signed", f"{words}: it went back, as after a restore")

    def _say(self, check: str, words: str) -> None:
        self.broken.append(Broken(check, words))


def _named(tile: Tile) -> str:
    return f"{tile[0]}/{tile[1]}"
