"""Seals what must not be read in the database: seeds of running rounds, and reserved plans.

AES-256-GCM under one key of the application. The context (which stream and round, or which
request) is authenticated with it, so that a sealed value cannot be moved to another place.
Not here: where the key comes from.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from infra.key_text import KEY_BYTES, key_in, require_length

_NONCE_BYTES: Final = 12
_KEY_ID: Final = b"talon-seal-key/1"


class SealKeyError(Exception):
    """The seal key is malformed, or is not the one that this database was sealed with."""


class BrokenSeal(Exception):  # noqa: N818
    """A sealed value was changed, moved to another place, or sealed with another key."""


def new_key() -> bytes:
    """A fresh key, from the system's random numbers."""
    return secrets.token_bytes(KEY_BYTES)


def key_from(text: str) -> bytes:
    """The key in a setting: 32 bytes of base64, either alphabet, padded or not."""
    try:
        return key_in(text)
    except ValueError as error:
        raise SealKeyError(f"the seal key {error}") from error


class Sealer:
    """Seals and opens under one key. ``key_id`` names the key without telling it."""

    def __init__(self, key: bytes) -> None:
        try:
            require_length(key)
        except ValueError as error:
            raise SealKeyError(f"the seal key {error}") from error
        self.key_id: Final = hashlib.sha256(_KEY_ID + key).hexdigest()[:16]
        self._cipher = AESGCM(key)

    def seal(self, plain: bytes, context: bytes) -> bytes:
        """A random nonce (12 bytes), then the encrypted value and its tag (16 bytes)."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, context)

    def open(self, sealed: bytes, context: bytes) -> bytes:
        """The value that was sealed in this context; raises BrokenSeal."""
        try:
            return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], context)
        except (InvalidTag, ValueError) as error:
            raise BrokenSeal from error


def round_context(stream: bytes, number: int) -> bytes:
    """Where a round's seed belongs: stream (16 bytes) and round (u32 big-endian)."""
    return stream + number.to_bytes(4, "big")
