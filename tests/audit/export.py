"""Records of random matches of all kinds, for tests and for measuring.

``python -m tests.audit.export 300 > records.ndjson`` writes so many, one after the other.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tests.audit.records import record_of
from tests.laws import test_forms, test_house, test_placed
from tests.laws.placed import played_from
from tests.laws.table import Table, played

APART = 100_000
"""Between the numbers that matches of each kind follow from: no two have the same id."""


def tables(count: int) -> Iterator[Table]:
    """Whole matches: the classic game, other forms, house rules and placed positions in turn."""
    for number in range(count):
        kind, seed = number % 4, number // 4 + number % 4 * APART
        if kind == 0:
            matches = played(seed)
        elif kind == 1:
            matches = played(seed, *test_forms.rules(seed))
        elif kind == 2:
            matches = played(seed, *test_house.rules(seed))
        else:
            matches = played_from(seed, *test_placed.rules(seed))
        *_, table = matches
        yield table


if __name__ == "__main__":
    for table in tables(int(sys.argv[1])):
        sys.stdout.buffer.write(record_of(table))
