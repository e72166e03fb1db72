"""Records that somebody wrote to do harm: each is bad, the others are checked, nothing escapes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.audit.checks import check
from infra.signing import is_signed
from service.cli.failure import Failure
from service.cli.shown import shown
from service.cli.verify.keys import keys_in
from service.cli.verify.receipts import told_in
from service.cli.witness.remote import published_keys
from tests.audit.cheats import Lines, first_of, lines_of, resealed, written
from tests.audit.second import MISSING, NODE, VERIFIER, checked
from tests.audit.test_record_vectors import RECORDS

GOOD = RECORDS / "classic.ndjson"
DEEP = "[" * 100_000 + "]" * 100_000
ESCAPES = "\x9b2J\u202e\x7f\u2028"
FUZZED = 400


def only_seats() -> bytes:
    """A first line, and then seats for ever."""
    lines = lines_of(GOOD.read_bytes())
    return written([lines[0], *[line for line in lines if "seat" in line] * 3])


def deep_line() -> bytes:
    """A line that is nested deeper than any reader goes."""
    first, *rest = GOOD.read_bytes().splitlines()
    return b"\n".join((first, b'{"seat":' + DEEP.encode() + b"}", *rest)) + b"\n"


def deep_data() -> bytes:
    """An event whose data is nested so, with all hashes made to fit."""

    def change(lines: Lines) -> None:
        lines[first_of(lines, "match_started")]["data"] = f'{{"type":"match_started","x":{DEEP}}}'

    return resealed(GOOD.read_bytes(), change)


def escapes() -> bytes:
    """A type of event that would clear a terminal, and turn the line around."""

    def change(lines: Lines) -> None:
        lines[first_of(lines, "match_started")]["type"] = ESCAPES

    return resealed(GOOD.read_bytes(), change)


HOSTILE = {
    "only-seats": only_seats,
    "deep-line": deep_line,
    "deep-data": deep_data,
    "escapes": escapes,
    "empty": lambda: b"",
    "no-utf8": lambda: GOOD.read_bytes().replace(b"match_started", b"match\xff\xfe\x80ted", 1),
}


def fuzzed(number: int) -> bytes:
    """A good record after a few changes of any kind, all from one number."""
    random = Random(f"hostile {number}")
    content = bytearray(GOOD.read_bytes())
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(content))
        lines = content.split(b"\n")
        kind = random.randrange(6)
        if kind == 0:
            content[at] = random.randrange(256)
        elif kind == 1:
            del content[at : at + random.randrange(1, 2_000)]
        elif kind == 2:
            content[at:at] = random.choice(
                (b"\x00", b"1e999", b"\\u0000", b"{", b"[" * 5_000, b"\xe2\x80\xae", b"\n", b"'")
            )
        elif kind == 3:
            random.shuffle(lines)
            content = bytearray(b"\n".join(lines))
        elif kind == 4:
            lines[random.randrange(len(lines))] = random.choice(lines)
            content = bytearray(b"\n".join(lines))
        else:
            content = content[: at + 1]
        if not content:
            break
    return bytes(content)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_record_is_bad_and_nothing_breaks(name: str) -> None:
    assert not check(HOSTILE[name](), is_signed).holds


def test_whatever_is_changed_at_random_is_found() -> None:
    good = GOOD.read_bytes()
    for number in range(FUZZED):
        bad = fuzzed(number)
        assert bad == good or not check(bad, is_signed).holds, number


def test_the_second_verifier_finds_all_of_it_too(tmp_path: Path) -> None:
    if NODE is None:
        pytest.skip(MISSING)
    paths = kept(tmp_path) + [tmp_path / f"fuzzed-{number}.ndjson" for number in range(FUZZED)]
    for number, path in enumerate(paths[-FUZZED:]):
        path.write_bytes(fuzzed(number))

    answers = checked([(path, []) for path in paths])

    good = GOOD.read_bytes()
    for path, (found,) in zip(paths, answers, strict=True):
        assert found or path.read_bytes() == good, path.name


def kept(folder: Path) -> list[Path]:
    """The hostile records as files."""
    paths = [folder / f"{name}.ndjson" for name in HOSTILE]
    for path in paths:
        path.write_bytes(HOSTILE[path.stem]())
    return paths


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_the_other_files_are_checked_and_no_escape_is_printed(
    tmp_path: Path, form: list[str], jobs: str
) -> None:
    paths = [*kept(tmp_path), GOOD]
    done = talon("verify", "--jobs", jobs, "--verbose", *form, *map(str, paths))

    assert done.returncode == 1 and "Traceback" not in done.stderr
    last = done.stdout.splitlines()
    said = [line for line in last if GOOD.name in line]
    assert len(said) == 1 and ("ok  " in said[0] or json.loads(said[0])["holds"])
    harmless(done.stdout + done.stderr)


def test_the_second_verifier_checks_the_others_and_prints_no_escape(tmp_path: Path) -> None:
    if NODE is None:
        pytest.skip(MISSING)
    for form in ([], ["--json"]):
        files = [*map(str, kept(tmp_path)), str(GOOD)]
        done = subprocess.run(
            [NODE, VERIFIER / "cli.js", *form, *files], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1 and done.stderr == ""
        if form:
            assert json.loads(done.stdout.splitlines()[-1])["faults"] == []
        harmless(done.stdout)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_record_is_not_told_and_nothing_breaks(tmp_path: Path, name: str) -> None:
    path = tmp_path / "bad.ndjson"
    path.write_bytes(HOSTILE[name]())

    done = talon("replay", str(path))

    assert done.returncode == 1 and "Traceback" not in done.stderr
    harmless(done.stdout + done.stderr)


def test_a_file_with_a_hostile_name_is_named_harmlessly(tmp_path: Path) -> None:
    path = tmp_path / "clear\x1b[2J.ndjson"
    path.write_bytes(b"nothing")

    done = talon("verify", str(path), str(tmp_path / "none\x1b[2J"))

    assert done.returncode == 2
    assert "clear\\u001b[2J.ndjson" in done.stdout
    harmless(done.stdout + done.stderr)


def test_other_foreign_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text(DEEP)
    for read in (keys_in, told_in):
        with pytest.raises(Failure):
            read([str(path)])


@pytest.mark.parametrize("version", [0, -1, -1_000_000])
def test_a_promise_about_no_version_is_refused(tmp_path: Path, version: int) -> None:
    path = tmp_path / "told.json"
    match = lines_of(GOOD.read_bytes())[0]["match"]
    path.write_text(json.dumps({"match_id": match, "version": version, "hash": "0" * 64}))

    with pytest.raises(Failure, match="count from 1"):
        told_in([str(path)])


@pytest.mark.anyio
async def test_a_service_that_answers_nonsense_is_refused_in_a_sentence() -> None:
    class Nonsense:
        async def request(self, method: str, path: str) -> Any:
            class Answer:
                status = 200
                body = DEEP.encode()

            return Answer()

    service: Any = Nonsense()
    with pytest.raises(Failure):
        await published_keys(service)


def test_what_is_json_stays_the_same_json() -> None:
    value = {"x": ESCAPES + "\x1b é 🂡 \U000e0001"}

    text = shown(json.dumps(value, ensure_ascii=False))

    assert json.loads(text) == value and text.isprintable()


def talon(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service.cli.main", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def harmless(text: str) -> None:
    """Nothing but lines of what can be printed."""
    assert [line for line in text.split("\n") if not line.isprintable()] == []
