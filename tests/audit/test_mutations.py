"""Every corruption of one field of a record is caught by both verifiers.

``TALON_MUTATIONS`` says which share of all corruptions of the published records is tried: one in
so many (40 unless set; 1 tries them all).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from domain.audit.checks import check
from infra.signing import is_signed
from tests.audit.cheats import Lines, lines_of, resealed, with_data
from tests.audit.mutations import BY_THE_RULES, MUST, Mutation, cheats, mutations
from tests.audit.second import MISSING, NODE, checked
from tests.audit.test_record_vectors import RECORDS, VECTORS

ONE_IN = int(os.environ.get("TALON_MUTATIONS", "40"))
FILES = [str(case["file"]) for case in VECTORS["good"]]


def lines(file: str) -> list[str]:
    return (RECORDS / file).read_text().splitlines()


def share(file: str) -> list[Mutation]:
    """A share of all changes of one field; which ones differs from file to file."""
    return list(mutations(lines(file)))[FILES.index(file) % ONE_IN :: ONE_IN]


def resealed_share(
    file: str, must: Mapping[str, tuple[str, ...]] = MUST
) -> list[tuple[str, bytes]]:
    """A share of the changes that somebody with the signing key could make."""
    content = (RECORDS / file).read_bytes()
    found = []
    for place, name, value in list(cheats(lines_of(content), must))[:: max(1, ONE_IN // 4)]:

        def change(lines: Lines, at: int = place, member: str = name, to: object = value) -> None:
            with_data(lines, at, **{member: to})

        found.append((f"{place}.{name} = {value}", resealed(content, change)))
    return found


@pytest.mark.parametrize("file", FILES)
def test_no_change_of_one_field_goes_unnoticed(file: str) -> None:
    unnoticed = [one.what for one in share(file) if check(one.of(lines(file)), is_signed).holds]
    assert not unnoticed


@pytest.mark.parametrize("file", FILES)
def test_nor_does_one_for_which_all_hashes_were_made_anew(file: str) -> None:
    bad = resealed_share(file) + resealed_share(file, BY_THE_RULES)
    unnoticed = [what for what, content in bad if check(content, is_signed).holds]
    assert bad and not unnoticed


def test_the_second_verifier_notices_them_all(tmp_path: Path) -> None:
    if NODE is None:
        pytest.skip(MISSING)
    requests = [(RECORDS / file, share(file)) for file in FILES]
    names: list[tuple[str, str]] = []
    for file in FILES:
        for what, content in resealed_share(file):
            at = tmp_path / f"{len(names)}.ndjson"
            at.write_bytes(content)
            names.append((file, what))
            requests.append((at, []))

    answers = checked(requests)

    for file, (good, *bad) in zip(FILES, answers[: len(FILES)], strict=True):
        assert good == []
        pairs = zip(share(file), bad, strict=True)
        assert not [(file, one.what) for one, found in pairs if not found]
    resealed_ones = zip(names, answers[len(FILES) :], strict=True)
    assert not [name for name, (found,) in resealed_ones if not found]


def test_all_members_of_all_lines_are_among_these_changes() -> None:
    every = list(mutations(lines("classic.ndjson")))
    for at, line in enumerate(lines("classic.ndjson")):
        for name in json.loads(line):
            assert any(one.what == f"{at}.{name}" for one in every)
    assert len(every) > 1_000
