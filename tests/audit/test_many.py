"""Records of random matches of all kinds: verified by both verifiers, taken in again, the same.

``TALON_RECORDS`` says how many (20 unless set; 2,000 for a release).
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from domain.audit.checks import check
from domain.audit.record import read
from domain.audit.replay import decoded, replay
from infra.signing import is_signed
from tests.audit.export import tables
from tests.audit.records import SIGNER, record_of
from tests.audit.second import MISSING, NODE, checked

MATCHES = int(os.environ.get("TALON_RECORDS", "20"))
AT_ONCE = 100
"""Records that are verified by the second verifier in one process."""


def test_records_of_random_matches_hold_and_are_the_same_matches(tmp_path: Path) -> None:
    counted: Counter[str] = Counter()
    rest = tables(MATCHES)
    keys = {SIGNER.key_id: SIGNER.public_key}
    while batch := list(islice(rest, AT_ONCE)):
        requests = []
        for number, table in enumerate(batch):
            content = record_of(table)
            report = check(content, is_signed, keys)
            assert report.faults == () and report.sealed_from is None, (table.seed, report.faults)
            record = read(content)
            *_, last = replay(record, tuple(map(decoded, record.events)))
            assert last.after.scores == table.match.scores
            assert last.after.result == table.match.result
            path = tmp_path / f"{number}.ndjson"
            path.write_bytes(content)
            requests.append((path, []))
            counted.update((str(table.match.options.form), "all"))
            counted["events"] += report.events
        if NODE is None:
            pytest.skip(MISSING)
        for table, (found,) in zip(batch, checked(requests), strict=True):
            assert found == [], (table.seed, table.match.options, found)
    assert counted["all"] == MATCHES and len(counted) >= 5
