"""Pages whose programs are run as they stand: each line has to succeed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.shell import PAGES, needs_curl, printed

TRIED = ("players", "statistics", "matches", "hidden-information", "reference", "audit")


@needs_curl
@pytest.mark.parametrize("page", TRIED)
def test_every_line_of_the_page_does_what_it_shows(page: str, tmp_path: Path) -> None:
    assert printed(f"{page}.md", tmp_path, "-exc")


def test_every_page_is_found_from_the_front_page() -> None:
    front = (PAGES.parents[1] / "README.md").read_text()

    assert [page.name for page in PAGES.glob("*.md") if f"docs/api/{page.name}" not in front] == []
