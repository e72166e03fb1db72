"""Writes the published records of tournaments that are missing: python -m tests.tournaments."""

from __future__ import annotations

from tests.laws.tournaments import played
from tests.tournaments.published import FOLDER, SEEDS
from tests.tournaments.records import record_of

for seed in SEEDS:
    path = FOLDER / f"{seed}.ndjson"
    if not path.exists():
        *_, evening = played(seed)
        path.write_bytes(record_of(evening))
