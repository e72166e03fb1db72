"""The document under the recommended rules of Spectral and Redocly: no error and no warning.

They need Node and their packages: ``npm ci`` in openapi/lint puts them there.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "openapi" / "lint"
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (FOLDER / "node_modules").is_dir(),
    reason="Node is not installed, or `npm ci` was not run in openapi/lint",
)


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """A linter of the folder, over the committed document."""
    return subprocess.run(
        ["npx", "--no-install", *words, "../openapi.json"],
        cwd=FOLDER,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_spectral_finds_nothing() -> None:
    done = run("spectral", "lint", "--ruleset", "spectral.yaml", "--fail-severity", "hint")

    assert done.returncode == 0, done.stdout + done.stderr


def test_redocly_finds_nothing_but_the_messages_of_the_socket() -> None:
    done = run("redocly", "lint", "--config", "redocly.yaml", "--format=json")

    told = json.loads(done.stdout)
    assert told["problems"] == []
    assert told["totals"] == {"errors": 0, "warnings": 0, "ignored": 2}
