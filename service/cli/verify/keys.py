"""The public keys that somebody trusts, from the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from domain.audit.statements import key_id_of
from service.cli.failure import Misuse

_HEX: Final = re.compile("[0-9a-f]{64}")


def keys_in(given: Sequence[str]) -> dict[str, bytes]:
    """Keys by id: each given as hex, or as a file of one or of a service's list."""
    keys: dict[str, bytes] = {}
    for one in given:
        texts = [one] if _HEX.fullmatch(one) else _in_file(one)
        for text in texts:
            key = bytes.fromhex(text)
            keys[key_id_of(key)] = key
    return keys


def _in_file(name: str) -> list[str]:
    try:
        content = Path(name).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Misuse(f"--key {name}: neither 64 hex digits nor a file: {error}") from error
    if _HEX.fullmatch(content):
        return [content]
    try:
        listed: Any = msgspec.json.decode(content)
        texts = [str(line["public_key"]) for line in listed["keys"]]
    except (msgspec.DecodeError, KeyError, TypeError, RecursionError):
        texts = []
    if not texts or not all(map(_HEX.fullmatch, texts)):
        raise Misuse(f"--key {name}: holds no public key")
    return texts
