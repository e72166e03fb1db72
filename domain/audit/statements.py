"""What the service signs: bytes that name their own kind first, so that none passes for another.

``docs/record-format.md`` is normative. Not here: the keys (``infra.signing``).
"""

from __future__ import annotations

import hashlib
from typing import Final, Protocol

from msgspec import Struct

_KEY_ID: Final = b"talon-signing-key/1"
_ORIGIN: Final = b"talon-origin/1"
_RECORD: Final = b"talon-record/1"
_TOURNAMENT: Final = b"talon-tournament/1"
_HEAD: Final = b"talon-head/1"
_RECEIPT: Final = b"talon-receipt/1"
_REFUSAL: Final = b"talon-refusal/1"


class PublicKey(Struct, frozen=True, gc=False):
    """A key that statements are checked with. ``since`` is when it came into use, in microseconds
    since the epoch."""

    key_id: str
    public_key: bytes
    since: int


class Signer(Protocol):
    """Signs under one Ed25519 key; ``key_id`` and ``public_key`` (32 bytes) name it."""

    @property
    def key_id(self) -> str:
        """The key's name: 16 hex digits that follow from the public key."""

    @property
    def public_key(self) -> bytes:
        """The key that signatures are checked with."""

    def sign(self, message: bytes) -> bytes:
        """64 bytes that only the holder of the key can make."""


class Keys(Protocol):
    """The public keys of a log, those of former times too: what was signed is checked for ever."""

    async def keep(self, key: PublicKey) -> None:
        """Note a key that has come into use; one that is known keeps its time."""

    async def renamed(self) -> str | None:
        """The name that the log took after a restore, if it ever did."""

    async def kept(self) -> tuple[PublicKey, ...]:
        """All keys that ever were in use, the oldest first."""


def key_id_of(public_key: bytes) -> str:
    """The name of a key: the first 8 bytes, in hex, of SHA-256 of a tag and the public key."""
    return hashlib.sha256(_KEY_ID + public_key).hexdigest()[:16]


def origin_of(first: PublicKey) -> str:
    """The name of a log that was given none: it follows from its first key, and since when."""
    text = _ORIGIN + first.public_key + first.since.to_bytes(8, "big", signed=True)
    return f"talon/{hashlib.sha256(text).hexdigest()[:16]}"


def of_record(match: bytes, version: int, position: int, hash: bytes, digest: bytes) -> bytes:
    """The last line of a record: where the match stands, and all lines before it."""
    return _RECORD + match + _u64(version) + _u64(position) + hash + digest


def of_tournament(
    tournament: bytes, version: int, position: int, hash: bytes, digest: bytes
) -> bytes:
    """The last line of a tournament's record, as that of a match's."""
    return _TOURNAMENT + tournament + _u64(version) + _u64(position) + hash + digest


def of_head(match: bytes, version: int, position: int, hash: bytes) -> bytes:
    """Where a match stands: ``hash`` is that of the event at ``version``, at ``position``."""
    return _HEAD + match + _u64(version) + _u64(position) + hash


def of_receipt(
    match: bytes, from_version: int, version: int, position: int, previous: bytes, hash: bytes
) -> bytes:
    """A command was accepted and led from one version to another."""
    versions = _u64(from_version) + _u64(version) + _u64(position)
    return _RECEIPT + match + versions + previous + hash


def of_refusal(
    match: bytes, version: int, hash: bytes, at: int, actor: str, code: str, command: bytes
) -> bytes:
    """A command was refused while the match stood at ``version``; ``at`` in microseconds."""
    return b"".join(
        (
            _REFUSAL,
            match,
            _u64(version),
            hash,
            at.to_bytes(8, "big", signed=True),
            _short(actor),
            _short(code),
            len(command).to_bytes(4, "big"),
            command,
        )
    )


def _u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def _short(text: str) -> bytes:
    encoded = text.encode()
    return bytes((len(encoded),)) + encoded
