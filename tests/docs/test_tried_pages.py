"""Pages whose programs are run as they stand: each line has to succeed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.shell import PAGES, needs_curl, printed

TRIED = (
    *(
        "players",
        "statistics",
        "leaderboards",
        "matches",
        "hidden-information",
        "reference",
        "audit",
    ),
    "tournaments",
    "apps",
)


@needs_curl
@pytest.mark.parametrize("page", TRIED)
def test_every_line_of_the_page_does_what_it_shows(page: str, tmp_path: Path) -> None:
    assert printed(f"{page}.md", tmp_path, "-exc")


def test_every_page_is_found_from_the_front_page() -> None:
    root = PAGES.parents[1]
    front = (root / "README.md").read_text()
    pages = [page for name in ("api", "operations") for page in (root / "docs" / name).glob("*.md")]

    assert [page.name for page in pages if str(page.relative_to(root)) not in front] == []
