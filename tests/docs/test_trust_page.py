"""docs/trust.md: its commands find a true history true, and a changed one changed."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import pytest

from service.app import build_in_memory
from service.cli.demo import play_and_verify
from service.cli.demo.client import Client
from tests.docs.shell import needs_curl
from tests.service.serving import serving
from tests.service.support import QUICK

PAGE = (Path(__file__).parents[2] / "docs" / "trust.md").read_text()
FETCH, COMMITMENTS, CHAIN, TABLES = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
SET = FETCH.splitlines()[0]
SECONDS = 60


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder with the history of a match that is over, and the variables of the page."""
    folder = tmp_path_factory.mktemp("trust")
    with serving(build_in_memory(QUICK)) as url:
        variables = {"TALON": url, "M": asyncio.run(played(url)), "C": held(url)}
        fetched = shell(FETCH, folder, variables)
        assert fetched.returncode == 0, fetched.stderr
        yield folder, variables


async def played(url: str) -> str:
    """The id of a match that has been played to its end."""
    client = Client(url)
    try:
        outcome, _ = await play_and_verify(client, 3, 100, Random(1), lambda line: None)
    finally:
        client.close()
        await asyncio.sleep(0)
    return outcome.match_id


def held(url: str) -> str:
    """The id of a tournament of bots that is over."""
    with httpx.Client(base_url=f"{url}/v1", timeout=SECONDS) as client:
        token = client.post("/players", json={"name": "Ann"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        wish = {"format": "knockout", "rules": {"target": 50}, "bots": ["random"] * 3}
        id: str = client.post("/tournaments", json=wish).json()["tournament"]["tournament_id"]
        client.post(f"/tournaments/{id}/start").raise_for_status()
        until = time.monotonic() + SECONDS
        while client.get(f"/tournaments/{id}").json()["status"] == "running":
            assert time.monotonic() < until, "the tournament goes on"
            time.sleep(0.05)
    return id


def shell(script: str, folder: Path, more: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f"set -eu\n{SET}\n{script}"],
        env={**os.environ, **more},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def changed(folder: Path, old: str, new: str, onto: Path) -> None:
    """The same history with one member of some event changed, everywhere it stands."""
    text = (folder / "match.ndjson").read_text()
    assert old in text
    (onto / "match.ndjson").write_text(text.replace(old, new))


pytestmark = needs_curl


def test_the_commitments_of_a_true_history_are_kept(place: tuple[Path, dict[str, str]]) -> None:
    checked = shell(COMMITMENTS, *place)
    assert checked.returncode == 0, checked.stderr
    assert re.fullmatch(r"[2-9]\d* commitments kept\n", checked.stdout)


def test_the_chain_of_a_true_history_ends_in_the_head(place: tuple[Path, dict[str, str]]) -> None:
    checked = shell(CHAIN, *place)
    assert checked.returncode == 0, checked.stderr
    said, head = checked.stdout.splitlines()
    assert said.endswith(json.loads(head)["hash"])


@pytest.mark.parametrize("script", [COMMITMENTS, CHAIN])
def test_an_empty_history_proves_nothing(
    script: str, place: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    (tmp_path / "match.ndjson").touch()
    checked = shell(script, tmp_path, place[1])
    assert checked.returncode != 0
    assert "no history: check T and M" in checked.stderr


def test_another_seed_is_found_out(place: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    folder, variables = place
    items = [json.loads(line) for line in (folder / "match.ndjson").read_text().splitlines()]
    seed = next(one["event"]["seed"] for one in items if one["type"] == "seed_revealed")
    changed(folder, seed, "00" * 32, tmp_path)
    checked = shell(COMMITMENTS, tmp_path, variables)
    assert checked.returncode != 0
    assert "not the one that was committed" in checked.stderr


def test_a_changed_event_is_found_out(place: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    folder, variables = place
    changed(folder, 'actor":"seat:1', 'actor":"seat:2', tmp_path)
    checked = shell(CHAIN, tmp_path, variables)
    assert checked.returncode != 0
    assert "was changed" in checked.stderr


def test_the_tables_of_a_tournament_ended_as_their_matches(
    place: tuple[Path, dict[str, str]],
) -> None:
    checked = shell(TABLES, *place)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout == "2 tables ended as their matches did\n"


def test_a_tournament_that_tells_other_scores_is_found_out(
    place: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    folder, variables = place
    shell(TABLES, folder, variables)
    text = (folder / "tournament.ndjson").read_text()
    scores = re.findall(r'"type":"table_ended".*?"scores":(\[[0-9,]+\])', text)[0]
    (tmp_path / "tournament.ndjson").write_text(text.replace(scores, "[1,2]"))
    _, _, check = TABLES.partition("tournament.ndjson\n")
    checked = shell(check, tmp_path, variables)
    assert checked.returncode != 0
    assert "scores are not those of the match" in checked.stderr
