"""Backup and restore as docs/operations/backup.md has them, its own lines, while people play."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.embedded.errors import EmbeddedError
from infra.embedded.executables import postgres_programs
from infra.embedded.servers import EmbeddedServers
from tests.house.running import CHECKOUT, environment, serving, talon

PAGE = CHECKOUT / "docs" / "operations" / "backup.md"
QUICK = {"TALON_BOT_MOVE_MS": "20", "TALON_BOT_CATCH_MS": "20"}
ANN = {"name": "Ann"}
SECONDS = 90
"""A generous bound for what takes a second."""

pytestmark = pytest.mark.servers


def programs() -> Path | None:
    """The folder of pg_dump and its like, if there is one."""
    found = shutil.which("pg_basebackup")
    folders = [Path(found).parent] if found else []
    try:
        folders.insert(0, postgres_programs())
    except EmbeddedError:
        return None
    names = ("pg_dump", "pg_restore", "pg_basebackup")
    return next((one for one in folders if all((one / name).exists() for name in names)), None)


needs_programs = pytest.mark.skipif(
    programs() is None, reason="this Postgres comes without pg_dump and pg_basebackup"
)


def block(heading: str, number: int) -> str:
    """The lines of a block of the page: the number'th under a heading."""
    section = PAGE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return section.split("```sh\n")[1 + number].split("```")[0]


