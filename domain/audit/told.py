"""What somebody was told and kept, held against a record: receipts, heads, and refusals.

A history that was changed or cut short after it was told can be consistent in itself; it cannot
be the one that was told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from domain.audit.checks import Fault, IsSigned, KnownKeys
from domain.audit.record import Record
from domain.audit.statements import of_head, of_receipt, of_refusal
from domain.chain import genesis


class Signed(Struct, frozen=True):
    """A signature in hex, and the id of its key."""

    key_id: str
    signature: str


class Told(Struct, frozen=True):
    """A receipt (with ``from_version``), a refusal (with ``code``), or a head, as answered.

    ``refused_at`` is in microseconds since the epoch.
    """

    match_id: str
    version: int
    hash: str
    position: int | None = None
    from_version: int | None = None
    previous_hash: str | None = None
    refused_at: int | None = None
    actor: str | None = None
    code: str | None = None
    command: str | None = None
    signature: Signed | None = None


def held_against(
    record: Record, told: Told, is_signed: IsSigned, keys: KnownKeys | None
) -> Iterator[Fault]:
    """Whether a record tells what was told: one fault for each part that it does not."""
    version, last = told.version, len(record.events)
    if version > last:
        words = f"it ends at version {last}, and somebody was told of version {version}"
        yield Fault("told", words, last)
        return
    if told.hash != _hash_at(record, version):
        yield Fault("told", "somebody was told another hash of this version", version)
    if told.position is not None and told.position != record.events[version - 1].position:
        yield Fault("told", "somebody was told another position of this version", version)
    before = told.from_version
    if before is not None and told.previous_hash != _hash_at(record, before):
        yield Fault("told", "somebody was told another hash of this version", before)
    if told.signature is not None and not _is_good(record, told, told.signature, is_signed, keys):
        yield Fault("told", "what somebody was told is not signed by a key that is known", version)


def _hash_at(record: Record, version: int) -> str | None:
    """The hash of a version that the record has; that of nothing is the genesis."""
    if version == 0:
        return genesis(record.match).hex()
    return record.events[version - 1].hash if 0 < version <= len(record.events) else None


def _is_good(
    record: Record, told: Told, signed: Signed, is_signed: IsSigned, keys: KnownKeys | None
) -> bool:
    own = {record.closing.key_id: bytes.fromhex(record.closing.public_key)}
    key = (own if keys is None else keys).get(signed.key_id)
    said = _said(record.match, told)
    is_hex = _SIGNATURE.fullmatch(signed.signature) is not None
    return key is not None and is_hex and is_signed(key, said, bytes.fromhex(signed.signature))


def _said(match: bytes, told: Told) -> bytes:
    """The bytes that were signed with what was told."""
    hash, version = bytes.fromhex(told.hash), told.version
    if told.code is not None:
        at, actor, command = told.refused_at or 0, told.actor or "", (told.command or "").encode()
        return of_refusal(match, version, hash, at, actor, told.code, command)
    position = told.position or 0
    if told.from_version is None:
        return of_head(match, version, position, hash)
    previous = bytes.fromhex(told.previous_hash or "")
    return of_receipt(match, told.from_version, version, position, previous, hash)


_SIGNATURE: Final = re.compile("[0-9a-f]{128}")
