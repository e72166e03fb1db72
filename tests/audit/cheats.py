"""Records that were tampered with, by somebody who does or does not make the rest fit again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from infra.signing import SigningKey
from tests.audit.records import SIGNER
from tests.docs import page_chain

Lines = list[dict[str, Any]]


def lines_of(content: bytes) -> Lines:
    """The lines of a record, parsed."""
    return [json.loads(line) for line in content.splitlines()]


def written(lines: Lines) -> bytes:
    """Lines as they are written in a record."""
    return b"".join(plain(line).encode() + b"\n" for line in lines)


def plain(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def first_of(lines: Lines, type: str) -> int:
    """The place of the first event of a type."""
    return next(place for place, line in enumerate(lines) if line.get("type") == type)


def with_data(lines: Lines, place: int, /, **changed: Any) -> None:
    """Change members of an event's data."""
    data = json.loads(lines[place]["data"])
    data.update(changed)
    lines[place]["data"] = plain(data)


def resealed(content: bytes, change: Callable[[Lines], None], key: SigningKey = SIGNER) -> bytes:
    """The record after a change, with every hash, the digest and the signature made anew.

    That is what whoever holds the signing key can do.
    """
    lines = lines_of(content)
    change(lines)
    match = bytes.fromhex(lines[0]["match"].replace("-", ""))
    last = page_chain.genesis(match)
    events = [line for line in lines if "version" in line]
    for version, event in enumerate(events, 1):
        event["version"] = version
        last = page_chain.event_hash(match, event, last)
        event["hash"] = last.hex()
    digest = hashlib.sha256(written(lines[:-1])).digest()
    end = lines[-1]
    end |= {"head": len(events), "position": events[-1]["position"], "hash": last.hex()}
    end |= {"digest": digest.hex(), "key_id": key.key_id, "public_key": key.public_key.hex()}
    said = b"talon-record/1" + match + end["head"].to_bytes(8, "big")
    said += end["position"].to_bytes(8, "big") + last + digest
    end["signature"] = key.sign(said).hex()
    return written(lines)