def run(lines: str, settings: dict[str, str]) -> str:
    """Run lines of the page; each has to succeed."""
    folder = programs()
    assert folder is not None
    words = environment(settings)
    words["PATH"] = os.pathsep.join((str(folder), str(CHECKOUT), words["PATH"]))
    done = subprocess.run(
        ["sh", "-exc", lines], env=words, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


class Evening:
    """Somebody who plays against a bot, at several tables, whatever else goes on."""

    def __init__(self, url: str) -> None:
        self._client = httpx.Client(base_url=f"{url}/v1", timeout=SECONDS)
        self._client.headers["Authorization"] = f"Bearer {self._post('players', ANN)['token']}"
        self.matches: list[str] = []

    def __enter__(self) -> Evening:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def move_to(self, url: str) -> None:
        """Go on at another service, with the same token."""
        self._client.base_url = f"{url}/v1"

    def sit_down(self) -> None:
        """Three matches that run, and a table that waits."""
        for bots in (["steady"], ["steady"], ["steady", "steady"], []):
            body = {"seats": max(2, 1 + len(bots)), "bots": bots, "rules": {"target": 1000}}
            match = self._post("matches", body)["match_id"]
            self.matches.append(match)
            if bots:
                self._post(f"matches/{match}/start", None)

    def move(self) -> int:
        """Do the first thing that is taken at each table; how many moves that were."""
        moves = 0
        for match in self.matches:
            for command in self.view(match).get("legal") or []:
                answer = self._client.post(f"/matches/{match}/commands", json=command)
                if answer.status_code == 200:
                    moves += 1
                    break
        return moves

    def view(self, match: str) -> dict[str, Any]:
        """What Ann sees of a match."""
        found: dict[str, Any] = self._client.get(f"/matches/{match}/view").json()
        return found

    def record(self, match: str) -> bytes:
        """The record of a match."""
        found = self._client.get(f"/matches/{match}/record")
        assert found.status_code == 200, found.text
        return found.content

    def checkpoint(self) -> tuple[str, int]:
        """The log's name and size."""
        origin, size, *_ = self._client.get("/log/checkpoint").text.split("\n")
        return origin, int(size)

    def grow_beyond(self, size: int) -> tuple[str, int]:
        """Play until more than so many events are signed."""
        until = time.monotonic() + SECONDS
        while (found := self.checkpoint())[1] <= size:
            assert time.monotonic() < until
            self.move()
        return found

    def _post(self, path: str, body: object) -> dict[str, str]:
        answer = self._client.post(f"/{path}", json=body)
        assert answer.is_success, answer.text
        made: dict[str, str] = answer.json()
        return made


@contextmanager
def playing(evening: Evening) -> Iterator[None]:
    """Play goes on until the end of the block."""
    stop = threading.Event()

    def play() -> None:
        while not stop.is_set():
            evening.move()

    player = threading.Thread(target=play)
    player.start()
    try:
        yield
    finally:
        stop.set()
        player.join()


@contextmanager
def restored(way: str, before: Path, after: Path, backup: Path) -> Iterator[dict[str, str]]:
    """The settings of a place to which a backup was restored; keys and notes are kept apart."""
    after.mkdir()
    for kept in (*before.glob("*.key"), *before.glob("checkpoint-*")):
        shutil.copy(kept, after)
    settings = {"TALON_DATA": str(after), "BACKUP": str(backup)}
    if way == "With a base backup":
        shutil.copy(before / "password", after)
        run(block(way, 1), settings)
        yield settings
        return
    with EmbeddedServers(after) as servers:
        settings["TALON_DATABASE_URL"] = str(servers.database_url)
        settings["TALON_REDIS_URL"] = str(servers.redis_url)
        run(block(way, 1), settings)
        yield settings


@needs_programs
@pytest.mark.parametrize("way", ["With pg_dump", "With a base backup"])
def test_what_was_backed_up_during_play_is_restored_elsewhere_and_played_on(
    way: str, tmp_path: Path
) -> None:
    before, after, backup = tmp_path / "before", tmp_path / "after", tmp_path / "backup"
    backup.mkdir()
    with ExitStack() as closing:
        with serving("--data", str(before), settings=QUICK) as service:
            evening = closing.enter_context(Evening(service.url))
            evening.sit_down()
            evening.grow_beyond(60)
            url = json.loads((before / "running.json").read_text())["database_url"]
            with playing(evening):
                run(block(way, 0), {"TALON_DATABASE_URL": url, "BACKUP": str(backup)})
            name, size = evening.grow_beyond(evening.checkpoint()[1] + 20)
        settings = closing.enter_context(restored(way, before, after, backup))
        look_and_deal_anew(settings, name, size)
        with serving(settings=QUICK | settings) as service:
            evening.move_to(service.url)
            there, _ = evening.grow_beyond(evening.checkpoint()[1] + 20)
            assert there.startswith(f"{name}/")
            record = tmp_path / "record.ndjson"
            record.write_bytes(evening.record(evening.matches[0]))
            assert '"reason":"restore"' in record.read_text().replace("\\", "")
            verified = talon("verify", str(record), settings={})
            assert verified.returncode == 0, verified.stdout
        whole = talon("fsck", settings=settings)
        assert whole.returncode == 0, whole.stdout


def look_and_deal_anew(settings: dict[str, str], name: str, size: int) -> None:
    """What is restored is whole but for its end; it is dealt anew once, and whole then."""
    looked = talon("fsck", "--no-projections", settings=settings)
    assert looked.returncode == 3, looked.stdout + looked.stderr
    bad = [line for line in looked.stdout.splitlines() if line.startswith("BAD")]
    assert len(bad) == 1 and f"{size} events were signed: it went back" in bad[0]

    done = run(block("After a restore", 0), settings)
    assert "3 matches go on with another deal, 1 tables that have not started" in done
    assert f"it is called {name}/" in done and f"\n{name}\n" in done
    assert run(block("After a restore", 0), settings).startswith("nothing is to be done")
    whole = talon("fsck", "--no-projections", settings=settings)
    assert whole.returncode == 0, whole.stdout


def test_a_service_at_work_is_not_dealt_anew_under(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path), settings=QUICK) as service:
        with Evening(service.url) as evening:
            evening.sit_down()
            evening.grow_beyond(10)
        refused = talon("fsck", "--after-restore", "--data", str(tmp_path), settings={})
        assert refused.returncode == 1
        assert "a service is at work on this database: stop it first" in refused.stderr
