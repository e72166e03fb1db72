"""The page on sockets: its client is run, and its codes are the service's."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import httpx

from service.app import build_in_memory
from service.direct import DirectProtocol
from service.socket import CLOSES, NOT_TEXT, TOO_LARGE
from service.talk import SocketMessage, SocketRequest
from tests.service.serving import serving
from tests.service.support import QUICK

PAGE = (Path(__file__).parents[2] / "docs/api/sockets-and-browsers.md").read_text()


def test_the_client_on_the_page_follows_a_match_to_its_end(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    script = tmp_path / "spectator.py"
    script.write_text(code)
    with serving(build_in_memory(QUICK), DirectProtocol) as url:
        http = httpx.Client(base_url=f"{url}/v1")
        with http:
            token = http.post("/players", json={"name": "Ann"}).json()["token"]
            mine = {"Authorization": f"Bearer {token}"}
            match = http.post("/matches", json={"seats": 2, "bots": ["steady"]}, headers=mine)
            at = f"/matches/{match.json()['match_id']}"
            http.post(f"{at}/start", headers=mine)
            http.post(f"{at}/commands", json={"type": "leave"}, headers=mine)
            whole = http.get(f"{at}/events", headers={"Accept": "application/x-ndjson"})
        told = subprocess.run(
            [sys.executable, script, url.replace("http", "ws"), at.rpartition("/")[2]],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )

    items = [json.loads(line) for line in whole.text.splitlines()]
    expected = [f"{item['version']} {item['type']}" for item in items]
    assert told.stdout.splitlines() == [*expected, "match_over"]


def test_every_code_and_every_type_of_message_is_on_the_page() -> None:
    for reason, code in CLOSES.items():
        assert re.search(rf"^\|.*\b{code}\b.*\| .*`{reason}`", PAGE, re.MULTILINE), reason
    for code in (NOT_TEXT, TOO_LARGE):
        assert f"{code}" in PAGE
    for kind in (*SocketRequest.__args__, *SocketMessage.__args__):
        assert f"| `{kind.__struct_config__.tag}` |" in PAGE
