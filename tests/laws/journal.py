"""Which matches of any kind have been played under every law, slice by slice, and what was in them.

With ``TALON_LAWS_JOURNAL=FILE`` each slice is written down when it holds: a run that was broken off
goes on where it was, and ``python -m tests.laws.journal FILE`` says what was covered. A slice
counts only for the code that it was played with.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from domain.codec import type_of
from tests.laws.anything import anything
from tests.laws.every import under_every_law
from tests.laws.kinds import described, kind_of, pairs

_ROOT: Final = Path(__file__).parents[2]
_LAWS: Final = ("anything", "audit", "every", "kinds", "laws", "table")
VARIABLE: Final = "TALON_LAWS_JOURNAL"


class Slice(Struct, frozen=True):
    """Matches from ``first`` on that held: how they ended, and how often each event was in them."""

    code: str
    first: int
    count: int
    ended: dict[str, int]
    events: dict[str, int]

    @property
    def numbers(self) -> range:
        """The numbers of its matches."""
        return range(self.first, self.first + self.count)


_decoder: Final = msgspec.json.Decoder(Slice)


def code() -> str:
    """A digest of the rules and of the laws."""
    files = [*_ROOT.glob("domain/**/*.py"), *(_ROOT / f"tests/laws/{one}.py" for one in _LAWS)]
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def played(first: int, count: int) -> Slice:
    """Play a slice under every law; a match that breaks one is named."""
    ended, events = Counter[str](), Counter[str]()
    for number in range(first, first + count):
        try:
            table = under_every_law(anything(number))
        except Exception as error:
            options, seats = kind_of(number)
            error.add_note(f"match {number} of tests.laws.anything: {seats} seats, {options!r}")
            raise
        assert table.match.result is not None
        ended[table.match.result.reason] += 1
        events.update(map(type_of, table.events))
    return Slice(code(), first, count, dict(ended), dict(events))


def kept() -> Path | None:
    """The journal of this run, if it has one."""
    name = os.environ.get(VARIABLE)
    return None if name is None else Path(name)


def read(path: Path, code: str) -> tuple[Slice, ...]:
    """The slices that were played with this code."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    return tuple(one for one in map(_decoder.decode, lines) if one.code == code)


def write(path: Path, slice: Slice) -> None:
    """Add a slice; several processes may do so at once."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(slice) + b"\n")


def hold(first: int, count: int) -> None:
    """Play a slice, unless the journal has it."""
    path = kept()
    if path is None:
        played(first, count)
    elif (first, count) not in {(one.first, one.count) for one in read(path, code())}:
        write(path, played(first, count))


def report(slices: Iterable[Slice]) -> Iterator[str]:
    """Matches by what was set and how they ended, and the rarest of all pairs that were set."""
    slices = tuple(slices)
    numbers = {number for one in slices for number in one.numbers}
    kinds = [kind_of(number) for number in sorted(numbers)]
    ended, events = Counter[str](), Counter[str]()
    for one in slices:
        ended.update(one.ended)
        events.update(one.events)
    yield f"{len(numbers):,} matches, {sum(events.values()):,} events"
    yield "by what was set: " + _counts(Counter(name for kind in kinds for name in described(kind)))
    together = Counter(pair for kind in kinds for pair in pairs(kind))
    fewest = sorted(together.items(), key=lambda item: item[1])[:3]
    rare = "; ".join(f"{one} with {other}: {count}" for (one, other), count in fewest)
    yield f"pairs set together: {len(together):,}, the rarest {rare}"
    yield "by their end: " + _counts(ended)
    yield "events: " + _counts(events)


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counted.items()))


def main() -> None:
    """Say what the journal named on the command line has."""
    for line in report(read(Path(sys.argv[1]), code())):
        print(line)


if __name__ == "__main__":
    main()
