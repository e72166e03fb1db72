"""Proofs that events are in the log's tree, held against a record of their match.

A record is good by itself, whether or not its log ever had it. With the proof of an event, and
all events before it, it is what the checkpoint in the proof binds the log to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from domain.audit.checks import Fault, IsSigned
from domain.audit.merkle import HASH_BYTES, is_included, leaf_hash
from domain.audit.notes import ED25519, NoteError, NoteKey, checkpoint_in, is_signed_by, opened
from domain.audit.record import EventLine, Record


class Included(Struct, frozen=True):
    """A proof as ``GET /v1/log/proofs/{position}`` answers it; other members say the same again."""

    position: int
    event_hash: str
    hashes: tuple[str, ...]
    checkpoint: str


def proof_faults(
    record: Record, proofs: Mapping[int, Included], is_signed: IsSigned, keys: Iterable[bytes]
) -> Iterator[Fault]:
    """Whether the log has the events of a record that there are proofs of: a fault for each."""
    known = tuple(keys)
    for line in proven_in(record, proofs):
        words = _wrong(line, proofs[line.position], is_signed, known)
        if words is not None:
            yield Fault("proof", words, line.version, line.type)


def proven_in(record: Record, proofs: Mapping[int, Included]) -> Iterator[EventLine]:
    """The events of a record at whose positions there are proofs."""
    return (line for line in record.events if line.position in proofs)


def _wrong(
    line: EventLine, proof: Included, is_signed: IsSigned, keys: tuple[bytes, ...]
) -> str | None:
    """What is wrong with a proof; nothing if the log has this very event."""
    if proof.event_hash != line.hash:
        return "the log has another event at this position"
    try:
        note = opened(proof.checkpoint)
        said = checkpoint_in(note)
        hashes = [bytes.fromhex(one) for one in proof.hashes]
    except (NoteError, ValueError) as error:
        return f"the proof cannot be read: {error}"
    if not any(is_signed_by(note, NoteKey(said.origin, ED25519, key), is_signed) for key in keys):
        return "the checkpoint is signed by no key that is known"
    leaf = leaf_hash(bytes.fromhex(line.hash))
    sizes = {len(one) for one in hashes}
    is_in = 0 < line.position <= said.size and sizes <= _HASHES
    if not is_in or not is_included(leaf, line.position - 1, said.size, hashes, said.root):
        return "the tree of the checkpoint does not have it"
    return None


_HASHES: Final = frozenset((HASH_BYTES,))
