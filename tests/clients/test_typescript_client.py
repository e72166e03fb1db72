"""The TypeScript client: built without a warning, a whole match over connections that break, and
a spectator.

It needs Node and its packages: ``npm ci`` in clients/typescript puts them there.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

FOLDER = Path(__file__).parents[2] / "clients" / "typescript"
RUN = FOLDER / "dist" / "run"
SECONDS = 300
pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (FOLDER / "node_modules").is_dir(),
    reason="Node is not installed, or `npm ci` was not run in clients/typescript",
)


def run(*command: str | Path) -> str:
    """What a program prints; it has to end well, and to complain of nothing."""
    done = subprocess.run(
        command, cwd=FOLDER, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def built(url: str) -> None:
    (shown,) = re.findall(r"```ts\n(.*?)```", (FOLDER / "README.md").read_text(), re.DOTALL)
    (FOLDER / "test" / "readme.ts").write_text(shown.replace("http://127.0.0.1:8000", url))
    run("npm", "run", "--silent", "build")


def test_the_program_in_the_readme_runs(built: None) -> None:
    run("node", RUN / "clients/typescript/test/readme.js")


def test_a_whole_match_over_connections_that_break_is_played_once(built: None, url: str) -> None:
    told = json.loads(run("node", RUN / "clients/typescript/test/match.js", url))

    history = httpx.get(
        f"{url}/v1/matches/{told['match']}/events",
        headers={"Accept": "application/x-ndjson"},
        timeout=60,
    )
    assert told["items"] == len(history.text.splitlines())
    assert told["broken"] > told["acted"] > 0


def test_the_spectator_tells_a_match_from_its_beginning_to_its_end(built: None, url: str) -> None:
    with httpx.Client(base_url=f"{url}/v1", timeout=60) as http:
        token = http.post("/players", json={"name": "Ann"}).json()["token"]
        mine: dict[str, Any] = {"headers": {"Authorization": f"Bearer {token}"}}
        made = http.post("/matches", json={"seats": 2, "bots": ["random"]}, **mine).json()
        at = f"/matches/{made['match_id']}"
        http.post(f"{at}/start", **mine)
        http.post(f"{at}/commands", json={"type": "leave"}, **mine)

    lines = run("node", RUN / "examples/spectator.mjs", url, made["match_id"]).splitlines()

    assert all(re.match(r"\d+: ", line) for line in lines)
    assert re.search("The match begins", lines[0]) and re.search("is over", lines[-1])
