"""Words that do not belong in the repository: how it was made, where, and what is not done yet."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.tidy.sources import ROOT, is_foreign, named, tracked

HERE = Path(__file__)
HOSTS = ("pythonhosted", r"registry\.npmjs", r"deb\.debian", r"pypi\.org")
PLACES = ("/work/", "/root/", "/home/[a-z]", r"\.library", "/tmp/[a-z]")
MAKING = (
    r"\bthis session\b",
    r"\bthe CEO\b",
    r"\bthe issue asks\b",
    r"\bas an AI\b",
    r"\bAI assistant\b",
    r"\blanguage model\b",
    r"\bbefore-stop\b",
)
UNDONE = (r"\bTODO\b", r"\bFIXME\b", "NotImplementedError", "pragma: no cover", r"\bxfail\b")
FORBIDDEN = re.compile("|".join((*HOSTS, *PLACES, *MAKING, *UNDONE)))
SKIP = re.compile(r"pytest\.skip\(|mark\.skip(?:if)?\(|importorskip\(")
SKIPS = {
    "tests/house/test_embedded.py": 2,
    "tests/demo/test_bench.py": 1,
    "tests/docs/shell.py": 1,
    "tests/openapi/test_linters.py": 1,
    "tests/clients/test_typescript_client.py": 1,
    "tests/house/test_backup.py": 1,
    "tests/laws/test_dealt_anew.py": 1,
    "tests/audit/test_operator.py": 1,
    "tests/audit/test_record_vectors.py": 1,
    "tests/audit/test_commands.py": 1,
    "tests/audit/test_mutations.py": 1,
    "tests/audit/test_many.py": 1,
    "tests/audit/test_nonsense.py": 1,
    "tests/audit/test_hostile.py": 2,
}
"""Tests that may be skipped, by file; each gives its reason there."""
TEXT = [path for path in tracked() if path != HERE and not is_foreign(path)]


@pytest.mark.parametrize("path", TEXT, ids=named)
def test_no_word_that_does_not_belong(path: Path) -> None:
    found = [
        f"{number}: {line.strip()}"
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if FORBIDDEN.search(line)
    ]
    assert not found


def test_the_words_are_found_where_they_are() -> None:
    for line in ("see /work/x", "# TODO: later", "raise NotImplementedError"):
        assert FORBIDDEN.search(line)
    assert not FORBIDDEN.search("a workshop at home, todo lists")


def test_skipped_tests_are_counted() -> None:
    tests = [path for path in TEXT if path.is_relative_to(ROOT / "tests")]
    found = Counter(named(path) for path in tests for _ in SKIP.findall(path.read_text()))
    assert found == SKIPS


def test_no_name_says_nothing() -> None:
    vague = {"utils", "helpers", "helper", "misc", "common", "manager"}
    assert not [named(path) for path in TEXT if path.stem in vague]
