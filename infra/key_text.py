"""Keys as they stand in settings and files: 32 bytes of base64."""

from __future__ import annotations

import base64
from typing import Final

KEY_BYTES: Final = 32


def key_in(text: str) -> bytes:
    """The key in a text, either alphabet, padded or not; raises ValueError, which says why."""
    digits = text.strip().rstrip("=").replace("+", "-").replace("/", "_")
    try:
        key = base64.b64decode(digits + "=" * (-len(digits) % 4), altchars=b"-_", validate=True)
    except ValueError as error:
        raise ValueError("is no base64") from error
    return require_length(key)


def require_length(key: bytes) -> bytes:
    """The key, if it is as long as a key is; raises ValueError, which says why."""
    if len(key) != KEY_BYTES:
        raise ValueError(f"has {len(key)} bytes, not {KEY_BYTES}")
    return key
