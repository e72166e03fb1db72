"""How fast the log's tree grows and proofs are made: ``python -m tests.audit.tree_speed``.

Without a database: what is measured is hashing, and how long a process that signs is kept from
all else.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from random import Random

from domain.audit.merkle import is_included, leaf_hash
from domain.audit.notes import Checkpoint, signed
from domain.audit.proofs import Signed, consistency, inclusion
from domain.audit.tiles import Growth
from infra.memory import MemoryLog
from infra.proofs.checkpointer import BATCH
from infra.proofs.memory import MemoryTrees
from infra.signing import SigningKey

EVENTS = 400 * BATCH
PROOFS = 2_000


async def main() -> None:
    """Print all figures."""
    hashes = [number.to_bytes(32, "big") for number in range(EVENTS)]
    trees, growth, signer = MemoryTrees(MemoryLog()), Growth(), SigningKey(bytes(range(32)))
    steps = []
    for start in range(0, EVENTS, BATCH):
        began = time.process_time()
        tiles = growth.add(map(leaf_hash, hashes[start : start + BATCH]))
        now = growth.root()
        note = str(signed(Checkpoint("log.example/speed", growth.size, now), signer))
        steps.append(time.process_time() - began)
        trees._signed = {growth.size: Signed(growth.size, start, now, note)}
        trees._tiles |= tiles
    print(f"tree: {EVENTS / sum(steps):,.0f} events/s, signed every {BATCH:,}")
    tell("a batch, its root and its signature", steps)

    random, inclusions, growths = Random(1), [], []
    for index in (random.randrange(EVENTS) for _ in range(PROOFS)):
        began = time.process_time()
        proof = await inclusion(trees, index, EVENTS)
        inclusions.append(time.process_time() - began)
        assert is_included(leaf_hash(hashes[index]), index, EVENTS, proof, growth.root())
        began = time.process_time()
        await consistency(trees, index + 1, EVENTS)
        growths.append(time.process_time() - began)
    tell("an inclusion proof, from tiles", inclusions)
    tell("a consistency proof, from tiles", growths)


def tell(what: str, seconds: list[float]) -> None:
    """Print the median and the 99th percentile."""
    cut = statistics.quantiles(seconds, n=100)
    print(f"{what}: median {cut[49] * 1e6:,.0f} µs, p99 {cut[98] * 1e6:,.0f} µs")


if __name__ == "__main__":
    asyncio.run(main())
