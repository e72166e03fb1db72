"""Pages whose programs are run as they stand: each line has to succeed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from service.app import build_in_memory
from tests.service.serving import serving
from tests.service.support import QUICK

PAGES = Path(__file__).parents[2] / "docs" / "api"
TRIED = ("players", "matches", "hidden-information", "reference")
SECONDS = 120


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("page", TRIED)
def test_every_line_of_the_page_does_what_it_shows(page: str, tmp_path: Path) -> None:
    text = (PAGES / f"{page}.md").read_text()
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    assert blocks

    with serving(build_in_memory(QUICK)) as url:
        done = subprocess.run(
            ["sh", "-exc", "".join(blocks)],
            env={**os.environ, "TALON": url},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    assert done.returncode == 0, done.stderr


def test_every_page_is_found_from_the_front_page() -> None:
    front = (PAGES.parents[1] / "README.md").read_text()

    assert [page.name for page in PAGES.glob("*.md") if f"docs/api/{page.name}" not in front] == []
