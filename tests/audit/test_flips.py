"""A record with one bit the other way does not hold, whichever bit it is.

``TALON_TEST_FLIPS=each`` flips every bit of the record; else one of each of its bytes, in turn.
"""

from __future__ import annotations

import os
from collections import Counter

from domain.audit.checks import check
from infra.signing import is_signed
from tests.audit.records import SIGNER
from tests.audit.small import content

KEYS = {SIGNER.key_id: SIGNER.public_key}
EACH = os.environ.get("TALON_TEST_FLIPS") == "each"


def test_a_record_with_a_flipped_bit_does_not_hold() -> None:
    record = content("two-players")
    assert check(record, is_signed, KEYS).holds
    found: Counter[str] = Counter()
    for at in range(len(record)):
        for bit in range(8) if EACH else (at % 8,):
            flipped = bytearray(record)
            flipped[at] ^= 1 << bit
            report = check(bytes(flipped), is_signed, KEYS)
            assert not report.holds, f"bit {bit} of byte {at}"
            found[report.faults[0].check] += 1
    assert found.keys() >= {"form", "chain", "head", "signature"}
