"""What looking through a database says: for a person in words, for a program in lines of JSON."""

from __future__ import annotations

import sys
import time
from typing import Final

import msgspec

from service.cli.fsck.work import Done
from service.cli.shown import shown

BROKEN: Final = 3
"""The exit code if anything is broken."""
_TERMINAL_SECONDS: Final = 0.2
_FILE_SECONDS: Final = 10.0
"""How often progress is told: over and over on one line of a terminal, else now and then."""


class Reporter:
    """Is told of every part that is done; says at once what is broken, and at the end how much."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._is_terminal = sys.stderr.isatty()
        self._began = self._told_at = time.monotonic()
        self._streams = self._events = self._checkpoints = self._views = self._behind = 0
        self.broken = 0
        self.went_back = False

    def tell(self, done: Done) -> None:
        """A part is done."""
        self._streams += done.streams
        self._events += done.events
        self._checkpoints += done.checkpoints or 0
        self._views += done.views
        self._behind += done.behind
        self.broken += len(done.broken)
        self.went_back |= done.went_back
        for one in done.broken:
            line = msgspec.json.encode(one).decode() if self._as_json else f"BAD {one}"
            print(shown(line), flush=True)
        if done.remark is not None:
            self.remark(done.remark)
        self._progress()

    @property
    def code(self) -> int:
        """The exit code of the command."""
        return BROKEN if self.broken else 0

    def close(self) -> None:
        """How much was looked at, how fast, and how much of it is broken."""
        seconds = time.monotonic() - self._began
        if self._as_json:
            summary = {
                "events": self._events,
                "matches": self._streams,
                "checkpoints": self._checkpoints,
                "views": self._views,
                "seconds": round(seconds, 3),
                "broken": self.broken,
            }
            print(msgspec.json.encode(summary).decode(), flush=True)
            return
        if self._is_terminal:
            print("\r\033[K", end="", file=sys.stderr)
        if self._behind:
            self.remark(f"{self._behind:,} views are older than their matches: a service that runs")
            self.remark("puts them right by itself")
        print(
            f"{self._events:,} events of {self._streams:,} matches, {self._checkpoints:,}"
            f" checkpoints and {self._views:,} views in {seconds:.1f} s"
            f" ({self._events / max(seconds, 1e-9):,.0f} events a second):"
            f" {f'{self.broken:,} broken' if self.broken else 'whole'}",
            flush=True,
        )

    def remark(self, words: str) -> None:
        """What is no fault, and should be known."""
        print(f"talon: {words}", file=sys.stderr)

    def _progress(self) -> None:
        now = time.monotonic()
        if now - self._told_at < (_TERMINAL_SECONDS if self._is_terminal else _FILE_SECONDS):
            return
        self._told_at = now
        start, end = ("\r\033[K", "") if self._is_terminal else ("", "\n")
        words = f"{self._events:,} events of {self._streams:,} matches, {self.broken:,} broken"
        print(f"{start}{words}", end=end, file=sys.stderr, flush=True)
