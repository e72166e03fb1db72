"""Proofs of inclusion that somebody fetched, read from files: one JSON answer on each line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from domain.audit.included import Included
from service.cli.failure import Failure

_decoder: Final = msgspec.json.Decoder(Included)


def proofs_in(names: Sequence[str]) -> dict[int, Included]:
    """The proofs in these files, by position."""
    proofs: dict[int, Included] = {}
    for name in names:
        try:
            lines = Path(name).read_bytes().splitlines()
        except OSError as error:
            raise Failure(f"--proof {name}: {error.strerror}") from error
        for number, line in enumerate(lines, 1):
            if line.strip():
                proof = _proof(line, f"--proof {name}, line {number}")
                proofs[proof.position] = proof
    return proofs


def _proof(line: bytes, where: str) -> Included:
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Failure(f"{where}: this is no proof of inclusion: {error}") from error
