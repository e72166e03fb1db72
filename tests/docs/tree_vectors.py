"""The vectors of docs/vectors/tree.json, from the implementation made from the page."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.docs import page_tree as page

PUBLISHED = (
    *("", "00", "10", "2021", "3031", "40414243", "5051525354555657"),
    "606162636465666768696a6b6c6d6e6f",
)
ENTRIES = [
    *(bytes.fromhex(text) for text in PUBLISHED),
    *(bytes((number,)) * 32 for number in range(8, 21)),
]
PRIVATE_KEY = bytes(range(32))


def tree() -> dict[str, Any]:
    """What docs/log-proofs.md says the file holds."""
    return {
        "entries": [entry.hex() for entry in ENTRIES],
        "roots": [page.root(ENTRIES[:size]).hex() for size in range(len(ENTRIES) + 1)],
        "inclusion": [
            {"index": index, "size": size, "hashes": hexes(page.inclusion(index, ENTRIES[:size]))}
            for size in (1, 2, 3, 7, 8, 21)
            for index in sorted({0, size // 2, size - 1})
        ],
        "consistency": [
            {"from": old, "to": new, "hashes": hexes(page.consistency(old, ENTRIES[:new]))}
            for old, new in (
                (0, 5),
                (1, 1),
                (1, 8),
                (2, 5),
                (3, 7),
                (4, 8),
                (6, 8),
                (8, 21),
                (20, 21),
            )
        ],
        "checkpoint": checkpoint(),
    }


def checkpoint() -> dict[str, str]:
    """A signed note over all entries."""
    private = Ed25519PrivateKey.from_private_bytes(PRIVATE_KEY)
    public = private.public_key().public_bytes_raw()
    name = page.origin(public, 1_700_000_000_000_000)
    text, key_id = page.checkpoint(name, ENTRIES), page.key_id(name, public)
    line = b64encode(key_id + private.sign(text.encode())).decode()
    return {
        "private_key": PRIVATE_KEY.hex(),
        "key": f"{name}+{key_id.hex()}+{b64encode(bytes((1,)) + public).decode()}",
        "note": f"{text}\n— {name} {line}\n",
    }


def hexes(hashes: list[bytes]) -> list[str]:
    """Hashes as the file has them."""
    return [one.hex() for one in hashes]
