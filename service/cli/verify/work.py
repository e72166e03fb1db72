"""Many records checked by several processes, and what they say about each other."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.audit.checks import Fault, Report, check, checked
from domain.audit.included import Included, proof_faults, proven_in
from domain.audit.record import Malformed, Record, read
from domain.audit.tables import Played, played_in
from domain.audit.told import Told, held_against
from infra.signing import is_signed
from service.cli.verify.files import Found
from service.cli.verify.tables import Tables, Waiting, checked_tournament, is_tournaments

BATCH_BYTES: Final = 1_000_000
"""What a process is given at once: about 3,000 events."""
HASH_BYTES: Final = 8
"""As much of each hash is kept to compare records of one match with each other."""


AllTold = Mapping[str, tuple[Told, ...]]
"""What somebody was told and kept, by match."""


class Kept(Struct, frozen=True):
    """What records are held against: what somebody was told, and proofs by position."""

    told: AllTold
    proofs: Mapping[int, Included]


class Result(Struct, frozen=True):
    """What checking one record came to; ``hashes`` has the beginning of each event's hash,
    ``proved`` the positions of those that proofs are about."""

    name: str
    report: Report
    hashes: bytes
    proved: tuple[int, ...] = ()
    played: Played | None = None
    """How it ended, of a match."""
    tables: Tables | None = None
    """What it says of its tables, of a tournament."""


def verified(
    records: Iterable[Found], keys: Mapping[str, bytes] | None, kept: Kept, jobs: int
) -> Iterator[Result]:
    """The results, in order; two records of one match that differ are told.

    Tournaments come last: they are held against the matches.
    """
    waiting, tournaments = Waiting(), list[Result]()
    for result in _matches_told(_checked_by(records, keys, kept, jobs)):
        if result.tables is not None:
            tournaments.append(result)
            continue
        if result.played is not None and result.report.match is not None:
            waiting.match(result.report.match, result.played)
        yield result
    for result in tournaments:
        assert result.tables is not None
        report, tables = waiting.settled(result.report, result.tables)
        yield replace(result, report=report, tables=tables)


def _matches_told(results: Iterable[Result]) -> Iterator[Result]:
    """The results; a fault for a record that tells another history than one before."""
    seen: dict[str, tuple[str, bytes]] = {}
    for result in results:
        match, shown = result.report.match, result
        if match is not None and not result.report.faults:
            other = seen.get(match)
            if other is not None and (version := _differ(other[1], result.hashes)):
                words = f"{other[0]} tells another history of this match from here on"
                fault = Fault("history", words, version)
                shown = replace(result, report=replace(result.report, faults=(fault,)))
            elif other is None or len(other[1]) < len(result.hashes):
                seen[match] = result.name, result.hashes
        yield shown


def _differ(one: bytes, other: bytes) -> int:
    """The first version at which two chains differ, as far as both go; 0 if they do not."""
    for start in range(0, min(len(one), len(other)), HASH_BYTES):
        if one[start : start + HASH_BYTES] != other[start : start + HASH_BYTES]:
            return start // HASH_BYTES + 1
    return 0


def _checked_by(
    records: Iterable[Found], keys: Mapping[str, bytes] | None, kept: Kept, jobs: int
) -> Iterator[Result]:
    batches = _batches(records)
    first = next(batches, [])
    following = next(batches, None)
    if jobs == 1 or following is None:  # one batch is not worth a process
        for batch in chain((first, following or []), batches):
            yield from _check_all(batch, keys, kept)
        return
    waiting: deque[Future[list[Result]]] = deque()
    with ProcessPoolExecutor(jobs) as pool:
        for batch in chain((first, following), batches):
            waiting.append(pool.submit(_check_all, batch, keys, kept))
            if len(waiting) > 2 * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _batches(records: Iterable[Found]) -> Iterator[list[Found]]:
    batch: list[Found] = []
    size = 0
    for record in records:
        batch.append(record)
        size += len(record.content)
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _check_all(batch: list[Found], keys: Mapping[str, bytes] | None, kept: Kept) -> list[Result]:
    gc.disable()  # nothing that is made here refers back to itself
    try:
        return [_check_whatever(found, keys, kept) for found in batch]
    finally:
        gc.enable()


def _check_whatever(found: Found, keys: Mapping[str, bytes] | None, kept: Kept) -> Result:
    """The result of a record; one that a check fails on is bad, and the others are checked."""
    try:
        return _check(found, keys, kept)
    except Exception as error:  # Whatever somebody has written, it must not hide other records.
        fault = Fault("form", f"it cannot be checked: {type(error).__name__}")
        report = Report(None, None, 0, None, keys is not None, None, (fault,))
        return Result(found.name, report, b"")


def _check(found: Found, keys: Mapping[str, bytes] | None, kept: Kept) -> Result:
    if is_tournaments(found.content):
        report, tables, hashes = checked_tournament(found.content, keys)
        return Result(found.name, report, hashes, tables=tables)
    try:
        record = read(found.content)
    except Malformed:
        return Result(found.name, check(found.content, is_signed, keys), b"")
    report = checked(record, is_signed, keys)
    told = kept.told.get(record.opening.match, ())
    contrary = [fault for one in told for fault in held_against(record, one, is_signed, keys)]
    known = (bytes.fromhex(record.closing.public_key),) if keys is None else keys.values()
    contrary += proof_faults(record, kept.proofs, is_signed, known)
    if contrary:
        report = replace(report, faults=(*report.faults, *contrary))
    proved = tuple(line.position for line in proven_in(record, kept.proofs))
    return Result(found.name, report, _hashes(record), proved, played_in(record))


def _hashes(record: Record) -> bytes:
    return bytes.fromhex("".join(line.hash[: 2 * HASH_BYTES] for line in record.events))
