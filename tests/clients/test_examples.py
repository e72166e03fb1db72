"""The programs in ``examples/``: each is run, against a service, as its first lines say."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from socket import socket

from msgspec.structs import replace

from domain.ports import Principal
from service.app import build_in_memory
from service.identity import Kind, new_token, token_hash
from service.ids import new_id
from tests.docs.shell import needs_curl
from tests.service.serving import serving
from tests.service.support import QUICK

EXAMPLES = Path(__file__).parents[2] / "examples"
SECONDS = 300


def run(*command: str | Path, **environment: str) -> list[str]:
    """The lines that a program prints; it has to end well, and to complain of nothing."""
    done = subprocess.run(
        command,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_the_bot_has_forty_lines_and_plays_a_match(client_folder: Path, url: str) -> None:
    bot = EXAMPLES / "bot.py"
    lines = [line for line in bot.read_text().splitlines() if line.strip()]

    last = run(sys.executable, bot, url, PYTHONPATH=str(client_folder))[-1]

    assert len(lines) <= 40
    assert re.fullmatch(r"winners: seats \[[01]\], points \[\d+, \d+\]", last)


@needs_curl
def test_the_match_by_curl_is_played_to_its_end(url: str) -> None:
    first, *turns, last = run("sh", EXAMPLES / "match.sh", url)

    assert re.fullmatch(r"match [0-9a-f-]{36}", first)
    assert turns and all(re.match(r"\d+: ", turn) for turn in turns)
    assert re.search(r'"reason":"target","winners":\[[01]\]', last)


@needs_curl
def test_the_match_by_curl_ends_at_once_where_there_is_no_service() -> None:
    with socket() as taken:  # a port that nobody listens on
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        done = subprocess.run(
            ["sh", EXAMPLES / "match.sh"],
            env={**os.environ, "TALON": url},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("curl: ") == 1


def test_the_backend_signs_people_up_and_acts_for_them(client_folder: Path) -> None:
    app, key = build_in_memory(replace(QUICK, webhooks_anywhere=True)), new_token()
    with serving(app) as url:
        registry, owner = app.state.services.registry, new_id()
        asyncio.run(registry.add_app(owner, "My game"))
        who = Principal(Kind.APP, owner)
        asyncio.run(registry.add_token(token_hash(key), who, app.state.services.now(), None))
        told = run(
            *(sys.executable, EXAMPLES / "backend.py", url),
            PYTHONPATH=str(client_folder),
            TALON_KEY=key,
        )

    assert told[:2] == ["signed up, and up again: True", "the phone is Bob"]
    assert re.fullmatch(r"it holds \d+ cards on seat 1", told[2])
    assert told[-3:] == [
        "a stranger is told: not_found",
        "winners: [0]",
        "told of the end: True",
    ]
