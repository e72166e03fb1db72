"""The key under which the service signs what it tells: Ed25519, one key at a time.

What is signed is said in ``domain.audit.statements``. Not here: where the key comes from, nor
which keys there were before (``infra.postgres.keys``).
"""

from __future__ import annotations

import base64
import secrets
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.audit.statements import key_id_of

KEY_BYTES: Final = 32


class SigningKeyError(Exception):
    """The signing key is malformed."""


def new_key() -> bytes:
    """A fresh private key, from the system's random numbers."""
    return secrets.token_bytes(KEY_BYTES)


def key_from(text: str) -> bytes:
    """The private key in a setting: 32 bytes of base64, either alphabet, padded or not."""
    digits = text.strip().rstrip("=").replace("+", "-").replace("/", "_")
    try:
        key = base64.b64decode(digits + "=" * (-len(digits) % 4), altchars=b"-_", validate=True)
    except ValueError as error:
        raise SigningKeyError("the signing key is no base64") from error
    if len(key) != KEY_BYTES:
        raise SigningKeyError(f"the signing key has {len(key)} bytes, not {KEY_BYTES}")
    return key


class SigningKey:
    """Signs; satisfies ``domain.audit.statements.Signer``."""

    def __init__(self, private: bytes) -> None:
        if len(private) != KEY_BYTES:
            raise SigningKeyError(f"the signing key has {len(private)} bytes, not {KEY_BYTES}")
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
