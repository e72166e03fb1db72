"""Tournaments among the records: each table held against its match's record, if that is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from domain.audit.checks import Fault, KnownKeys, Report
from domain.audit.tables import Claim, Played, claims_of, held
from domain.audit.tournament_checks import check_tournament, events_in
from domain.audit.tournament_record import BEGINS
from infra.signing import is_signed


class Tables(Struct, frozen=True):
    """What a tournament says of the matches at its tables: by id, and how many were compared."""

    claims: Mapping[str, Claim]
    compared: int = 0


def is_tournaments(content: bytes) -> bool:
    """Whether these bytes begin as the record of a tournament does."""
    return content.startswith(BEGINS)


def checked_tournament(content: bytes, keys: KnownKeys | None) -> tuple[Report, Tables, bytes]:
    """A tournament's record checked by itself, what it says of its tables, and its hashes."""
    report, record = check_tournament(content, is_signed, keys)
    if record is None or report.status is None:
        return report, Tables({}), b""
    hashes = bytes.fromhex("".join(line.hash[:16] for line in record.events))
    return report, Tables(claims_of(events_in(record))), hashes


class Waiting:
    """Matches that were read, and tournaments that wait until all are."""

    def __init__(self) -> None:
        self._played: dict[str, Played] = {}

    def match(self, match: str, played: Played) -> None:
        """Note how a match ended."""
        self._played[match.replace("-", "")] = played

    def settled(self, report: Report, tables: Tables) -> tuple[Report, Tables]:
        """The report of a tournament, its tables held against the matches that were read."""
        known = [match for match in tables.claims if match in self._played]
        faults = tuple(self._faults(tables.claims, known))
        shown = replace(report, faults=(*report.faults, *faults)) if faults else report
        return shown, replace(tables, compared=len(known))

    def _faults(self, claims: Mapping[str, Claim], known: list[str]) -> Iterator[Fault]:
        for match in known:
            yield from held(claims[match], self._played[match])
