"""Writes docs/vectors/records and docs/vectors/records.json: whole records, good and bad.

Run as ``python -m tests.audit.make_vectors``. What is published stays: a change of the rules adds
records and changes none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from domain.audit.checks import check
from domain.audit.record import read
from domain.audit.replay import decoded, replay
from domain.evolve import evolve
from domain.match import Match, at
from infra.signing import SigningKey, is_signed
from tests.audit.cheats import first_of, lines_of, resealed, with_data
from tests.audit.mutations import mutations
from tests.audit.records import SIGNER
from tests.audit.small import NAMES, RECORDS, content
from tests.spec import seed_of

VECTORS = Path(__file__).parents[2] / "docs" / "vectors"
COUNTED = ("round_ended", "round_blocked", "round_voided")
CHEATS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "gains": ("classic", "round_ended", {"gains": [1, 2, 3]}),
    "winners": ("teams", "match_ended", {"winners": [0, 1]}),
    "possession": ("classic", "card_played", {"card": "WC"}),
    "drawn": ("two-players", "cards_drawn", {"drawn": 3}),
    "dealer": ("lowest", "dealer_drawn", {"dealer": 9}),
    "opening": ("elimination", "round_started", {"opening": "W"}),
    "digest": ("house-shuffles", "hands_shuffled", {"digest": "00" * 32}),
    "swap": ("house-swaps", "hands_swapped", {"givers": [0, 0]}),
    "seed": ("clock", "seed_revealed", {"seed": "00" * 32}),
    "commitment": ("placed", "round_committed", {"commitment": "00" * 32}),
}
"""What somebody with the signing key may try: in which record, which event says what instead."""


def good(name: str) -> dict[str, Any]:
    """What a verifier finds in a record that holds."""
    record = read(content(name))
    rounds = [
        {
            "version": version,
            "hands": [" ".join(sorted(hand)) for hand in before.round.hands],
            "scores": list(after.scores),
        }
        for version, type, before, after in _states(name)
        if type in COUNTED and before.round is not None
    ]
    report = check(content(name), is_signed)
    return {
        "file": f"{name}.ndjson",
        "match": record.opening.match,
        "events": len(record.events),
        "status": report.status,
        "rounds": rounds,
    }


def _states(name: str) -> Iterator[tuple[int, str, Match, Match]]:
    """Each event's version and type, and the match before and after it."""
    record = read(content(name))
    for step in replay(record, tuple(map(decoded, record.events))):
        before = at(step.before, step.occurred_at)
        for event in step.events:
            after = evolve(before, event)
            yield after.version, record.events[after.version - 1].type, before, after
            before = after


def changed(name: str) -> Iterator[dict[str, Any]]:
    """One change of each kind: of every member of the first line of each kind, and of lines."""
    lines = content(name).decode().splitlines()
    seen: set[tuple[str, str]] = set()
    for one in mutations(lines):
        kind = next(iter(json.loads(lines[one.start])))
        what = one.what.lstrip("0123456789")
        if (kind, what) in seen or "data." in what:
            continue
        seen.add((kind, what))
        found = check(one.of(lines), is_signed)
        yield {
            "file": f"{name}.ndjson",
            "from": one.start,
            "to": one.end,
            "lines": list(one.lines),
            "checks": [fault.check for fault in found.faults],
        }


def cheat(what: str) -> dict[str, Any]:
    """A record in which one event says something else, and all hashes fit."""
    name, type, data = CHEATS[what]
    lines = lines_of(content(name))
    place = first_of(lines, type)
    bad = resealed(content(name), lambda lines: with_data(lines, place, **data))
    (RECORDS / f"cheat-{what}.ndjson").write_bytes(bad)
    faults = check(bad, is_signed).faults
    version = lines[place]["version"]
    assert faults and all(fault.check in ("seeds", "play") for fault in faults), (what, faults)
    return {"file": f"cheat-{what}.ndjson", "version": version, "checks": ["seeds", "play"]}


def stranger() -> dict[str, Any]:
    """A good record, signed by somebody else: it holds unless a key is given."""
    key = SigningKey(seed_of("stranger"))
    bad = resealed(content("classic"), lambda lines: None, key)
    (RECORDS / "stranger.ndjson").write_bytes(bad)
    return {"file": "stranger.ndjson", "public_key": key.public_key.hex()}


def write() -> None:
    """Write all of it."""
    RECORDS.mkdir(exist_ok=True)
    for name in NAMES:
        (RECORDS / f"{name}.ndjson").write_bytes(content(name))
    vectors = {
        "public_key": SIGNER.public_key.hex(),
        "good": [good(name) for name in NAMES],
        "changed": list(changed("classic")),
        "cheats": [cheat(what) for what in CHEATS],
        "stranger": stranger(),
    }
    (VECTORS / "records.json").write_text(json.dumps(vectors, indent=1) + "\n")


if __name__ == "__main__":
    write()
