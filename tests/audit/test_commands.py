"""``talon verify`` and ``talon replay``, as somebody types them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from domain.audit.record import read
from service.cli.main import main
from tests.audit.cheats import resealed
from tests.audit.records import SIGNER, record_of
from tests.audit.second import MISSING, NODE, VERIFIER
from tests.audit.test_checks import CLASSIC, content, set_data
from tests.laws.table import played

WRONG = set_data("round_ended", gains=[1, 2, 3, 4])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for seed in range(3):
        (tmp_path / f"{seed}.ndjson").write_bytes(content(seed))
    return tmp_path


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_records_that_hold_are_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(folder)]) == 0

    told = said(capsys)
    assert "3 records" in told and "3 hold, 0 do not" in told
    assert "as the records say themselves" in told


def test_a_record_that_does_not_hold_is_named_with_version_and_rule(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = folder / "bad.ndjson"
    bad.write_bytes(resealed(CLASSIC, WRONG))

    assert main(["verify", str(bad)]) == 1

    told = said(capsys)
    assert f"BAD {bad}: play [SCORE-1]: version" in told
    assert "gains is [1,2,3,4], the rules give" in told


def test_a_key_that_is_given_is_held_against_the_signature(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = folder / "keys.json"
    listed.write_text(json.dumps({"keys": [{"public_key": SIGNER.public_key.hex()}]}))
    record = str(folder / "0.ndjson")

    assert main(["verify", record, "--key", SIGNER.public_key.hex()]) == 0
    assert main(["verify", record, "--key", str(listed)]) == 0
    assert "held against the keys given\n" in said(capsys)
    assert main(["verify", record, "--key", "00" * 32]) == 1
    told = said(capsys)
    assert "signature: line" in told and "the keys given: 1 not by one of them" in told
    assert main(["verify", record, "--key", "nonsense"]) == 2


@pytest.mark.skipif(NODE is None, reason=MISSING)
def test_the_second_verifier_takes_the_same_keys(folder: Path) -> None:
    def code(key: str) -> int:
        command = [str(NODE), VERIFIER / "cli.js", folder / "0.ndjson", "--key", key]
        return subprocess.run(command, capture_output=True, check=False).returncode

    listed = folder / "keys.json"
    listed.write_text(json.dumps({"keys": [{"public_key": SIGNER.public_key.hex()}]}))
    empty = folder / "none.json"
    empty.write_text('{"keys": []}')

    given = (SIGNER.public_key.hex(), str(listed), "00" * 32, "nonsense", str(empty))
    assert list(map(code, given)) == [0, 0, 1, 2, 2]


def test_programs_are_told_in_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many = folder / "many.ndjson"
    many.write_bytes(content(0) + resealed(CLASSIC, WRONG))

    assert main(["verify", "--json", str(many)]) == 1

    first, second, end = map(json.loads, said(capsys).splitlines())
    assert first["holds"] and first["faults"] == []
    assert second["file"] == f"{many}#2" and not second["holds"]
    assert (second["faults"][0]["check"], second["faults"][0]["rule"]) == ("play", "SCORE-1")
    assert (end["summary"]["records"], end["summary"]["hold"]) == (2, 1)


def test_two_histories_of_one_match_are_told_apart(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each of them holds by itself: it is the same match that was played otherwise."""
    *_, other = played(2, None, 5)
    (folder / "other.ndjson").write_bytes(record_of(other))

    assert main(["verify", str(folder)]) == 1

    assert "history: version 1: " in said(capsys)


def test_what_cannot_be_read_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(folder / "absent.ndjson"), str(folder)]) == 2

    told = capsys.readouterr()
    assert "there is no such file" in told.err and "3 hold" in told.out
    (folder / "note.ndjson").write_text("no record\n")
    assert main(["verify", str(folder / "note.ndjson")]) == 1
    assert "form: line 1" in said(capsys)


@pytest.mark.parametrize("text", ["", '{"type":"/problems/match_unknown","status":404}'])
@pytest.mark.parametrize("command", ["verify", "replay"])
def test_what_is_no_record_is_called_so(
    command: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text(text)

    assert main([command, str(tmp_path / "file")]) == 1

    told = capsys.readouterr()
    assert "line 1: this is no record" in told.out + told.err


def test_many_records_are_checked_by_several_processes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many = folder / "many.ndjson"
    many.write_bytes(content() * 30 + resealed(CLASSIC, WRONG))
    assert many.stat().st_size > 2_000_000

    assert main(["verify", "--jobs", "2", str(many)]) == 1

    told = said(capsys)
    assert "31 records" in told and "30 hold, 1 do not" in told and f"BAD {many}#31: play" in told


def test_a_match_is_told_in_words(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(folder / "0.ndjson"), "--hands"]) == 0

    told = said(capsys)
    record = read(content(0))
    assert told.startswith(f"match {record.opening.match}, {len(record.events)} events\n")
    numbered = [line for line in told.splitlines() if line[:5].strip().isdigit()]
    assert len(numbered) == len(record.events)
    assert "the match is over (target)" in numbered[-1] and "* seat" in told


def test_a_part_of_a_match_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(folder / "0.ndjson"), "--from", "5", "--to", "8"]) == 0

    versions = [line[:5].strip() for line in said(capsys).splitlines()[1:]]
    assert versions == ["5", "6", "7", "8"]


def test_the_telling_ends_where_the_rules_lead_elsewhere(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = folder / "bad.ndjson"
    bad.write_bytes(resealed(CLASSIC, WRONG))

    assert main(["replay", str(bad)]) == 1

    told = capsys.readouterr()
    assert "here the rules lead elsewhere: version" in told.err and "play begins" in told.out


def test_a_telling_that_nobody_reads_on_ends_quietly(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "service.cli.main", "replay", str(folder / "0.ndjson")]

    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)

    assert (done.returncode, done.stderr) == (141, "")
