"""The vectors of the log's tree hold for the product."""

from __future__ import annotations

import json
from pathlib import Path

from domain.audit.merkle import (
    consistency_ranges,
    inclusion_ranges,
    is_consistent,
    is_included,
    leaf_hash,
    range_hash,
)
from domain.audit.notes import Checkpoint, checkpoint_in, is_signed_by, key_from, opened, signed
from domain.audit.statements import PublicKey, origin_of
from domain.audit.tiles import Growth, hash_in
from infra.signing import SigningKey, is_signed

TREE = json.loads((Path(__file__).parents[2] / "docs" / "vectors" / "tree.json").read_text())
LEAVES = [leaf_hash(bytes.fromhex(entry)) for entry in TREE["entries"]]
ROOTS = [bytes.fromhex(root) for root in TREE["roots"]]


def test_roots_and_proofs_are_those_of_the_vectors() -> None:
    for size, root in enumerate(ROOTS):
        growth = Growth()
        growth.add(LEAVES[:size])
        assert growth.root() == root
    tiles = Growth().add(LEAVES)
    for one in TREE["inclusion"]:
        hashes = [bytes.fromhex(text) for text in one["hashes"]]
        index, size = one["index"], one["size"]
        assert is_included(LEAVES[index], index, size, hashes, ROOTS[size])
        ranges = inclusion_ranges(index, size)
        assert hashes == [range_hash(leaves, lambda key: hash_in(tiles, key)) for leaves in ranges]
    for one in TREE["consistency"]:
        hashes = [bytes.fromhex(text) for text in one["hashes"]]
        old, new = one["from"], one["to"]
        assert is_consistent(old, new, ROOTS[old], ROOTS[new], hashes)
        ranges = consistency_ranges(old, new)
        assert hashes == [range_hash(leaves, lambda key: hash_in(tiles, key)) for leaves in ranges]


def test_the_checkpoint_is_signed_as_the_vectors_say() -> None:
    given = TREE["checkpoint"]
    signer, key = SigningKey(bytes.fromhex(given["private_key"])), key_from(given["key"])
    note = opened(given["note"])
    assert is_signed_by(note, key, is_signed)
    said = checkpoint_in(note)
    assert said.origin == origin_of(
        PublicKey(signer.key_id, signer.public_key, 1_700_000_000_000_000)
    )
    assert str(signed(Checkpoint(said.origin, len(LEAVES), ROOTS[-1]), signer)) == given["note"]
