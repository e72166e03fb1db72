"""The published records: both verifiers find what docs/vectors/records.json says, and no more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from domain.audit.checks import check
from domain.audit.record import read
from domain.audit.replay import decoded, replay
from infra.signing import is_signed
from tests.audit.mutations import Mutation
from tests.audit.records import SIGNER
from tests.audit.second import MISSING, NODE, checked

DOCS = Path(__file__).parents[2] / "docs"
RECORDS = DOCS / "vectors" / "records"
VECTORS: dict[str, Any] = json.loads((DOCS / "vectors" / "records.json").read_text())
SCHEMA = Draft202012Validator(json.loads((DOCS / "record.schema.json").read_text()))


def content(file: str) -> bytes:
    return (RECORDS / file).read_bytes()


def mutation(case: dict[str, Any]) -> Mutation:
    return Mutation("", case["from"], case["to"], tuple(case["lines"]))


@pytest.mark.parametrize("case", VECTORS["good"], ids=lambda case: str(case["file"]))
def test_a_good_record_holds(case: dict[str, Any]) -> None:
    keys = {SIGNER.key_id: bytes.fromhex(VECTORS["public_key"])}
    report = check(content(case["file"]), is_signed, keys)

    assert report.faults == () and report.sealed_from is None
    assert (report.match, report.events) == (case["match"], case["events"])
    assert report.status == case["status"]
    record = read(content(case["file"]))
    *_, last = replay(record, tuple(map(decoded, record.events)))
    if case["rounds"]:
        assert list(last.after.scores) == case["rounds"][-1]["scores"]


@pytest.mark.parametrize("case", VECTORS["good"], ids=lambda case: str(case["file"]))
def test_every_line_fits_the_published_schema(case: dict[str, Any]) -> None:
    for line in content(case["file"]).splitlines():
        SCHEMA.validate(json.loads(line))


@pytest.mark.parametrize("case", VECTORS["changed"], ids=lambda case: f"{case['checks']}")
def test_a_changed_record_does_not_hold(case: dict[str, Any]) -> None:
    lines = content(case["file"]).decode().splitlines()
    report = check(mutation(case).of(lines), is_signed)
    assert [fault.check for fault in report.faults] == case["checks"]


@pytest.mark.parametrize("case", VECTORS["cheats"], ids=lambda case: str(case["file"]))
def test_a_record_that_tells_something_else_does_not_hold(case: dict[str, Any]) -> None:
    faults = check(content(case["file"]), is_signed).faults
    assert faults and {fault.check for fault in faults} <= set(case["checks"])


def test_a_record_of_somebody_else_holds_by_its_own_key_alone() -> None:
    stranger = VECTORS["stranger"]
    assert check(content(stranger["file"]), is_signed).holds
    given = check(content(stranger["file"]), is_signed, {SIGNER.key_id: SIGNER.public_key})
    assert [fault.check for fault in given.faults] == ["signature"]


def test_the_second_verifier_finds_the_same_in_all_of_them() -> None:
    if NODE is None:
        pytest.skip(MISSING)
    files = [case["file"] for case in (*VECTORS["good"], VECTORS["stranger"])]
    cheats = [case["file"] for case in VECTORS["cheats"]]
    changed = [mutation(case) for case in VECTORS["changed"]]
    requests = [(RECORDS / file, []) for file in (*files, *cheats)]
    *whole, of_classic = checked([*requests, (RECORDS / "classic.ndjson", changed)])

    found = dict(zip((*files, *cheats), (one[0] for one in whole), strict=True))
    assert all(found[file] == [] for file in files), found
    for case in VECTORS["cheats"]:
        assert found[case["file"]] and set(found[case["file"]]) <= set(case["checks"])
    for case, faults in zip(VECTORS["changed"], of_classic[1:], strict=True):
        assert faults, case
