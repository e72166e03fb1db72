"""What somebody was told and kept, read from a file: answers of the service, one on each line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import msgspec

from domain.audit.told import Told
from service.cli.failure import Failure

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_HASH: Final = re.compile("[0-9a-f]{64}")


def told_in(names: Sequence[str]) -> dict[str, tuple[Told, ...]]:
    """What these files tell, by match: receipts, heads and refusals, or answers that hold one."""
    told: dict[str, tuple[Told, ...]] = {}
    for name in names:
        try:
            lines = Path(name).read_bytes().splitlines()
        except OSError as error:
            raise Failure(f"--told {name}: {error.strerror}") from error
        for number, line in enumerate(lines, 1):
            if line.strip():
                one = _told(line, f"--told {name}, line {number}")
                told[one.match_id] = (*told.get(one.match_id, ()), one)
    return told


def _told(line: bytes, where: str) -> Told:
    try:
        answer: Any = msgspec.json.decode(line)
        found = answer.get("receipt", answer)
        if "refused_at" in found:
            since = datetime.fromisoformat(found["refused_at"]) - _EPOCH
            found = found | {"refused_at": since // timedelta(microseconds=1)}
        told = msgspec.convert(found, Told)
    except (AttributeError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise Failure(f"{where}: neither a receipt, a head nor a refusal: {error}") from error
    if not all(map(_HASH.fullmatch, (told.hash, told.previous_hash or told.hash))):
        raise Failure(f"{where}: a hash has 64 hex digits")
    if min(told.version, told.from_version or told.version) < 1:
        raise Failure(f"{where}: versions count from 1")
    return told
