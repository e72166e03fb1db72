"""Command ids: what makes a retry of a command the same command."""

from __future__ import annotations

import hashlib
from typing import Final

from domain.commands import ActorKind

_TAG: Final = b"talon-command/1"


def command_id(stream: bytes, kind: ActorKind, occupant: str | None, key: str) -> bytes:
    """The first 16 bytes of SHA-256 over tag, stream, kind, occupant's digest and key.

    Kind and occupant are preceded by one length byte each. No player's id goes in: that would
    survive their erasure.
    """
    who, digest = kind.encode(), (occupant or "").encode()
    return hashlib.sha256(
        _TAG + stream + bytes((len(who),)) + who + bytes((len(digest),)) + digest + key.encode()
    ).digest()[:16]
