"""The key under which the service signs what it tells: Ed25519, one key at a time.

What is signed is said in ``domain.audit.statements``. Not here: where the key comes from, nor
which keys there were before (``infra.postgres.keys``).
"""

from __future__ import annotations

import secrets
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.audit.statements import key_id_of
from infra.key_text import KEY_BYTES, key_in, require_length


class SigningKeyError(Exception):
    """The signing key is malformed."""


def new_key() -> bytes:
    """A fresh private key, from the system's random numbers."""
    return secrets.token_bytes(KEY_BYTES)


def key_from(text: str) -> bytes:
    """The private key in a setting: 32 bytes of base64, either alphabet, padded or not."""
    try:
        return key_in(text)
    except ValueError as error:
        raise SigningKeyError(f"the signing key {error}") from error


class SigningKey:
    """Signs; satisfies ``domain.audit.statements.Signer``."""

    def __init__(self, private: bytes) -> None:
        try:
            require_length(private)
        except ValueError as error:
            raise SigningKeyError(f"the signing key {error}") from error
        self._key = Ed25519PrivateKey.from_private_bytes(private)
        self.public_key: Final = self._key.public_key().public_bytes_raw()
        self.key_id: Final = key_id_of(self.public_key)

    def sign(self, message: bytes) -> bytes:
        """The signature, 64 bytes; the same message always has the same one."""
        return self._key.sign(message)


def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the holder of the key signed this message."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
