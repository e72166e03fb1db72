"""``talon fsck`` as a command: its words, its lines of JSON, its exit codes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from infra.postgres.log import PostgresLog
from infra.sealing import Sealer, key_from
from tests.house.running import talon
from tests.infra.fsck_speed import SEAL_KEY
from tests.infra.stored_matches import begun, store, whole
from tests.servers import execute

pytestmark = pytest.mark.servers


@pytest.fixture
def settings(database: str, tmp_path: Path) -> dict[str, str]:
    """Those of a database with two matches."""

    async def fill() -> None:
        log = await PostgresLog.open(database, Sealer(key_from(SEAL_KEY)), pool_size=1)
        await store(log, whole(11))
        await store(log, begun(12, 20))
        await log.close()

    asyncio.run(fill())
    return {
        "TALON_DATABASE_URL": database,
        "TALON_SEAL_KEY": SEAL_KEY,
        "TALON_DATA": str(tmp_path),
    }


def test_what_is_whole_is_said_to_be(settings: dict[str, str]) -> None:
    done = talon("fsck", settings=settings)
    assert done.returncode == 0, done.stderr
    assert "of 2 matches" in done.stdout and done.stdout.endswith(": whole\n")
    assert "projections are not compared" in done.stderr


def test_what_is_broken_has_a_line_and_an_exit_code_of_its_own(settings: dict[str, str]) -> None:
    match = whole(11).match.id.hex()
    execute(settings["TALON_DATABASE_URL"], "ALTER TABLE event DISABLE TRIGGER USER")
    execute(
        settings["TALON_DATABASE_URL"],
        f"UPDATE event SET actor = 'app' WHERE stream_id = '{match}' AND version = 9",
    )
    done = talon("fsck", settings=settings)
    assert done.returncode == 3
    first, last = done.stdout.splitlines()
    assert first.startswith("BAD chain: match ") and "version 9, position 9" in first
    assert last.endswith("1 broken")

    told = talon("fsck", "--json", settings=settings)
    assert told.returncode == 3
    broken, summary = map(json.loads, told.stdout.splitlines())
    assert (broken["check"], broken["version"], broken["position"]) == ("chain", 9, 9)
    assert broken["stream"].replace("-", "") == match
    assert (summary["matches"], summary["broken"]) == (2, 1)


def test_what_stands_in_the_database_moves_no_cursor(settings: dict[str, str]) -> None:
    match = whole(11).match.id.hex()
    execute(settings["TALON_DATABASE_URL"], "ALTER TABLE event DISABLE TRIGGER USER")
    execute(
        settings["TALON_DATABASE_URL"],
        f"UPDATE event SET type = E'\\x1b[2J' WHERE stream_id = '{match}' AND version = 9",
    )
    done = talon("fsck", settings=settings)
    assert done.returncode == 3
    assert "this program knows no event \\u001b[2J/1" in done.stdout and "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"TALON_SEAL_KEY": ""}, 1, "the seal key is neither in TALON_SEAL_KEY nor in"),
        ({"TALON_SEAL_KEY": "B" * 43}, 1, "cannot be looked at"),
        ({"TALON_DATABASE_URL": "postgresql://127.0.0.1:1/none"}, 1, "cannot be looked at"),
    ],
)
def test_what_cannot_be_looked_at_is_another_failure(
    settings: dict[str, str], change: dict[str, str], code: int, words: str
) -> None:
    done = talon("fsck", settings=settings | change)
    assert done.returncode == code
    assert words in done.stderr


def test_less_than_one_process_is_misuse(settings: dict[str, str]) -> None:
    assert talon("fsck", "--jobs", "0", settings=settings).returncode == 2
