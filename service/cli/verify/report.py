"""What verifying says: for a person in words, for a program in lines of JSON."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sized
from typing import Any, Final, Protocol

import msgspec

from service.cli.shown import shown
from service.cli.verify.work import Result

FEW: Final = 10
"""So many records are named though they hold; of more, only those that do not."""
_TERMINAL_SECONDS: Final = 0.2
_FILE_SECONDS: Final = 10.0
"""How often progress is told: over and over on one line of a terminal, else now and then."""


AllTold = Mapping[str, Sized]
"""What somebody was told and kept, by match."""


class Promises(msgspec.Struct, frozen=True):
    """How many things that were told, or proofs, were read, and how many a record was held
    against."""

    read: int
    held: int
    of_other_matches: int


class Tally:
    """What the records came to so far; ``told`` is what they are held against, if anything."""

    def __init__(self, told: AllTold | None, proofs: Sized | None) -> None:
        self._told = told
        self._proofs = proofs
        self._proved: set[int] = set()
        self._matches: set[str] = set()
        self.records = self.holding = self.open = self.events = self.unreadable = 0
        self.keys: set[str] = set()
        self.unsigned = 0
        self.began = time.monotonic()

    def add(self, result: Result) -> None:
        """Count a record."""
        report = result.report
        self.records += 1
        self.holding += report.holds
        self.open += report.sealed_from is not None or report.status in ("open", "running")
        self.events += report.events
        if report.key_id is not None:
            self.keys.add(report.key_id)
        self.unsigned += any(fault.check == "signature" for fault in report.faults)
        if report.match is not None:
            self._matches.add(report.match)
        self._proved.update(result.proved)

    @property
    def proofs(self) -> Promises | None:
        """How many proofs are about events of the records."""
        if self._proofs is None:
            return None
        read, held = len(self._proofs), len(self._proved)
        return Promises(read=read, held=held, of_other_matches=read - held)

    @property
    def told(self) -> Promises | None:
        """How much of what was told could be held against the records."""
        if self._told is None:
            return None
        read = sum(map(len, self._told.values()))
        held = sum(len(self._told.get(match, ())) for match in self._matches)
        return Promises(read=read, held=held, of_other_matches=read - held)

    @property
    def code(self) -> int:
        """The exit code of the command."""
        if self.unreadable:
            return 2
        nothing_was_compared = any(
            kept is not None and kept.held == 0 for kept in (self.told, self.proofs)
        )
        return 1 if self.holding < self.records or nothing_was_compared else 0


class Reporter(Protocol):
    """Is told of every record once it is checked."""

    def tell(self, result: Result) -> None:
        """A record is checked."""

    def unreadable(self, problem: str) -> None:
        """A file could not be read."""

    def close(self, *, key_is_given: bool) -> None:
        """All is told."""

    @property
    def code(self) -> int:
        """The exit code of the command."""


class Words:
    """For a person: faults, and a summary; progress on standard error."""

    def __init__(self, told: AllTold | None, proofs: Sized | None, *, verbose: bool) -> None:
        self._verbose = verbose
        self._tally = Tally(told, proofs)
        self._is_terminal = sys.stderr.isatty()
        self._told_at = time.monotonic()

    def tell(self, result: Result) -> None:
        """A line for each fault; one for a record that holds if that is wanted."""
        self._tally.add(result)
        report = result.report
        for fault in report.faults:
            self._print(f"BAD {result.name}: {fault}")
        if report.holds and (self._verbose or self._tally.records <= FEW):
            goes_on = f", hands sealed from version {report.sealed_from}"
            state = f"{report.status or 'going on'}{goes_on if report.sealed_from else ''}"
            kind = "match" if result.tables is None else "tournament"
            self._print(
                f"ok  {result.name}: {kind} {report.match}, {report.events} events, {state}"
                f"{_held(result)}"
            )
        self._progress()

    def unreadable(self, problem: str) -> None:
        """On standard error, at once."""
        self._tally.unreadable += 1
        print(shown(f"talon: {problem}"), file=sys.stderr)

    def close(self, *, key_is_given: bool) -> None:
        """How many records hold, and what their signatures are worth."""
        tally = self._tally
        bad = tally.records - tally.holding
        self._print(
            f"{tally.records:,} records of {tally.events:,} events in"
            f" {time.monotonic() - tally.began:.1f} s: {tally.holding:,} hold, {bad:,} do not;"
            f" {tally.open:,} of matches that go on"
        )
        names = ", ".join(sorted(tally.keys)) or "none"
        if key_is_given:
            strange = f": {tally.unsigned:,} not by one of them" if tally.unsigned else ""
            self._print(f"signed by: {names}, held against the keys given{strange}")
        else:
            self._print(
                f"signed by: {names}, as the records say themselves; give --key to hold them"
                " against a key that you have from elsewhere"
            )
        if (told := tally.told) is not None:
            self._print(
                f"of {told.read:,} promises {told.held:,} were held against these records,"
                f" {told.of_other_matches:,} are about matches that are not among them"
            )
            if told.held == 0:
                self._print("BAD nothing that was told could be compared")
        if (proofs := tally.proofs) is not None:
            self._print(
                f"of {proofs.read:,} proofs {proofs.held:,} were held against these records"
            )
            if proofs.held == 0:
                self._print("BAD no proof is about an event of these records")

    @property
    def code(self) -> int:
        """The exit code of the command."""
        return self._tally.code

    def _print(self, line: str) -> None:
        if self._is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        print(shown(line))

    def _progress(self) -> None:
        pause = _TERMINAL_SECONDS if self._is_terminal else _FILE_SECONDS
        if time.monotonic() - self._told_at < pause:
            return
        self._told_at = time.monotonic()
        tally = self._tally
        bad = tally.records - tally.holding
        line = f"{tally.records:,} records, {tally.events:,} events, {bad:,} bad so far"
        if self._is_terminal:
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)


def _held(result: Result) -> str:
    """How many of a tournament's tables could be held against a record; nothing of a match."""
    if result.tables is None:
        return ""
    return f", {result.tables.compared} of {len(result.tables.claims)} tables held to their records"


