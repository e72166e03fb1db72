"""Whoever runs the service rewrites a match, signs it again, and is found out by what was kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from domain.audit import statements
from domain.audit.checks import check
from domain.audit.record import read
from infra.signing import SigningKey, is_signed
from service.cli.main import main
from tests.audit.cheats import Lines, resealed
from tests.audit.records import SIGNER
from tests.audit.test_checks import CLASSIC
from tests.service.support import house, play_on
from tests.spec import seed_of

RECORD = read(CLASSIC)
LAST = len(RECORD.events)


def receipt(first: int, last: int, key: SigningKey = SIGNER) -> dict[str, Any]:
    """The signed receipt of a command that led from one version to another."""
    events, match = RECORD.events, RECORD.match
    previous, end = events[first - 1], events[last - 1]
    hashes = bytes.fromhex(previous.hash), bytes.fromhex(end.hash)
    said = statements.of_receipt(match, first, last, end.position, *hashes)
    return {
        "match_id": RECORD.opening.match,
        "from_version": first,
        "version": last,
        "position": end.position,
        "hash": end.hash,
        "previous_hash": previous.hash,
        "signature": {"key_id": key.key_id, "signature": key.sign(said).hex()},
    }


def verify(folder: Path, content: bytes, *told: dict[str, Any]) -> int:
    record, kept = folder / "record.ndjson", folder / "told.ndjson"
    record.write_bytes(content)
    kept.write_text("".join(json.dumps(one) + "\n" for one in told))
    return main(["verify", str(record), "--told", str(kept)])


def test_what_was_told_stands_in_the_record(tmp_path: Path) -> None:
    plain = {key: value for key, value in receipt(3, 5).items() if key != "signature"}
    head = {key: plain[key] for key in ("match_id", "version", "hash", "position")}

    assert verify(tmp_path, CLASSIC, receipt(LAST - 4, LAST), plain, head) == 0


def test_whoever_drops_the_last_events_is_found_by_a_receipt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ends = max(at for at, line in enumerate(RECORD.events) if line.command_id is not None)
    dropped = LAST - ends

    def drop(lines: Lines) -> None:
        del lines[-1 - dropped : -1]

    cut = resealed(CLASSIC, drop)
    assert check(cut, is_signed).holds, "by itself it is a match that goes on"

    assert verify(tmp_path, cut, receipt(ends, LAST)) == 1
    told = capsys.readouterr().out
    assert f"it ends at version {ends}, and somebody was told of version {LAST}" in told


def test_whoever_tells_another_time_is_found_by_a_receipt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def later(lines: Lines) -> None:
        for line in lines[1:-1]:
            if "occurred_at" in line:
                line["occurred_at"] += 60_000_000

    moved = resealed(CLASSIC, later)
    assert check(moved, is_signed).holds, "no rule says when somebody plays"

    assert verify(tmp_path, moved, receipt(3, 5)) == 1
    assert "somebody was told another hash of this version" in capsys.readouterr().out


def test_a_receipt_that_the_service_did_not_sign_is_worth_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = receipt(3, 5) | {"signature": receipt(5, 7)["signature"]}
    strange = receipt(3, 5, SigningKey(seed_of("stranger")))

    assert verify(tmp_path, CLASSIC, forged) == 1
    assert verify(tmp_path, CLASSIC, strange) == 1
    assert capsys.readouterr().out.count("not signed by a key that is known") == 2


def test_what_is_neither_receipt_nor_head_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(tmp_path, CLASSIC, {"no": "receipt"}) == 1
    assert "neither a receipt, a head nor a refusal" in capsys.readouterr().err


@pytest.mark.anyio
async def test_answers_of_the_service_are_held_against_its_record_as_they_came(
    tmp_path: Path,
) -> None:
    async with house() as talon:
        ann, bob = await talon.person(), await talon.person()
        match = await talon.running(ann, bob, rules={"target": 50})
        path = f"/v1/matches/{match}/commands?signed=true"
        added = {"type": "add_seed", "round": 2, "client_seed": ""}
        done = (await ann.post(path, added)).json()
        refused = (await ann.post(path, {"type": "catch_uno", "seat": 1})).json()
        head = (await bob.get(f"/v1/matches/{match}/head")).json()
        await play_on(match, (ann, bob))
        record = (await ann.get(f"/v1/matches/{match}/record")).content

    assert verify(tmp_path, record, done, refused, head) == 0
    changed = head | {"version": head["version"] - 1}
    assert verify(tmp_path, record, changed) == 1


def test_how_much_was_compared_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = receipt(3, 5) | {"match_id": "01890a5d-ac96-774b-bcce-b302099a8058"}

    assert verify(tmp_path, CLASSIC, receipt(3, 5), receipt(5, LAST), other) == 0

    told = capsys.readouterr().out
    assert "of 3 promises 2 were held against these records, 1 are about matches" in told


def test_nothing_compared_is_nothing_held(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = receipt(3, 5) | {"match_id": "01890a5d-ac96-774b-bcce-b302099a8058"}

    assert verify(tmp_path, CLASSIC, other) == 1
    assert "nothing that was told could be compared" in capsys.readouterr().out

    record, kept = str(tmp_path / "record.ndjson"), str(tmp_path / "told.ndjson")
    assert main(["verify", "--json", record, "--told", kept]) == 1
    *_, end = map(json.loads, capsys.readouterr().out.splitlines())
    assert end["summary"]["told"] == {"read": 1, "held": 0, "of_other_matches": 1}
