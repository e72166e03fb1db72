"""What tests of checkpoints share: a log with a tree over it, and those who sign it."""

from __future__ import annotations

from domain.audit.notes import Checkpoint, checkpoint_in, opened
from domain.audit.proofs import LastSigned, Trees
from infra.projections.leader import Leader, MemoryLeader
from infra.proofs.checkpointer import Checkpointer
from infra.signing import SigningKey

ORIGIN = "log.example/talon"
KEY = SigningKey(bytes(range(32)))


def signer(trees: Trees, last: LastSigned, leader: Leader | None = None) -> Checkpointer:
    """A process that signs."""
    return Checkpointer(leader or MemoryLeader(), trees, last, KEY, ORIGIN)


async def newest(trees: Trees) -> Checkpoint:
    """What the newest checkpoint says."""
    found = await trees.newest()
    assert found is not None
    said = checkpoint_in(opened(found.note))
    assert (said.size, said.root) == (found.size, found.root)
    return said