class Lines:
    """For a program: an object for each record, and one with the summary at the end."""

    def __init__(self, told: AllTold | None, proofs: Sized | None) -> None:
        self._tally = Tally(told, proofs)

    def tell(self, result: Result) -> None:
        """One object."""
        self._tally.add(result)
        report = result.report
        self._write(
            {
                "file": shown(result.name),
                "match": report.match if result.tables is None else None,
                "tournament": None if result.tables is None else report.match,
                "status": report.status,
                "events": report.events,
                "holds": report.holds,
                "sealed_from": report.sealed_from,
                "key_id": report.key_id,
                "key": "given" if report.key_is_given else "in_record",
                "faults": report.faults,
            }
        )

    def unreadable(self, problem: str) -> None:
        """One object too."""
        self._tally.unreadable += 1
        self._write({"unreadable": shown(problem)})

    def close(self, *, key_is_given: bool) -> None:
        """The summary."""
        tally = self._tally
        self._write(
            {
                "summary": {
                    "records": tally.records,
                    "hold": tally.holding,
                    "go_on": tally.open,
                    "events": tally.events,
                    "unreadable": tally.unreadable,
                    "keys": sorted(tally.keys),
                    "key": "given" if key_is_given else "in_record",
                    "told": tally.told,
                    "proofs": tally.proofs,
                }
            }
        )

    @property
    def code(self) -> int:
        """The exit code of the command."""
        return self._tally.code

    def _write(self, line: dict[str, Any]) -> None:
        print(shown(_encoder.encode(line).decode()))


_encoder: Final = msgspec.json.Encoder()
