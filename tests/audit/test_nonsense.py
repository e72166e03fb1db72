"""Records full of nonsense, signed all the same: both verifiers find fault and neither fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.audit.checks import check
from infra.signing import is_signed
from tests.audit.cheats import Lines, first_of, lines_of, resealed, with_data
from tests.audit.mutations import Mutation
from tests.audit.second import MISSING, NODE, checked
from tests.audit.test_record_vectors import RECORDS

NONSENSE: tuple[Any, ...] = (None, -1, 99, "abc", [], {"a": [None]}, ["x", None, -1])
FILES = ("classic.ndjson", "elimination.ndjson", "house-shuffles.ndjson", "placed.ndjson")
FREE = ("visibility", "practice")
"""Members of which some of these values are as good as what was there."""


def sealed(lines: Lines) -> int:
    """The place of the first seed that is revealed."""
    return first_of(lines, "seed_revealed")


def nonsense(file: str) -> Iterator[bytes]:
    """The record with each member of the first event of each type made nonsense of."""
    content, seen = (RECORDS / file).read_bytes(), set()
    for place, line in enumerate(lines_of(content)):
        if "type" not in line or line["type"] in seen:
            continue
        seen.add(line["type"])
        data = json.loads(line["data"])
        for name in data.keys() - {"type", *FREE}:
            for value in NONSENSE:
                if value == data[name]:
                    continue

                def change(lines: Lines, at: int = place, to: Any = value, to_: str = name) -> None:
                    with_data(lines, at, **{to_: to})

                yield resealed(content, change)


@pytest.mark.parametrize("file", FILES)
def test_nonsense_is_a_fault(file: str) -> None:
    assert not [bad for bad in nonsense(file) if check(bad, is_signed).holds]


def test_the_second_verifier_does_not_fail_on_nonsense(tmp_path: Path) -> None:
    if NODE is None:
        pytest.skip(MISSING)
    kept = tmp_path / "kept.ndjson"
    kept.write_bytes(
        resealed((RECORDS / FILES[0]).read_bytes(), lambda lines: lines.__delitem__(sealed(lines)))
    )
    requests: list[tuple[Path, list[Mutation]]] = [(kept, [])]
    for number, bad in enumerate(one for file in FILES for one in nonsense(file)):
        path = tmp_path / f"{number}.ndjson"
        path.write_bytes(bad)
        requests.append((path, []))

    answers = checked(requests)

    assert answers[0] == [["seeds"]], "a match that is over keeps no seed to itself"
    assert len(answers) == len(requests) > 500
    assert sum(found != [] for (found,) in answers) > len(answers) // 2
